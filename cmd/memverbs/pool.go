package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/sharding"
)

// pool is the flags that say which servers there are and which of them has a key.
type pool struct {
	upstreams []string
	given     *pflag.Flag // --upstream, to tell whether it was given
	layout    string
	prefixes  []string
	hashTag   string
}

// addFlags adds them, with what is to be said of a command without --upstream.
func (p *pool) addFlags(f *pflag.FlagSet, without string) {
	f.StringSliceVar(&p.upstreams, "upstream", nil, "`server` of the pool: host:port[:weight [name]] or unix:/path[:weight [name]];\nmay be repeated or given as a list with commas"+without)
	p.given = f.Lookup("upstream")
	f.StringVar(&p.layout, "layout", sharding.Default, "how keys are spread over the servers; the `name`s are listed below")
	f.StringArrayVar(&p.prefixes, "unhashed-prefix", nil, "`prefix` that clients add to keys after choosing a server: a key with it is placed\nby what follows it; may be repeated")
	f.StringVar(&p.hashTag, "hash-tag", "", "two `characters`, such as {}: a key with both is placed by what is between them")
}

// layouts is the part of --help on the values of --layout.
func layouts() string {
	var b strings.Builder
	b.WriteString("\nLayouts, each placing every key where the program named beside it does:\n")
	for _, d := range sharding.Descriptions() {
		text := strings.ReplaceAll(d.Of, "\n", fmt.Sprintf("\n%39s", ""))
		fmt.Fprintf(&b, "      %-33s%s\n", d.Name, text)
	}
	return b.String()
}

// embedded reports whether data is to be kept in the process. An empty list does not
// ask for that: it may come from a variable that was forgotten.
func (p *pool) embedded() bool { return !p.given.Changed }

// check refuses values that are wrong whatever the servers.
func (p *pool) check() error {
	if _, err := sharding.Constructor(p.layout); err != nil {
		return fmt.Errorf("--layout: %w", err)
	}
	_, err := p.wrap(nil)
	return err
}

// wrap puts what the flags say of parts of keys before a layout.
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

// build returns the servers and the layout that the flags ask for.
func (p *pool) build() (addrs []sharding.ServerAddr, layout sharding.Layout, err error) {
	if p.embedded() {
		return nil, nil, errors.New("--upstream: a server is needed")
	}
	var servers []sharding.Server
	for _, text := range p.upstreams {
		s, err := sharding.ParseServer(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--upstream: %w", err)
		}
		addrs, servers = append(addrs, s), append(servers, s.Server)
	}
	if layout, err = sharding.ByName(p.layout, servers); err != nil {
		return nil, nil, fmt.Errorf("--upstream: %w", err)
	}
	layout, err = p.wrap(layout)
	return addrs, layout, err
}
