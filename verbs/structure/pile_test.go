package structure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func init() { format.Register(&verbtest.PileKind) }

// readWords reads <key> <word>*.
func readWords(rest []byte, req *protocol.Request) int {
	req.Key, req.Words = protocol.NextWord(rest)
	return 0
}

// put puts a word on a pile.
var put = verbs.Verb{
	Verb: protocol.Verb{Name: "put", Read: readWords},
	Run: verbs.Coroutine(func(c *verbs.Call) {
		e := structure.EngineOf(c, &verbtest.PileKind)
		tokens := fmt.Appendf(nil, "y+%s ", strings.TrimSpace(string(c.Words)))
		switch r := e.AppendTo(c.Key, tokens, true, 0, false); r.Status {
		case verbs.Stored:
			e.Say("STORED")
			e.Tidy(c.Key, len(tokens), r.Size)
		case verbs.NotStored:
			e.Fail(e.NoRoom(c.Key, len(tokens)))
		default:
			e.Fail(r)
		}
	}),
}

// show answers with the shortest log of a pile.
var show = verbs.Verb{
	Verb: protocol.Verb{Name: "show", Read: readWords},
	Run: verbs.Coroutine(func(c *verbs.Call) {
		e := structure.EngineOf(c, &verbtest.PileKind)
		s := e.LoadOne(c.Key, structure.Listed)
		switch {
		case s.Reply.Status == verbs.Missing:
			e.Say("NOT_FOUND")
		case s.Reply.Status != verbs.Hit:
			e.Fail(s.Reply)
		case e.Read(s) == nil:
			e.Fail(structure.NotOfKind(s.Key, e.Kind))
		default:
			e.Say(string(s.Fold.AppendLog(&e.Pace, nil)))
			e.AfterRead(e.Compaction(nil, s))
		}
	}),
}

var theVerbs = verbs.NewList([]*verbs.Verb{&put, &show})

// newPile returns a world in which the pile k has more words than its head may hold, and
// the log of these words.
func newPile(t *testing.T, old bool) (w *verbtest.World, words []string) {
	w = verbtest.NewWorld(t, theVerbs)
	w.Old, w.Settings.StructureItemSize = old, 100
	for n := range 200 {
		w.Expect(fmt.Sprintf("put k w%d", n%150), "STORED") // some of them twice
		words = append(words, fmt.Sprintf("y+w%d", n%150))
	}
	slices.Sort(words)
	return w, words
}

// The engine needs only the letter and the fold of a kind: the pile continues in
// segments of its kind and keeps all words, duplicates included.
func TestPileOutgrowsItem(t *testing.T) {
	for _, old := range []bool{false, true} {
		w, words := newPile(t, old)
		got := strings.Fields(w.Send("show k"))
		if slices.Sort(got); !slices.Equal(got, words) {
			t.Errorf("%q, expected %q", got, words)
		}
		head := w.Value("k")
		parts, ok := format.PartKeys([]byte("k"), []byte(head))
		if pointers := strings.Count(head, "@"); !ok || len(parts) == 0 || strings.Count(head, ":y ") != pointers {
			t.Errorf("the head is %q", head)
		}
		if len(w.Keys()) != 1+len(parts) {
			t.Errorf("there are the items %q", w.Keys())
		}
	}
}

// If a part of a pile is evicted, the whole pile is lost.
func TestPileWithoutPart(t *testing.T) {
	w, _ := newPile(t, false)
	parts, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
	w.Evict(parts[0])
	w.Expect("show k", "NOT_FOUND")
	w.Holds("k", "none")
	if len(w.Lost) != 1 {
		t.Errorf("lost: %q", w.Lost)
	}
}

// Tokens of other kinds have no effect on a pile and are dropped with the dead ones.
func TestPileIsCompacted(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Settings.CompactDirtiness = 2
	w.Put("k", "y+a +b -c y+a x+d y+e", 0, 0)
	w.Expect("show k", "y+a y+a y+e ")
	w.Holds("k", "y+a y+a y+e ")
	w.Put("k", "+a y+a ", 0, 0)
	w.Expect("show k", "CLIENT_ERROR k does not hold a pile")
}
