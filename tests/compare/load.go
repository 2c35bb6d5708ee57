//go:build linux

package main

import (
	"fmt"
	"strings"
)

// load is what the contestants are put under.
type load struct {
	name      string
	what      string
	conns     int
	pipeline  int // requests sent at a time
	getKeys   int // keys of a get
	valueSize int
	keys      int // how many there are to ask for
}

// loads are those that -load chooses from. Large values have fewer keys, to fit
// into memcached's 64 MB.
var loads = []*load{
	{"plain", "50 connections, one request at a time, 100 bytes", 50, 1, 1, 100, 10_000},
	{"pipelined", "50 connections, 16 requests at a time, 100 bytes", 50, 16, 1, 100, 10_000},
	{"single", "1 connection, one request at a time, 100 bytes", 1, 1, 1, 100, 10_000},
	{"many", "1000 connections, one request at a time, 100 bytes", 1000, 1, 1, 100, 10_000},
	{"multiget", "50 connections, gets of 100 keys, 100 bytes", 50, 1, 100, 100, 10_000},
	{"10k", "50 connections, one request at a time, 10 kB", 50, 1, 1, 10_000, 2_000},
	{"500k", "20 connections, one request at a time, 500 kB", 20, 1, 1, 500_000, 40},
}

func describeLoads() string {
	var b strings.Builder
	for _, l := range loads {
		fmt.Fprintf(&b, "  %-10s %s\n", l.name, l.what)
	}
	return b.String()
}

// findLoads returns the loads named.
func findLoads(names string) (found []*load, err error) {
	if names == "all" {
		return loads, nil
	}
next:
	for name := range strings.SplitSeq(names, ",") {
		for _, l := range loads {
			if l.name == name {
				found = append(found, l)
				continue next
			}
		}
		return nil, fmt.Errorf("-load: there is no %q, only\n%s", name, describeLoads())
	}
	return found, nil
}
