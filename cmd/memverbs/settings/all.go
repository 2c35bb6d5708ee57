package settings

import (
	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/config"
)

// All are all that can be set, by flags or by a file.
type All struct {
	Process
	Pools     []*Pool
	Listeners []listener

	Embedded setting.Size // memory of the embedded store, which the only pool has for servers; 0 for none
	Lookup   hosts.Lookup // for names of servers

	Texts []config.Setting // those of the process, if they are those of a file
}
