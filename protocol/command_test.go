package protocol

import (
	"strings"
	"testing"
)

func TestCommandNames(t *testing.T) {
	for c := Unknown + 1; c < Admin; c++ {
		if got := lookup([]byte(c.String())); got != c {
			t.Errorf("%q is read as %s", c.String(), got)
		}
	}
	for _, word := range []string{"", "unknown", "admin", "GET", "get\t", "ge", "getss", "bget"} {
		if got := lookup([]byte(word)); got != Unknown {
			t.Errorf("%q is read as %s", word, got)
		}
	}
	for _, word := range []string{"slabs", "lru", "lru_crawler", "watch", "shutdown", "cache_memlimit"} {
		if got := lookup([]byte(word)); got != Admin {
			t.Errorf("%q is read as %s", word, got)
		}
	}
}

// Each predicate with the commands it is true of.
func TestCommandPredicates(t *testing.T) {
	for _, test := range []struct {
		name string
		is   func(Command) bool
		want string
	}{
		{"Retrieval", Command.Retrieval, "get gets gat gats"},
		{"Storage", Command.Storage, "set add replace append prepend cas ms"},
		{"Meta", Command.Meta, "ms mg md ma me"},
		{"Verb", Command.Verb, "help sadd srem smembers sismember sinter sunion sdiff scard spop srandmember scompact logput logfetch"},
		{"ReadOnly", Command.ReadOnly, "get gets me smembers sismember sinter sunion sdiff scard srandmember logfetch"},
		{"TakesKeys", Command.TakesKeys, "smembers sinter sunion sdiff"},
		{"takesList", Command.takesList, "sadd srem smembers sismember sinter sunion sdiff"},
	} {
		var got []string
		for c := Unknown; c < NumCommands; c++ {
			if test.is(c) {
				got = append(got, c.String())
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: %s, expected %s", test.name, got, test.want)
		}
	}
}

func TestUsages(t *testing.T) {
	for c := Unknown; c < NumCommands; c++ {
		if (Usages[c] != "") != c.Verb() {
			t.Errorf("usage of %s: %q", c, Usages[c])
		}
		if c.Verb() && !strings.HasPrefix(Usages[c], c.String()) {
			t.Errorf("usage of %s: %q", c, Usages[c])
		}
	}
}
