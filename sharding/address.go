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

// ServerAddr is a server along with the way to reach it.
type ServerAddr struct {
	Server
	Network string // "tcp" or "unix"
	Address string // what net.Dial takes
}

const serverForms = "host:port[:weight], [ipv6]:port[:weight] or unix:/path[:weight]"

// ParseServer reads a server written in one of the forms
//
//	host:port[:weight]
//	[ipv6]:port[:weight]
//	unix:/path[:weight]
//
// Without a port it is [DefaultPort], without a weight it is 1. The name that
// the ring hashes is the host as written, with no change of case and no lookup,
// or the path; brackets are not part of it. After a path the last colon always
// starts a weight, so a path that holds a colon needs its weight spelt out.
//
// It refuses whatever is in none of these forms: a host that is neither a host
// name nor an IP address, a relative path, a port or weight that is not a
// number from 1 to 65535. The error is one line that quotes s.
func ParseServer(s string) (ServerAddr, error) {
	parse, rest := parseTCP, s
	if scheme, path, _ := strings.Cut(s, ":"); scheme == "unix" {
		parse, rest = parseUnix, path
	}
	server, err := parse(rest)
	if err != nil {
		return ServerAddr{}, fmt.Errorf("server %q: %w; expected %s", s, err, serverForms)
	}
	return server, nil
}

func parseUnix(s string) (ServerAddr, error) {
	path, weight := s, 1
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 {
		var err error
		if weight, err = parseNumber("weight", s[colon+1:]); err != nil {
			return ServerAddr{}, err
		}
		path = s[:colon]
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, unicode.IsControl) {
		return ServerAddr{}, fmt.Errorf("%q is not an absolute path", path)
	}
	return ServerAddr{Server{path, 0, weight}, "unix", path}, nil
}

func parseTCP(s string) (ServerAddr, error) {
	host, rest, err := cutHost(s)
	if err != nil {
		return ServerAddr{}, err
	}
	port, weight, err := parsePortWeight(rest)
	if err != nil {
		return ServerAddr{}, err
	}
	address := net.JoinHostPort(host, strconv.Itoa(port))
	return ServerAddr{Server{host, port, weight}, "tcp", address}, nil
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

// cutIPv6 is cutHost for what follows an opening bracket.
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

// parsePortWeight reads "", ":port" or ":port:weight".
func parsePortWeight(s string) (port, weight int, err error) {
	port, weight = DefaultPort, 1
	fields := strings.Split(s, ":")[1:]
	if len(fields) > 2 {
		return 0, 0, errors.New("too many colons")
	}
	if len(fields) > 0 {
		port, err = parseNumber("port", fields[0])
	}
	if len(fields) > 1 && err == nil {
		weight, err = parseNumber("weight", fields[1])
	}
	return port, weight, err
}

// parseNumber reads a port or a weight: MaxWeight is the greatest port as well.
func parseNumber(what, s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s %q is not a number from 1 to 65535", what, s)
	}
	return int(n), nil
}

// foreignToHosts tells the characters that occur in no host name, so that a
// URL, a blank or a forgotten bracket is refused here, not by a failing lookup.
func foreignToHosts(r rune) bool {
	return r != '-' && r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
