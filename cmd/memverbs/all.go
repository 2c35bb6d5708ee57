package main

import (
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/hosts"
)

// settings are all that can be set, by flags or by a file.
type settings struct {
	process
	pools     []*pool
	listeners []listener

	embedded setting.Size // memory of the embedded store, which the only pool has for servers; 0 for none
	lookup   hosts.Lookup // for names of servers

	texts []setting.Text // those of the process, if they are those of a file
}
