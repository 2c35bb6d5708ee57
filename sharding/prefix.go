package sharding

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unhashedPrefix is a layout that ignores the prefixes of keys.
type unhashedPrefix struct {
	layout   Layout
	prefixes [][]byte // the longest first
}

// longestPrefix is the length of memcached's longest key.
const longestPrefix = 250

// NewUnhashedPrefix returns a layout that places a key by what follows its prefix: with
// the prefix "app:" the key "app:user:7" goes where the given layout places "user:7".
//
// Some clients add a prefix to every key only after they have chosen the server by the
// key without it: libmemcached 1.1.4 with MEMCACHED_CALLBACK_NAMESPACE
// (_generate_hash_wrapper in its hash.cc), unless
// MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY is set too; pymemcache 3.5.2's HashClient
// with key_prefix (_get_client in client/hash.py); Cache::Memcached::Fast 0.28 with
// namespace, unless hash_namespace is set too.
//
// Several prefixes are for several applications that share a pool. If a key begins with
// more than one, the longest counts. A key that begins with none is placed as a whole.
// A key that is only a prefix is placed as the empty key, as in pymemcache and
// Cache::Memcached::Fast (libmemcached refuses such a key). A lookup compares the key
// with each prefix in turn.
//
// To combine it with [NewHashTag], wrap the prefix layout around the tag layout, so
// that the tag is searched for after the prefix. No client is known to have both, but a
// client that shards by tags and adds its prefix later would behave like this.
//
// Without prefixes, NewUnhashedPrefix returns the given layout. It refuses a prefix
// that no key can begin with: an empty one, one of more than 250 bytes, and one with
// white space or a control character in it.
func NewUnhashedPrefix(layout Layout, prefixes ...string) (Layout, error) {
	if len(prefixes) == 0 {
		return layout, nil
	}
	u := &unhashedPrefix{layout: layout}
	for _, p := range prefixes {
		if p == "" || len(p) > longestPrefix || strings.ContainsFunc(p, notInKeys) {
			return nil, fmt.Errorf("%q is no prefix of keys: expected 1 to %d bytes without white space or control characters", p, longestPrefix)
		}
		u.prefixes = append(u.prefixes, []byte(p))
	}
	slices.SortFunc(u.prefixes, func(a, b []byte) int { return cmp.Compare(len(b), len(a)) })
	return u, nil
}

// notInKeys reports whether r ends a key in memcached's protocol or is refused in one.
func notInKeys(r rune) bool { return r <= ' ' || r == 0x7f }

// Locate implements [Layout].
func (u *unhashedPrefix) Locate(key []byte) int {
	for _, p := range u.prefixes {
		if rest, ok := bytes.CutPrefix(key, p); ok {
			return u.layout.Locate(rest)
		}
	}
	return u.layout.Locate(key)
}
