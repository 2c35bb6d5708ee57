package layouts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The prefixes of the applications that share a pool; the last one has none.
const (
	appPrefix     = "app:"
	otherPrefix   = "app:other:" // begins with another one
	bracedPrefix  = "{b}/"
	sessionPrefix = "memc.sess.key." // of PHP's sessions, if it is not set
)

// prefixes has what begins with another one before it.
var prefixes = []string{otherPrefix, appPrefix, bracedPrefix, sessionPrefix, ""}

var (
	asciiAfterPrefixes    = newKeySet(prefixed(prefixes, toASCII))
	utf8AfterPrefixes     = withBarePrefixes(newKeySet(prefixed(prefixes, toUTF8)))
	anyBytesAfterPrefixes = withBarePrefixes(newKeySet(prefixed(prefixes, func(key string) string { return key })))
	sessions              = newKeySet(prefixed([]string{sessionPrefix}, toASCII))
)

// prefixed returns what makes a key into one that is allowed and puts it after
// each of some prefixes in turn.
func prefixed(prefixes []string, allow func(string) string) func(string) string {
	next := 0
	return func(key string) string {
		prefix := prefixes[next%len(prefixes)]
		next++
		return prefix + allow(key[:min(len(key), maxKey-len(prefix))])
	}
}

// withBarePrefixes makes some keys those that are nothing but a prefix, which
// some clients take.
func withBarePrefixes(keys keySet) keySet {
	return func() []string {
		bare := []string{otherPrefix, appPrefix, bracedPrefix, sessionPrefix}
		return append(bare, keys()[len(bare):]...)
	}
}

// The clients that choose the server before they add their prefix.
var (
	phpWithPrefix       = ofApplications("php-memcached with OPT_PREFIX_KEY", asciiAfterPrefixes, "php", "php-memcached.php")
	phpSessions         = ofApplications("PHP's sessions", sessions, "php", "php-sessions.php")
	pymemcacheKeyPrefix = ofApplications("pymemcache with key_prefix", utf8AfterPrefixes, python, "-I", "pymemcache.py")
	perlWithNamespace   = ofApplications("cache-memcached-fast with namespace", anyBytesAfterPrefixes, "perl", "cache-memcached-fast.pl")
)

// ofApplications returns an original that is run by several applications, each
// with a prefix of its own, which the client adds to its keys.
func ofApplications(name string, takes keySet, command string, args ...string) original {
	return original{name, takes, func(t *testing.T, layout string, p *pool, keys []string) {
		t.Helper()
		bare := map[string][]string{}
		for _, key := range keys {
			prefix := prefixOf(key)
			bare[prefix] = append(bare[prefix], key[len(prefix):])
		}
		for prefix, keys := range bare {
			storeWith("env", slices.Concat([]string{"KEY_PREFIX=" + prefix, command}, args)...)(t, layout, p, keys)
		}
	}}
}

// prefixOf returns the prefix of the application that a key is of.
func prefixOf(key string) string {
	return prefixes[slices.IndexFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })]
}

func prefixProofs() []proof {
	flags := []string{
		"--unhashed-prefix", appPrefix, "--unhashed-prefix", otherPrefix,
		"--unhashed-prefix", bracedPrefix, "--unhashed-prefix", sessionPrefix,
	}
	return []proof{
		{layout: "libmemcached", by: phpWithPrefix, pool: equal, flags: flags},
		{layout: "libmemcached-ketama", by: phpWithPrefix, pool: spread, flags: flags},
		{layout: "libmemcached-ketama-weighted", by: phpWithPrefix, pool: weighted, flags: flags},
		{layout: "libmemcached", by: phpSessions, pool: weightedInVain, flags: flags},
		{layout: "libmemcached-ketama", by: phpSessions, pool: weightedInVain, flags: flags},
		{layout: "libmemcached-ketama-weighted", by: phpSessions, pool: weighted, flags: flags},
		{layout: "pymemcache", by: pymemcacheKeyPrefix, pool: equal, flags: flags},
		{layout: "cache-memcached-fast", by: perlWithNamespace, pool: weighted, flags: flags},
	}
}

func TestNoKeyWithPrefixMoves(t *testing.T) {
	t.Parallel()
	for _, p := range prefixProofs() {
		t.Run(fmt.Sprintf("%s by %s (%s)", p.layout, p.by.name, p.pool.title), func(t *testing.T) {
			t.Parallel()
			p.needsFlags(t, p.run(t))
		})
	}
}

// needsFlags checks that without the flags most keys that have a prefix would
// move, and no other key.
func (p proof) needsFlags(t *testing.T, pool *pool) {
	t.Helper()
	keys := p.by.takes()
	with, without := pool.locate(t, append(p.bareFlags(pool), p.flags...), keys), pool.locate(t, p.bareFlags(pool), keys)
	prefixed, moved := 0, 0
	for _, key := range keys {
		switch hasPrefix, moves := prefixOf(key) != "", with[key] != without[key]; {
		case hasPrefix && moves:
			moved++
			fallthrough
		case hasPrefix:
			prefixed++
		case moves:
			t.Errorf("%q has no prefix, and moves all the same", key)
		}
	}
	t.Logf("without the flags %d of %d keys with a prefix move", moved, prefixed)
	if 2*moved < prefixed {
		t.Errorf("without the flags %d of %d keys with a prefix move, expected most", moved, prefixed)
	}
}
