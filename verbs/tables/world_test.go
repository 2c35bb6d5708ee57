package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func init() { format.Register(&sets.Kind, &Kind) }

// theVerbs are the verbs of the tests: those on tables and sets, and what else happens to
// tables.
var theVerbs = verbs.NewList(Verbs, sets.Verbs, []*verbs.Verb{&remove, &settle})

// remove is memcached's delete.
var remove = verbs.Verb{
	Verb: protocol.Verb{Name: "remove", Usage: "<key>", Read: verbs.ReadOneKey},
	Run: verbs.Coroutine(func(c *verbs.Call) {
		switch r := c.Ask(verbs.Op{Kind: verbs.Delete, Key: c.Key}); r.Status {
		case verbs.Stored:
			c.Say("DELETED")
		case verbs.Missing:
			c.Say("NOT_FOUND")
		default:
			c.Fail(r)
		}
	}),
}

// settle compacts the index of a table, as many calls do after their answers.
var settle = verbs.Verb{
	Verb: protocol.Verb{Name: "settle", Usage: "<key>", Read: verbs.ReadOneKey},
	Run: onTable(func(c *tableCall) {
		c.run(func() state {
			if r := c.Compact(c.index); r.Status == verbs.Failed {
				return c.fail(r)
			}
			return c.answer("OK")
		}, c.notFound)
	}),
}

// newWorld returns a world whose client knows the verbs.
func newWorld(t testing.TB) *verbtest.World { return verbtest.NewWorld(t, theVerbs) }

// onBoth runs test with a new and with an old memcached.
func onBoth(t *testing.T, test func(*testing.T, *verbtest.World)) { verbtest.OnBoth(t, theVerbs, test) }

// set returns the request that sets a row.
func set(key, field, value string) string {
	return fmt.Sprintf("hset %s %s 0 0 %d\r\n%s", key, field, len(value), value)
}

// generation returns the generation of the table under key.
func generation(w *verbtest.World, key string) string {
	w.T.Helper()
	generation, ok := parseAnchor([]byte(w.Value(key)))
	if !ok {
		w.T.Fatalf("%s holds %q", key, w.Value(key))
	}
	return string(generation)
}

// indexOf and rowOf return the keys of items of the table under key.
func indexOf(w *verbtest.World, key string) string {
	return string(appendIndexKey(nil, []byte(key), generation(w, key)))
}

func rowOf(w *verbtest.World, key, field string) string {
	return string(appendRowKey(nil, []byte(key), generation(w, key), []byte(field)))
}

// rows returns the lines of an answer of hgetall for rows "field value".
func rows(rows ...string) (lines []string) {
	for _, row := range rows {
		field, value, _ := strings.Cut(row, " ")
		lines = append(lines, fmt.Sprintf("VALUE %s 0 %d", field, len(value)), value)
	}
	return append(lines, "END")
}
