package sharding_test

import (
	"math"
	"testing"

	"github.com/memverbs/memverbs/sharding"
)

// The share of the keys that move is the share of a new server or of a removed one, or all keys where the place of a
// server counts.
func TestMoved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		layout        string
		before, after []string
		expected      float64
	}{
		{"rendezvous", []string{"a", "b", "c"}, []string{"a", "b", "c"}, 0},
		{"rendezvous", []string{"a", "b", "c"}, []string{"c", "b", "a"}, 0},
		{"rendezvous", []string{"a", "b", "c"}, []string{"a", "b", "c", "d"}, 1. / 4},
		{"rendezvous", []string{"a", "b", "c", "d"}, []string{"a", "b", "c"}, 1. / 4},
		{"rendezvous", []string{"a", "b"}, []string{"c", "d"}, 1},
		{"libmemcached", []string{"a", "b", "c"}, []string{"c", "a", "b"}, 1},
		{"libmemcached", []string{"a", "b", "c", "d", "e"}, []string{"a", "b", "c", "d", "e", "f"}, 5. / 6},
		{"twemproxy:ketama:fnv1a_64", []string{"a:1:1 alpha", "b:1:1 beta"}, []string{"a:1:1 beta", "b:1:1 alpha"}, 1},
	} {
		before, beforeNames := layoutOf(t, test.layout, test.before)
		after, afterNames := layoutOf(t, test.layout, test.after)
		if got := sharding.Moved(before, after, beforeNames, afterNames); math.Abs(got-test.expected) > 0.02 {
			t.Errorf("%s: from %q to %q moves %v, expected %v", test.layout, test.before, test.after, got, test.expected)
		}
	}
}

// layoutOf returns a layout of servers, and their addresses.
func layoutOf(t *testing.T, name string, texts []string) (l sharding.Layout, addresses []string) {
	t.Helper()
	var servers []sharding.Server
	for _, text := range texts {
		s, err := sharding.ParseServer(text)
		if err != nil {
			t.Fatal(err)
		}
		servers, addresses = append(servers, s.Server), append(addresses, s.Address)
	}
	l, err := sharding.ByName(name, servers)
	if err != nil {
		t.Fatal(err)
	}
	return l, addresses
}
