package sharding

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

// ServerAddr is a server and the address to dial.
type ServerAddr struct {
	Server
	Network string // "tcp" or "unix"
	Address string // for net.Dial
}

const serverForms = "host:port[:weight [name]], [ipv6]:port[:weight [name]] or unix:/path[:weight [name]]"

// ParseServer reads a server written in one of the forms
//
//	host:port[:weight [name]]
//	[ipv6]:port[:weight [name]]
//	unix:/path[:weight [name]]
//
// The port is [DefaultPort] and the weight 1 if they are missing. The host is kept as
// written, with no change of case and no lookup, since layouts hash it; brackets are
// not part of it. In a path the last colon always starts a weight, so a path that
// contains a colon must be followed by a weight.
//
// Some layouts hash the name, which follows the weight, in place of the host and port.
// Weight and name are written as in twemproxy's configuration; as there, a path may
// also begin with its slash instead of "unix:". A weight below 1, as mcrouter has them, is written in decimal: 0.3.
//
// ParseServer refuses anything else: a host that is neither a host name nor an IP
// address, a relative path, a port or weight that is not a number from 1 to 65535 (a
// weight may be below 1), a name with white space in it. The error is one line that quotes s.
func ParseServer(s string) (ServerAddr, error) {
	parse, rest := parseTCP, s
	if scheme, path, _ := strings.Cut(s, ":"); scheme == "unix" {
		parse, rest = parseUnix, path
	} else if strings.HasPrefix(s, "/") {
		parse = parseUnix
	}
	server, err := parse(rest)
	if err != nil {
		return ServerAddr{}, fmt.Errorf("server %q: %w; expected %s", s, err, serverForms)
	}
	return server, nil
}

func parseUnix(s string) (ServerAddr, error) {
	path, server := s, Server{Weight: 1}
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 {
		if err := server.parseWeightName(s[colon+1:]); err != nil {
			return ServerAddr{}, err
		}
		path = s[:colon]
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, unicode.IsControl) {
		return ServerAddr{}, fmt.Errorf("%q is not an absolute path", path)
	}
	server.Host = path
	return ServerAddr{server, "unix", path}, nil
}

func parseTCP(s string) (ServerAddr, error) {
	host, rest, err := cutHost(s)
	if err != nil {
		return ServerAddr{}, err
	}
	server := Server{Host: host, Port: DefaultPort, Weight: 1}
	fields := strings.SplitN(rest, ":", 3)[1:]
	if len(fields) > 0 {
		server.Port, err = parseNumber("port", fields[0])
	}
	if len(fields) > 1 && err == nil {
		err = server.parseWeightName(fields[1])
	}
	if err != nil {
		return ServerAddr{}, err
	}
	address := net.JoinHostPort(host, strconv.Itoa(server.Port))
	return ServerAddr{server, "tcp", address}, nil
}

// cutHost splits s after its host. The rest is empty or starts with a colon.
func cutHost(s string) (host, rest string, err error) {
	if bracketed, ok := strings.CutPrefix(s, "["); ok {
		return cutIPv6(bracketed)
	}
	end := strings.IndexByte(s, ':')
	if end < 0 {
		end = len(s)
	}
	host, rest = s[:end], s[end:]
	if host == "" || strings.ContainsFunc(host, foreignToHosts) {
		return "", "", fmt.Errorf("%q is not a host name or IP address", host)
	}
	return host, rest, nil
}

// cutIPv6 is cutHost for text that follows an opening bracket.
func cutIPv6(s string) (host, rest string, err error) {
	host, rest, closed := strings.Cut(s, "]")
	ip, err := netip.ParseAddr(host)
	if !closed || err != nil || !ip.Is6() || strings.ContainsFunc(ip.Zone(), foreignToHosts) {
		return "", "", errors.New("no IPv6 address between brackets")
	}
	if rest != "" && rest[0] != ':' {
		return "", "", fmt.Errorf("%q follows the bracket where a colon should", rest)
	}
	return host, rest, nil
}

// parseWeightName reads "weight" or "weight name".
func (s *Server) parseWeightName(text string) (err error) {
	weight, name, named := strings.Cut(text, " ")
	if strings.Contains(weight, ".") {
		s.Weight = 0
		s.Fraction, err = parseFraction(weight)
	} else {
		s.Weight, err = parseNumber("weight", weight)
	}
	if err != nil {
		return err
	}
	if named && (name == "" || strings.ContainsFunc(name, foreignToNames)) {
		return fmt.Errorf("%q is not a name", name)
	}
	s.Name = name
	return nil
}

// parseFraction parses a weight below 1, written in decimal with a point.
func parseFraction(s string) (float64, error) {
	whole, digits, _ := strings.Cut(s, ".")
	if whole != "0" || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("weight %q is not a whole number from 1 to 65535, nor one below 1, like 0.3", s)
	}
	return strconv.ParseFloat(s, 64)
}

// parseNumber parses a port or a weight; both have the same greatest value, MaxWeight.
func parseNumber(what, s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s %q is not a number from 1 to 65535", what, s)
	}
	return int(n), nil
}

// foreignToHosts reports whether no host name contains r. So a URL, a blank or a
// missing bracket is refused by the parser and not by a failing lookup.
func foreignToHosts(r rune) bool {
	return r != '-' && r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func foreignToNames(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
