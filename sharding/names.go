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

// layouts are all layouts. has says which attributes of servers, besides their addresses, the original of a layout
// supports. build is given a pool that checkPool accepts.
var layouts = []struct {
	Description
	has   ability
	build func([]Server) (Layout, error)
}{
	{Description{"libmemcached", "libmemcached, php-memcached and pylibmc with default settings"}, 0, byRemainder(oneAtATime)},
	{Description{"libmemcached-ketama", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA"}, hasWeights, newLibmemcachedKetama},
	{Description{"libmemcached-ketama-weighted", "libmemcached with MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED"}, hasWeights, newKetama},
	{Description{twemproxyPattern, "twemproxy, by its settings distribution (" + strings.Join(twemproxyDistributions, " or ") +
		")\nand hash (" + twemproxyHashNames() + ")"}, 0, nil},
	{Description{"gomemcache", "Go: gomemcache"}, hasWeights, byRemainder(gomemcacheHash)},
	{Description{"python-memcached", "Python: python-memcached"}, hasWeights, byRemainder(pythonMemcachedHash)},
	{Description{"pymemcache", "Python: pymemcache's HashClient"}, 0, newPymemcache},
	{Description{"node-memcached", "Node.js: memcached"}, hasWeights, newNodeMemcached},
	{Description{"dalli", "Ruby: Dalli"}, hasWeights, newDalli},
	{Description{"spymemcached", "Java: spymemcached with default settings"}, 0, byRemainder(javaHash)},
	{Description{"spymemcached-ketama", "Java: spymemcached with its KetamaConnectionFactory"}, hasWeights | hasNames, newSpymemcachedKetama},
	{Description{"cache-memcached-fast", "Perl: Cache::Memcached::Fast with default settings"}, hasWeights, newCacheMemcachedFast},
	{Description{"pecl-memcache", "PHP: PECL memcache with the strategy standard"}, hasWeights, byRemainder(peclStandard(crc32Whole))},
	{Description{"pecl-memcache-fnv", "the same with the function fnv"}, hasWeights, byRemainder(peclStandard(fnv1aOf32))},
	{Description{"pecl-memcache-consistent", "PHP: PECL memcache with the strategy consistent, its default since 3.0"}, hasWeights, newPeclConsistent(crc32Whole)},
	{Description{"pecl-memcache-consistent-fnv", "the same with the function fnv"}, hasWeights, newPeclConsistent(fnv1aOf32)},
	{Description{"mcrouter", "mcrouter with its default hash function, Ch3"}, 0, newCh3},
	{Description{"mcrouter-crc32", "mcrouter with the hash function Crc32"}, 0, byRemainder(mcrouterCRC32)},
	{Description{"mcrouter-weighted", "mcrouter with weights, by the hash function WeightedCh3"}, hasFractions, newWeightedCh3},
	{Description{"jump", "memcached's built-in proxy with default settings; jump hash"}, 0, newJump},
	{Description{"rendezvous", "no other program: for new pools; weighted rendezvous hashing"}, hasWeights | hasNames, newRendezvous},
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

// ByName returns the layout of the given name for a pool. It refuses the names that
// [Constructor] refuses, and the pools that the layout's constructor refuses.
func ByName(name string, servers []Server) (Layout, error) {
	build, err := Constructor(name)
	if err != nil {
		return nil, err
	}
	return build(servers)
}

// Constructor returns the constructor of the layout of the given name, such as "libmemcached-ketama-weighted". It
// refuses an unknown name with an error that lists the known ones.
//
// The constructor refuses an empty pool, a duplicate server, and weights and names that the original of the layout
// does not have. A weight is from 1 to [MaxWeight].
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
			return func(servers []Server) (Layout, error) {
				if err := checkPool(name, servers, l.has); err != nil {
					return nil, err
				}
				return l.build(servers)
			}, nil
		}
		known = append(known, l.Name)
	}
	return nil, fmt.Errorf("no layout %q: expected one of %s", name, strings.Join(known, ", "))
}
