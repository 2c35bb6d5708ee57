package harness

import (
	"strings"
	"testing"
)

// Stores are the names of the kinds of store that memverbs keeps state in: two
// memcacheds of either version, and the one that it embeds.
var Stores = []string{"memcached-1.6.18", "memcached-1.6.38", "memcached-" + Newest, "embedded"}

// Store is a memverbs process with what it keeps its state in.
type Store struct {
	Name       string
	Addr       string // of memverbs
	Memverbs   *Memverbs
	Memcacheds []*Memcached // none behind the embedded store
}

// Upstreams returns the flags that point a memverbs at the memcacheds of the
// store. A second memverbs started with them serves the same state.
func (s *Store) Upstreams() []string {
	var flags []string
	for _, m := range s.Memcacheds {
		flags = append(flags, "--upstream", m.Addr)
	}
	return flags
}

// StartStore starts the store named, one of [Stores], behind a fresh memverbs
// with the flags given.
func StartStore(t testing.TB, name string, flags ...string) *Store {
	t.Helper()
	s := &Store{Name: name}
	if version, ok := strings.CutPrefix(name, "memcached-"); ok {
		for range 2 {
			s.Memcacheds = append(s.Memcacheds, StartMemcached(t, version))
		}
	}
	s.Memverbs = StartMemverbs(t, append(s.Upstreams(), flags...)...)
	s.Addr = s.Memverbs.Addr
	return s
}

// Extremes are the [Stores] with the oldest and the newest memcached, and the embedded one. Whatever
// depends on the version of memcached differs between the oldest and the newest.
var Extremes = []string{Stores[0], "memcached-" + Newest, "embedded"}

// ForEachStore runs test as a parallel subtest over each of the [Extremes], each
// behind a fresh memverbs with the flags given.
func ForEachStore(t *testing.T, test func(t *testing.T, s *Store), flags ...string) {
	t.Helper()
	ForEachOf(t, Extremes, test, flags...)
}

// ForEachOf is ForEachStore over the stores named.
func ForEachOf(t *testing.T, names []string, test func(t *testing.T, s *Store), flags ...string) {
	t.Helper()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, StartStore(t, name, flags...))
		})
	}
}
