package discovery

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/memverbs/memverbs/sharding"
)

// Source is where the servers of a pool are listed. The zero value is none.
type Source struct {
	kind kind
	name string
	port int // of the servers, or of the cluster's endpoint; 0 for services, which have ports of their own
}

// kind is a kind of source, as it is written before the colon.
type kind string

const (
	byAddress kind = "dns"
	byService kind = "srv"
	byCluster kind = "elasticache"
)

// Forms are how sources are written, for errors and help.
const Forms = "dns:host:port, srv:name or elasticache:host:port"

// IsSource reports whether text is meant as a source rather than as a server: whether it begins with the word for a kind
// of source and a colon, unless that is a host of this name and a port follows.
func IsSource(text string) bool {
	word, rest, colon := strings.Cut(text, ":")
	switch kind(word) {
	case byAddress, byService, byCluster:
		first, _, _ := strings.Cut(rest, ":")
		return colon && (first == "" || strings.Trim(first, "0123456789") != "")
	}
	return false
}

// ParseSource reads a source written as in [Forms]. Its error quotes the text.
func ParseSource(text string) (s Source, err error) {
	word, rest, _ := strings.Cut(text, ":")
	if s, err = parse(kind(word), rest); err != nil {
		return Source{}, fmt.Errorf("%q: %w; expected %s", text, err, Forms)
	}
	return s, nil
}

func parse(kind kind, rest string) (s Source, err error) {
	if strings.ContainsAny(rest, " /") {
		return s, fmt.Errorf("%q has a character that no name has; weights and names can't be given for servers that are found", rest)
	}
	server, err := sharding.ParseServer(rest)
	if err != nil {
		return s, fmt.Errorf("%q is not a name, or is followed by no port", rest)
	}
	_, isAddress := netip.ParseAddr(server.Host)
	switch {
	case isAddress == nil && kind != byCluster:
		return s, fmt.Errorf("%q is an address: list the servers themselves", rest)
	case strings.Count(rest, ":") > 1 && isAddress != nil:
		return s, fmt.Errorf("weights can't be given for servers that are found")
	case kind == byService && strings.Contains(rest, ":"):
		return s, fmt.Errorf("%q has a port: SRV records have the ports of the servers", rest)
	case kind == byService:
		server.Port = 0
	}
	return Source{kind, server.Host, server.Port}, nil
}

// String returns the source as it is written, with its port.
func (s Source) String() string {
	if s.kind == byService {
		return string(s.kind) + ":" + s.name
	}
	return fmt.Sprintf("%s:%s:%d", s.kind, s.name, s.port)
}
