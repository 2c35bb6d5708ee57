package sharding

import (
	"fmt"
	"strings"
)

// Default is the name of the layout for whoever asks for none: the one that most
// clients in most languages have, under one name or another.
const Default = "libmemcached-ketama-weighted"

// Description is what a user wants to know to pick a layout.
type Description struct {
	Name string // as ByName takes it; words in angle brackets stand for others
	Of   string // the client or proxy that places keys so, in a line or two
}

const twemproxyPattern = "twemproxy:<distribution>:<hash>"

var layouts = []struct {
	Description
	build func([]Server) (Layout, error)
}{
	{Description{"libmemcached", "libmemcached, php-memcached and pylibmc when told nothing"}, NewLibmemcached},
	{Description{"libmemcached-ketama", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA"}, NewLibmemcachedKetama},
	{Description{"libmemcached-ketama-weighted", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED"}, NewKetama},
	{Description{twemproxyPattern, "twemproxy, by its settings distribution (" + strings.Join(twemproxyDistributions, " or ") +
		")\nand hash (" + twemproxyHashNames() + ")"}, nil},
	{Description{"gomemcache", "Go: gomemcache"}, NewGomemcache},
	{Description{"python-memcached", "Python: python-memcached"}, NewPythonMemcached},
	{Description{"pymemcache", "Python: pymemcache's HashClient"}, NewPymemcache},
	{Description{"node-memcached", "Node.js: memcached"}, NewNodeMemcached},
	{Description{"dalli", "Ruby: Dalli"}, NewDalli},
	{Description{"spymemcached", "Java: spymemcached when told nothing"}, NewSpymemcached},
	{Description{"spymemcached-ketama", "Java: spymemcached with its KetamaConnectionFactory"}, NewSpymemcachedKetama},
	{Description{"cache-memcached-fast", "Perl: Cache::Memcached::Fast when told nothing"}, NewCacheMemcachedFast},
	{Description{"jump", "memcached's built-in proxy when told nothing; jump hash"}, NewJump},
	{Description{"rendezvous", "nobody before: for new pools; weighted rendezvous hashing"}, NewRendezvous},
}

// Descriptions returns a line for each layout, the many of twemproxy in one.
func Descriptions() (list []Description) {
	for _, l := range layouts {
		list = append(list, l.Description)
	}
	return list
}

// Names returns the name of every layout, those of twemproxy one by one.
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

// ByName returns the layout of the given name for a pool. It refuses what
// [Constructor] refuses, and what the constructor of that layout does.
func ByName(name string, servers []Server) (Layout, error) {
	build, err := Constructor(name)
	if err != nil {
		return nil, err
	}
	return build(servers)
}

// Constructor returns the constructor of the layout of the given name, such as
// [NewKetama] for "libmemcached-ketama-weighted". It refuses a name that it does
// not know, with an error that lists the ones it does.
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
