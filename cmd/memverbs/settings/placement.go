package settings

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/sharding"
)

// Placement is the settings that define the servers of a pool and the placement of keys.
type Placement struct {
	Servers  []Server // nil if none were given
	Layout   string
	prefixes []string
	HashTag  string

	built sharding.Layout // what build has returned
}

// Server is a server and how it was written.
type Server struct {
	Text string
	sharding.ServerAddr
}

// define defines the settings; servers is the name of the list of servers.
func (p *Placement) define(f *pflag.FlagSet, servers string) {
	setting.DefineList(f, &p.Servers, Memcached(), setting.SplitList, servers, "`server` of the pool: host:port[:weight [name]] or unix:/path[:weight [name]]")
	setting.Define(f, &p.Layout, sharding.Default, setting.Checked(checkLayout), "layout", "how keys are spread over the servers: a `name` under Layouts")
	setting.DefineList(f, &p.prefixes, setting.Checked(checkPrefix), nil, "unhashed-prefix", "`prefix` that clients put before a key after they have chosen its server: keys that begin with it\nare placed by what follows it")
	setting.Define(f, &p.HashTag, "", setting.Optional(CheckHashTag), "hash-tag", "two `characters`, such as {}: a key with both is placed by the part between them")
	setting.AtOnce(f, servers, "layout", "unhashed-prefix", "hash-tag")
	setting.Sample(f, servers, "127.0.0.1:11211")
	setting.Sample(f, "unhashed-prefix", "app:")
	setting.Sample(f, "hash-tag", "{}")
}

// DefineFlags defines them as flags.
func (p *Placement) DefineFlags(f *pflag.FlagSet) {
	p.define(f, "upstream")
	f.Lookup("upstream").Usage += ";\nmay be repeated or given as a list with commas"
	f.Lookup("unhashed-prefix").Usage += "; may be repeated"
}

// Memcached is the kind of servers.
func Memcached() setting.Kind[Server] {
	return setting.Kind[Server]{Name: "server", Read: func(text string) (Server, error) {
		s, err := sharding.ParseServer(text)
		return Server{text, s}, err
	}, Show: func(s Server) string { return s.Text }}
}

func checkLayout(name string) error {
	_, err := sharding.Constructor(name)
	return err
}

func checkPrefix(prefix string) error {
	_, err := sharding.NewUnhashedPrefix(nil, prefix)
	return err
}

// CheckHashTag refuses what is no hash tag.
func CheckHashTag(tag string) error {
	_, err := sharding.NewHashTag(nil, tag)
	return err
}

// placing returns a text that is the same for pools that place keys alike.
func (p *Placement) placing() string {
	var servers []string
	for _, s := range p.Servers {
		servers = append(servers, s.Text)
	}
	return fmt.Sprintf("%q %q %q %q", p.Layout, p.HashTag, p.prefixes, servers)
}

// Build returns the layout. It refuses servers that make up no pool, or none that the layout
// supports.
func (p *Placement) Build() (sharding.Layout, error) { return p.LayoutOf(p.Layout) }

// LayoutOf is build for the layout of that name.
func (p *Placement) LayoutOf(name string) (sharding.Layout, error) {
	var servers []sharding.Server
	for _, s := range p.Servers {
		servers = append(servers, s.Server)
	}
	layout, err := sharding.ByName(name, servers)
	if err != nil {
		return nil, err
	}
	if p.HashTag != "" {
		if layout, err = sharding.NewHashTag(layout, p.HashTag); err != nil {
			return nil, err
		}
	}
	return sharding.NewUnhashedPrefix(layout, p.prefixes...)
}
