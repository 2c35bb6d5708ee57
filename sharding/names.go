package sharding

import (
	"fmt"
	"strings"
)

// Default is the name of the default layout: the one that most clients in most
// languages have, under one name or another.
const Default = "libmemcached-ketama-weighted"

// Description tells a user what a layout is for.
type Description struct {
	Name string // for ByName; words in angle brackets are placeholders
	Of   string // the client or proxy that places keys like this, in a line or two
}

const twemproxyPattern = "twemproxy:<distribution>:<hash>"

var layouts = []struct {
	Description
	build func([]Server) (Layout, error)
}{
	{Description{"libmemcached", "libmemcached, php-memcached and pylibmc with default settings"}, NewLibmemcached},
	{Description{"libmemcached-ketama", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA"}, NewLibmemcachedKetama},
	{Description{"libmemcached-ketama-weighted", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED"}, NewKetama},
	{Description{twemproxyPattern, "twemproxy, by its settings distribution (" + strings.Join(twemproxyDistributions, " or ") +
		")\nand hash (" + twemproxyHashNames() + ")"}, nil},
	{Description{"gomemcache", "Go: gomemcache"}, NewGomemcache},
	{Description{"python-memcached", "Python: python-memcached"}, NewPythonMemcached},
	{Description{"pymemcache", "Python: pymemcache's HashClient"}, NewPymemcache},
	{Description{"node-memcached", "Node.js: memcached"}, NewNodeMemcached},
	{Description{"dalli", "Ruby: Dalli"}, NewDalli},
	{Description{"spymemcached", "Java: spymemcached with default settings"}, NewSpymemcached},
	{Description{"spymemcached-ketama", "Java: spymemcached with its KetamaConnectionFactory"}, NewSpymemcachedKetama},
	{Description{"cache-memcached-fast", "Perl: Cache::Memcached::Fast with default settings"}, NewCacheMemcachedFast},
	{Description{"jump", "memcached's built-in proxy with default settings; jump hash"}, NewJump},
	{Description{"rendezvous", "no other program: for new pools; weighted rendezvous hashing"}, NewRendezvous},
}

// Descriptions returns a description of each layout, with a single one for all of
// twemproxy's.
func Descriptions() (list []Description) {
	for _, l := range layouts {
		list = append(list, l.Description)
	}
	return list
}

// Names returns the name of every layout, including every combination of twemproxy's
// settings.
func Names() (list []string) {
	for _, l := range layouts {
		if l.Name != twemproxyPattern {
			list = append(list, l.Name)
			continue
		}
		for _, distribution := range twemproxyDistributions {
			for _, h := range twemproxyHashes {
				list = append(list, "twemproxy:"+distribution+":"+h.name)
			}
		}
	}
	return list
}

// ByName returns the layout of the given name for a pool. It refuses a name that
// [Constructor] refuses, and a pool that the constructor of that layout refuses.
func ByName(name string, servers []Server) (Layout, error) {
	build, err := Constructor(name)
	if err != nil {
		return nil, err
	}
	return build(servers)
}

// Constructor returns the constructor of the layout of the given name, such as
// [NewKetama] for "libmemcached-ketama-weighted". It refuses an unknown name with an
// error that lists the known ones.
func Constructor(name string) (func([]Server) (Layout, error), error) {
	if settings, ok := strings.CutPrefix(name, "twemproxy:"); ok {
		distribution, hash, _ := strings.Cut(settings, ":")
		build, err := NewTwemproxy(distribution, hash)
		if err != nil {
			return nil, fmt.Errorf("layout %q: %w", name, err)
		}
		return build, nil
	}
	var known []string
	for _, l := range layouts {
		if l.Name == name && l.build != nil {
			return l.build, nil
		}
		known = append(known, l.Name)
	}
	return nil, fmt.Errorf("no layout %q: expected one of %s", name, strings.Join(known, ", "))
}
