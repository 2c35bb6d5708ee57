package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/sharding"
)

// placement is the settings that define the servers of a pool and the placement of keys.
type placement struct {
	servers  []server // nil if none were given
	layout   string
	prefixes []string
	hashTag  string

	built sharding.Layout // what build has returned
}

// server is a server and how it was written.
type server struct {
	text string
	sharding.ServerAddr
}

// define defines the settings; servers is the name of the list of servers.
func (p *placement) define(f *pflag.FlagSet, servers string) {
	setting.DefineList(f, &p.servers, memcached(), splitList, servers, "`server` of the pool: host:port[:weight [name]] or unix:/path[:weight [name]]")
	setting.Define(f, &p.layout, sharding.Default, setting.Checked(checkLayout), "layout", "how keys are spread over the servers: a `name` under Layouts")
	setting.DefineList(f, &p.prefixes, setting.Checked(checkPrefix), nil, "unhashed-prefix", "`prefix` that clients put before a key after they have chosen its server: keys that begin with it\nare placed by what follows it")
	setting.Define(f, &p.hashTag, "", setting.Optional(checkHashTag), "hash-tag", "two `characters`, such as {}: a key with both is placed by the part between them")
	setting.AtOnce(f, servers, "layout", "unhashed-prefix", "hash-tag")
	setting.Sample(f, servers, "127.0.0.1:11211")
	setting.Sample(f, "unhashed-prefix", "app:")
	setting.Sample(f, "hash-tag", "{}")
}

// defineFlags defines them as flags.
func (p *placement) defineFlags(f *pflag.FlagSet) {
	p.define(f, "upstream")
	f.Lookup("upstream").Usage += ";\nmay be repeated or given as a list with commas"
	f.Lookup("unhashed-prefix").Usage += "; may be repeated"
}

// memcached is the kind of servers.
func memcached() setting.Kind[server] {
	return setting.Kind[server]{Name: "server", Read: func(text string) (server, error) {
		s, err := sharding.ParseServer(text)
		return server{text, s}, err
	}, Show: func(s server) string { return s.text }}
}

// splitList splits a list with commas, in which an element may be quoted. It may have several lines, as a
// file with a server in each has.
func splitList(text string) (elements []string, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	return slices.Concat(lines...), err
}

func checkLayout(name string) error {
	_, err := sharding.Constructor(name)
	return err
}

func checkPrefix(prefix string) error {
	_, err := sharding.NewUnhashedPrefix(nil, prefix)
	return err
}

func checkHashTag(tag string) error {
	_, err := sharding.NewHashTag(nil, tag)
	return err
}

// placing returns a text that is the same for pools that place keys alike.
func (p *placement) placing() string {
	var servers []string
	for _, s := range p.servers {
		servers = append(servers, s.text)
	}
	return fmt.Sprintf("%q %q %q %q", p.layout, p.hashTag, p.prefixes, servers)
}

// build returns the layout. It refuses servers that make up no pool, or none that the layout
// supports.
func (p *placement) build() (sharding.Layout, error) { return p.layoutOf(p.layout) }

// layoutOf is build for the layout of that name.
func (p *placement) layoutOf(name string) (sharding.Layout, error) {
	var servers []sharding.Server
	for _, s := range p.servers {
		servers = append(servers, s.Server)
	}
	layout, err := sharding.ByName(name, servers)
	if err != nil {
		return nil, err
	}
	if p.hashTag != "" {
		if layout, err = sharding.NewHashTag(layout, p.hashTag); err != nil {
			return nil, err
		}
	}
	return sharding.NewUnhashedPrefix(layout, p.prefixes...)
}
