package sharding

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const (
	// DefaultPort is the port of memcached where none is written.
	DefaultPort = 11211

	// MaxWeight is the greatest weight a server may have.
	MaxWeight = 65535
)

// Server is one upstream of a pool as the layouts see it. Layouts hash the fields
// exactly as written, without lookup or normalisation.
type Server struct {
	Host   string // host name or IP address as written, without brackets; or path of a unix socket
	Port   int    // 0 for a unix socket
	Weight int    // share of the keys relative to the other servers, 1 to MaxWeight; 0 if it is Fraction
	Name   string // hashed in place of host and port; empty if none was given

	// Fraction is a weight below 1, as mcrouter has them. It is 0 if Weight is not.
	Fraction float64
}

// Share returns the server's share of the keys relative to the other servers: its weight or fraction.
func (s Server) Share() float64 { return float64(s.Weight) + s.Fraction }

// String returns the server as error messages show it, quoted.
func (s Server) String() string {
	text := s.hostPort()
	if s.ipv6() {
		text = fmt.Sprintf("[%s]:%d", s.Host, s.Port)
	}
	if s.Name != "" {
		text += " (" + s.Name + ")"
	}
	return strconv.Quote(text)
}

// hostPort returns "host:port", even for the default port, or the path of a unix
// socket. Several clients hash this text.
func (s Server) hostPort() string {
	if s.unix() {
		return s.Host
	}
	return s.Host + ":" + strconv.Itoa(s.Port)
}

func (s Server) unix() bool { return s.Port == 0 }

func (s Server) ipv6() bool { return !s.unix() && strings.Contains(s.Host, ":") }

// ability is an attribute of servers that the original of a layout supports.
type ability uint

const (
	hasWeights ability = 1 << iota
	hasNames
	// hasFractions: weights are from 0 to 1.
	hasFractions
	// repeats: a server may be there several times, if each has a name of its own.
	repeats
)

// checkPool refuses pools that no layout accepts, and weights or names that the
// layout's original does not support: if they were ignored, keys would not be placed as
// their author expects.
func checkPool(layout string, servers []Server, has ability) error {
	if len(servers) == 0 {
		return errors.New("the pool is empty: expected at least one server")
	}
	seen := make(map[Server]bool, len(servers))
	for _, s := range servers {
		if err := checkWeight(layout, s, has); err != nil {
			return err
		}
		if s.Name != "" && has&hasNames == 0 {
			return fmt.Errorf("server %v has a name, and layout %s knows no names: expected none", s, layout)
		}
		address := Server{Host: s.Host, Port: s.Port}
		if has&repeats != 0 {
			address.Name = s.Name
		}
		if seen[address] {
			return fmt.Errorf("server %v is in the pool twice: expected each server once", address)
		}
		seen[address] = true
	}
	return nil
}

// checkWeight refuses the weight of a server that no layout accepts, or not this one.
func checkWeight(layout string, s Server, has ability) error {
	fraction := s.Fraction > 0 || s.Weight == 0 && has&hasFractions != 0
	switch {
	case fraction && (s.Fraction >= 1 || s.Weight != 0), !fraction && (s.Weight < 1 || s.Weight > MaxWeight):
		return fmt.Errorf("server %v: weight %v is not from 1 to %d", s, s.Share(), MaxWeight)
	case has&hasFractions != 0 && s.Weight > 1:
		return fmt.Errorf("server %v has weight %d, and layout %s takes weights from 0 to 1, like 0.3", s, s.Weight, layout)
	case has&hasFractions == 0 && fraction:
		return fmt.Errorf("server %v has weight %v, and layout %s knows no fractions: expected a whole number", s, s.Fraction, layout)
	case has&(hasWeights|hasFractions) == 0 && s.Weight != 1:
		return fmt.Errorf("server %v has weight %d, and layout %s knows no weights: expected 1 or none", s, s.Weight, layout)
	}
	return nil
}

// asListed returns the indexes of the servers in the order of the list.
func asListed(servers []Server) []int {
	order := make([]int, len(servers))
	for i := range order {
		order[i] = i
	}
	return order
}

// totalWeight returns the sum of the weights of a checked pool.
func totalWeight(servers []Server) (total uint64) {
	for _, s := range servers {
		total += uint64(s.Weight)
	}
	return total
}

// weighted reports whether a server has a weight other than 1.
func weighted(servers []Server) bool {
	return totalWeight(servers) != uint64(len(servers))
}
