package sharding

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unhashedPrefix is a layout that leaves out the prefixes of keys.
type unhashedPrefix struct {
	layout   Layout
	prefixes [][]byte // the longest first
}

// longestPrefix is as long as the longest key that memcached takes.
const longestPrefix = 250

// NewUnhashedPrefix returns a layout that places a key by what follows its
// prefix: with the prefix "app:" the key "app:user:7" goes where the given layout
// puts "user:7".
//
// Some clients add a prefix to every key only after they have chosen the server
// by the key that the program gave: libmemcached 1.1.4 with
// MEMCACHED_CALLBACK_NAMESPACE (_generate_hash_wrapper in its hash.cc), unless
// MEMCACHED_BEHAVIOR_HASH_WITH_PREFIX_KEY is set too; pymemcache 3.5.2's HashClient
// with key_prefix (_get_client in client/hash.py); Cache::Memcached::Fast 0.28 with
// namespace, unless hash_namespace is set too.
//
// Several prefixes are those of several applications that share a pool. Of those
// that a key begins with, the longest counts; a key that begins with none is
// placed as a whole, and one that is nothing but a prefix as the empty key, as
// pymemcache and Cache::Memcached::Fast do (libmemcached takes no such key). A
// lookup compares the key with each prefix in turn.
//
// Where a [NewHashTag] is wanted too, it belongs inside, so that the tag is looked
// for behind the prefix. No client is known to have both; it is what one would do
// that shards by tags and adds its prefix later.
//
// Without prefixes the layout itself is returned. A prefix that no key can begin
// with is refused: an empty one, one of more than 250 bytes, and one with white
// space or a control character in it.
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

// notInKeys tells what memcached takes for the end of a key, or refuses in one.
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
