package tables

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The laws of [format.Fold].
func TestAnchorIsAFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	words := []string{"h:0123456789abcdeA", "h:0123456789abcdeE", "+a", "-b", "l>x", "l>x\u00a0y", "h", "y+a"}
	log := func() (text string) {
		for range r.IntN(4) {
			text += words[r.IntN(len(words))] + " "
		}
		return text
	}
	fold := func(text string) string {
		var f anchor
		if !f.Read(nil, []byte(text), 0) {
			t.Fatalf("%q is refused", text)
		}
		return string(f.AppendLog(nil, nil))
	}
	for range 2000 {
		one, two := log(), log()
		var f anchor
		f.Read(nil, []byte(two), 0)
		if got := fold(string(f.AppendLog(nil, nil))); got != fold(two) {
			t.Fatalf("%q comes to %q, and its log to %q", two, fold(two), got)
		}
		if got := fold(one + string(f.AppendNet(nil, nil))); got != fold(one+two) {
			t.Fatalf("%q and %q come to %q, not %q", one, two, fold(one+two), got)
		}
		f.Read(nil, []byte(one), 0)
		if f.Extend([]byte(one+two), 0); string(f.AppendLog(nil, nil)) != fold(one+two) {
			t.Fatalf("%q extended by %q is %q", one, two, f.AppendLog(nil, nil))
		}
	}
	if (&anchor{}).Read(nil, []byte("hello"), 0) {
		t.Error("hello is an anchor")
	}
}

// What passes for an anchor gives keys of items that are fit for a request, and is written as
// it is read.
func FuzzAnchor(f *testing.F) {
	for _, text := range []string{"h:0123456789abcdeA ", "h:0123456789abcdeA +a ", "h:0123456789\r\n\r\n", "h:", ""} {
		f.Add([]byte(text), "field")
	}
	f.Fuzz(func(t *testing.T, value []byte, field string) {
		generation, ok := parseAnchor(value)
		if !ok {
			return
		}
		if !strings.HasPrefix(string(value)+" ", string(appendAnchor(nil, string(generation)))[:generationSize+len(token)]) {
			t.Errorf("%q is read as %q", value, generation)
		}
		var fold anchor
		if fold.Read(nil, value, 0) && string(fold.generation) != string(generation) {
			t.Errorf("%q is folded to %q, and read as %q", value, fold.generation, generation)
		}
		table := []byte("k")
		if key := appendIndexKey(nil, table, string(generation)); !protocol.PlainWord(key) || !verbs.IsPart(key, table) {
			t.Errorf("the index of %q is %q", value, key)
		}
		if !isField([]byte(field)) {
			return
		}
		if key := appendRowKey(nil, table, string(generation), []byte(field)); !protocol.PlainWord(key) || !verbs.IsPart(key, table) {
			t.Errorf("the row %q of %q is %q", field, value, key)
		}
	})
}

// No two rows of any tables share an item.
func TestRowsHaveItemsOfTheirOwn(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(2, 2))
	word := func(most int) string {
		b := make([]byte, 1+r.IntN(most))
		for i := range b {
			b[i] = "k:=A"[r.IntN(4)]
		}
		return string(b)
	}
	generations := []string{"0123456789abcdeA", "AAAAAAAAAAAAAAAA"}
	rows := map[string]string{}
	for range 100_000 {
		table, generation, field := word(250), generations[0], word(200)
		if table[0] == 'k' { // a generation has one table
			table, generation = strings.Repeat("k", 250), generations[1]
		} else {
			table = strings.Repeat(":", 250)
		}
		key := string(appendRowKey(nil, []byte(table), generation, []byte(field)))
		if row := generation + field; rows[key] != "" && rows[key] != row {
			t.Fatalf("%q is the row of %q and %q", key, rows[key], row)
		} else {
			rows[key] = row
		}
	}
}
