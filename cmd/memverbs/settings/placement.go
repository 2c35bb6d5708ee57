package settings

import (
	"fmt"
	"net/url"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/discovery"
	"github.com/memverbs/memverbs/sharding"
)

// Placement is the settings that define the servers of a pool and the placement of keys.
type Placement struct {
	Servers  []Server // nil if none were given
	Layout   string
	prefixes []string
	HashTag  string
	finding

	built sharding.Layout // what build has returned
}

// Server is a server, or a source of servers, and how it was written.
type Server struct {
	Text string
	sharding.ServerAddr
	// Source, if it is not empty, lists the servers of the pool, and this stands for all of them.
	Source discovery.Source
}

// define defines the settings; servers is the name of the list of servers.
func (p *Placement) define(f *pflag.FlagSet, servers string) {
	setting.DefineList(f, &p.Servers, Memcached().Sample("127.0.0.1:11211").AtOnce(), setting.SplitList, servers, "`server` of the pool: host:port[:weight [name]] or unix:/path[:weight [name]]; or, alone, what lists\nthe servers: "+discovery.Forms)
	p.finding.define(f)
	setting.Define(f, &p.Layout, sharding.Default, setting.Checked(checkLayout).AtOnce(), "layout", "how keys are spread over the servers: a `name` under Layouts")
	setting.DefineList(f, &p.prefixes, setting.Checked(checkPrefix).Sample("app:").AtOnce(), nil, "unhashed-prefix", "`prefix` that clients put before a key after they have chosen its server: keys that begin with it\nare placed by what follows it")
	setting.Define(f, &p.HashTag, "", setting.Optional(CheckHashTag).Sample("{}").AtOnce(), "hash-tag", "two `characters`, such as {}: a key with both is placed by the part between them")
}

// DefineFlags defines them as flags.
func (p *Placement) DefineFlags(f *pflag.FlagSet) {
	p.define(f, "upstream")
	f.Lookup("upstream").Usage += ";\nmay be repeated or given as a list with commas"
	f.Lookup("unhashed-prefix").Usage += "; may be repeated"
}

// Memcached is the kind of servers and of sources of servers.
func Memcached() setting.Kind[Server] {
	return setting.Kind[Server]{Name: "server", Read: func(text string) (Server, error) {
		if discovery.IsSource(text) {
			return readSource(text)
		}
		s, err := sharding.ParseServer(text)
		return Server{Text: text, ServerAddr: s}, err
	}, Show: func(s Server) string { return s.Text }}
}

// readSource reads a source of servers. Until they are found it counts as one server, so that the layout can be checked.
func readSource(text string) (Server, error) {
	source, err := discovery.ParseSource(text)
	if err != nil {
		return Server{}, err
	}
	name := source.String()
	return Server{text, sharding.ServerAddr{Server: sharding.Server{Host: name, Port: sharding.DefaultPort, Weight: 1}, Network: "source", Address: name}, source}, nil
}

// source returns the source of the servers, an empty one if they are listed. A source stands alone.
func (p *Placement) source() (source discovery.Source, err error) {
	for _, s := range p.Servers {
		if s.Source != (discovery.Source{}) && len(p.Servers) > 1 {
			return source, fmt.Errorf("%q lists all servers of a pool: remove the others, or list all here", s.Text)
		}
		source = s.Source
	}
	return source, nil
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

// rule returns a word that is the same for pools that place keys alike if their servers are the same.
func (p *Placement) rule() string {
	rule := p.Layout
	if p.HashTag != "" {
		rule += ",tag=" + url.QueryEscape(p.HashTag)
	}
	for _, prefix := range p.prefixes {
		rule += ",prefix=" + url.QueryEscape(prefix)
	}
	return rule
}

// Build returns the layout. It refuses servers that make up no pool, or none that the layout
// supports.
func (p *Placement) Build() (sharding.Layout, error) { return p.LayoutOf(p.Layout) }

// LayoutOf is build for the layout of that name.
func (p *Placement) LayoutOf(name string) (sharding.Layout, error) {
	var servers []sharding.Server
	if _, err := p.source(); err != nil {
		return nil, err
	}
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
