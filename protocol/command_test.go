package protocol

import (
	"strings"
	"testing"
)

func TestCommandNames(t *testing.T) {
	for c := Unknown + 1; c < Extra; c++ {
		if got := lookup([]byte(c.String())); got != c {
			t.Errorf("%q is read as %s", c.String(), got)
		}
	}
	for _, word := range []string{"", "unknown", "admin", "auth", "verb", "GET", "get\t", "ge", "getss", "bget"} {
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

// Each predicate with the commands for which it is true.
func TestCommandPredicates(t *testing.T) {
	for _, test := range []struct {
		name string
		is   func(Command) bool
		want string
	}{
		{"Retrieval", Command.Retrieval, "get gets gat gats"},
		{"Storage", Command.Storage, "set add replace append prepend cas ms"},
		{"Meta", Command.Meta, "ms mg md ma me"},
		{"ReadOnly", Command.ReadOnly, "get gets me"},
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
