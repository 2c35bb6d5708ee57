package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/sharding"
)

// pool is the flags that define the servers and the placement of keys.
type pool struct {
	upstreams []string
	given     *pflag.Flag // --upstream, to tell whether it was given
	layout    string
	prefixes  []string
	hashTag   string
}

// addFlags adds them to f. without is added to the help of --upstream: what happens
// without it.
func (p *pool) addFlags(f *pflag.FlagSet, without string) {
	f.StringSliceVar(&p.upstreams, "upstream", nil, "`server` of the pool: host:port[:weight [name]] or unix:/path[:weight [name]];\nmay be repeated or given as a list with commas"+without)
	p.given = f.Lookup("upstream")
	f.StringVar(&p.layout, "layout", sharding.Default, "how keys are spread over the servers; the `name`s are listed below")
	f.StringArrayVar(&p.prefixes, "unhashed-prefix", nil, "`prefix` that clients add to keys after choosing a server: a key with it is placed\nby what follows it; may be repeated")
	f.StringVar(&p.hashTag, "hash-tag", "", "two `characters`, such as {}: a key with both is placed by the part between them")
}

// layouts returns the part of --help on the values of --layout.
func layouts() string {
	var b strings.Builder
	b.WriteString("\nLayouts. Each places every key on the same server as the program next to it:\n")
	for _, d := range sharding.Descriptions() {
		text := strings.ReplaceAll(d.Of, "\n", fmt.Sprintf("\n%39s", ""))
		fmt.Fprintf(&b, "      %-33s%s\n", d.Name, text)
	}
	return b.String()
}

// embedded reports whether the embedded store is used: if --upstream is missing. An
// empty --upstream does not count, since it may come from an unset variable.
func (p *pool) embedded() bool { return !p.given.Changed }

// check returns an error for values that are invalid whatever the servers.
func (p *pool) check() error {
	if _, err := sharding.Constructor(p.layout); err != nil {
		return fmt.Errorf("--layout: %w", err)
	}
	_, err := p.wrap(nil)
	return err
}

// wrap wraps a layout in those of --hash-tag and --unhashed-prefix.
func (p *pool) wrap(layout sharding.Layout) (_ sharding.Layout, err error) {
	if p.hashTag != "" {
		if layout, err = sharding.NewHashTag(layout, p.hashTag); err != nil {
			return nil, fmt.Errorf("--hash-tag: %w", err)
		}
	}
	if layout, err = sharding.NewUnhashedPrefix(layout, p.prefixes...); err != nil {
		return nil, fmt.Errorf("--unhashed-prefix: %w", err)
	}
	return layout, nil
}

// build returns the servers and the layout of the flags.
func (p *pool) build() (addrs []sharding.ServerAddr, layout sharding.Layout, err error) {
	if addrs, err = p.servers(); err != nil {
		return nil, nil, err
	}
	if layout, err = p.layoutOf(p.layout, addrs); err != nil {
		return nil, nil, fmt.Errorf("--upstream: %w", err)
	}
	return addrs, layout, nil
}

// servers returns the servers of the flags.
func (p *pool) servers() (addrs []sharding.ServerAddr, err error) {
	if p.embedded() {
		return nil, errors.New("--upstream: a server is needed")
	}
	for _, text := range p.upstreams {
		s, err := sharding.ParseServer(text)
		if err != nil {
			return nil, fmt.Errorf("--upstream: %w", err)
		}
		addrs = append(addrs, s)
	}
	return addrs, nil
}

// layoutOf returns the layout of a name for servers, wrapped in those of --hash-tag and
// --unhashed-prefix. If check has returned no error, an error is about the servers.
func (p *pool) layoutOf(name string, addrs []sharding.ServerAddr) (sharding.Layout, error) {
	var servers []sharding.Server
	for _, a := range addrs {
		servers = append(servers, a.Server)
	}
	layout, err := sharding.ByName(name, servers)
	if err != nil {
		return nil, err
	}
	return p.wrap(layout)
}
