//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// memcachedProxy starts the proxy that is built into memcached in front of stores,
// which must listen on TCP, since it can't use sockets of another kind. It is
// configured by its route library, and has as many threads as memverbs has loops.
//
// It can't place keys as nutcracker and memverbs do, since it lacks their hash
// function, so it places them by its default.
func (s *stage) memcachedProxy(stores []*server) (*server, error) {
	at, err := s.target("tcp")
	if err != nil {
		return nil, err
	}
	var backends strings.Builder
	for _, store := range stores {
		fmt.Fprintf(&backends, "%q, ", store.Addr)
	}
	config := filepath.Join(s.folder, "routelib.lua")
	text := fmt.Sprintf("settings{ backend_connect_timeout = 5, backend_read_timeout = 5 }\n"+
		"pools{ stores = { backends = { %s} } }\n"+
		"routes{ default = route_direct{ child = \"stores\" } }\n", &backends)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	args := append(memcachedArgs(at), "-t", strconv.Itoa(s.options.loops), "-o", "proxy_config=routelib,proxy_arg="+config)
	p, err := s.start(memcachedProxy, at, s.options.memcachedProxy, args...)
	if err != nil {
		return nil, err
	}
	p.stores = stores
	return p, nil
}
