package lists

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Data comes back as it was put, with its flags, in the order of the list, beside words.
func TestElementsWithData(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("rput k 7 5\r\nhello", "STORED")
		w.Expect("lput k 4294967295 0\r\n", "STORED")
		w.Expect("rpush k word", "STORED")
		w.Expect("rput k 0 14\r\n ~; \r\nEND\r\n\x00+x", "STORED")
		w.Expect("llen k", "4")
		w.Expect("lrange k",
			"VALUE k 4294967295 0 0", "",
			"VALUE k 7 5 1", "hello",
			"VALUE k 0 4 2", "word",
			"VALUE k 0 14 3", " ~; \r\nEND\r\n\x00+x", "END")
		w.Expect("lrange k 1 1", "VALUE k 7 5 1", "hello", "END")
		w.Expect("lrange k 2 2", "VALUE k 0 4", "word", "END")
		w.Expect("lrange k 9 9", "VALUE k 0 0", "", "END")
		w.Expect("lpop k", "VALUE k 4294967295 0 0", "", "END")
		w.Expect("rpop k 2", "VALUE k 0 14 0", " ~; \r\nEND\r\n\x00+x", "VALUE k 0 4 1", "word", "END")
		w.Expect("lpop k 5", "VALUE k 7 5 0", "hello", "END")
		w.Expect("lpop k", "VALUE k 0 0", "", "END")
	})
}

// A value of lrem is a word, even if it is the data or the id of an element.
func TestOnlyWordsAreRemovedByValue(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", "l+>element-0001.0.a l>a l>element-0001 l+>element-0002.0.a ", 0, 0)
		for _, count := range []string{"0", "1", "-1"} {
			w.Expect("lrem k "+count+" a", "STORED")
			w.Expect("lrem k "+count+" element-0001", "STORED")
		}
		w.Expect("lrange k", "VALUE k 0 1 0", "a", "VALUE k 0 1 1", "a", "END")
		w.Expect("ltrim k 1 1", "STORED")
		w.Expect("lrange k", "VALUE k 0 1 0", "a", "END")
	})
}

// The same data may be there several times, and each is removed by itself.
func TestEqualDataIsNotTheSameElement(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for range 3 {
			w.Expect("rput k 1 1\r\na", "STORED")
		}
		w.Expect("rpop k", "VALUE k 1 1 0", "a", "END")
		w.Expect("llen k", "2")
	})
}

// Any bytes come back, and none of those that are written could end a word.
func TestEscapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		data := make([]byte, n%300)
		for i := range data {
			data[i] = byte(r.Uint32() >> (r.IntN(3) * 3))
		}
		text := appendEscaped([]byte("x"), data)[1:]
		if len(text) > 2*len(data) || !isData(append([]byte("element-0001.0."), text...)) {
			t.Fatalf("%q is written as %q", data, text)
		}
		if len(text) > 0 && !plain(text) {
			t.Fatalf("%q is written as %q, which is no word", data, text)
		}
		if got := appendUnescaped(nil, text); !bytes.Equal(got, data) || unescapedSize(text) != len(data) {
			t.Fatalf("%q comes back as %q, with %d bytes", data, got, unescapedSize(text))
		}
	}
}

// plain reports whether text has no white space, control characters and semicolons.
func plain(text []byte) bool {
	_, plain := protocol.CountPlainWords(text, len(text))
	return plain && !bytes.ContainsAny(text, " ;")
}

// Data that nobody has escaped so is read as something all the same, and as much as its size says.
func TestSenselessEscapes(t *testing.T) {
	for text, want := range map[string]string{"~": "", "a~": "a", "~~": "", "a~~`b": "a b", "~J~": "\n", "~~~>": "~"} {
		if got := appendUnescaped([]byte("x"), []byte(text)); string(got) != "x"+want {
			t.Errorf("%q comes back as %q, want %q", text, got[1:], want)
		}
		if size := unescapedSize([]byte(text)); size != len(want) {
			t.Errorf("%q is said to have %d bytes, want %d", text, size, len(want))
		}
	}
}

// A log is split at white space, wherever its bytes are, and nowhere else.
func TestWherePrintableTextEnds(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := bytes.Repeat([]byte("x\xff~\xa0"), 5)
			text[at] = byte(c)
			want := len(text)
			if c <= ' ' {
				want = at
			}
			if got := printable(text); got != want {
				t.Fatalf("of %q, %d bytes are printable, want %d", text, got, want)
			}
		}
	}
}

// A version without elements with data takes a token about one for none, so it refuses the list as a whole, while those
// of other kinds have no effect there, as always.
func TestOlderVersionsRefuseData(t *testing.T) {
	var log []byte
	log = appendData(log, pushRight, verbtest.NewWorld(t, theVerbs), 7, []byte("a b"))
	log = appendData(log, pushLeft, verbtest.NewWorld(t, theVerbs), 7, nil)
	e := element{[]byte("element-0001.7.a"), true}
	log = appendElement(appendRemoval(log, removeFirst, e), signValue, e)
	for token := range format.Words(log) {
		if isToken(token) || format.Foreign(token, letter) || format.LetterOf(token) != letter {
			t.Errorf("%q is not refused by those who know only words", token)
		}
		for _, other := range []byte{0, 'z', 'h'} {
			if !format.Foreign(token, other) {
				t.Errorf("%q is not foreign to kind %q", token, other)
			}
		}
	}
}

// An element has up to a quarter of an item's data. What is longer is refused, and is not there.
func TestLargeData(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const longest = 128 << 10 / dataShare
		w.Settings.StructureItemSize = 128 << 10
		for _, c := range []string{"a", " "} {
			data := strings.Repeat(c, longest)
			w.Expect(fmt.Sprintf("rput k 1 %d\r\n%s", longest, data), "STORED")
			w.Expect("lpop k", fmt.Sprintf("VALUE k 1 %d 0", longest), data, "END")
			w.Expect(fmt.Sprintf("lput k 1 %d\r\n%s", longest+1, data+c), errTooLarge)
			w.Expect("llen k", "0")
		}
		for range 20 {
			w.Expect(fmt.Sprintf("rput k 1 %d\r\n%s", longest, strings.Repeat("\n", longest)), "STORED")
		}
		w.Expect("llen k", "20")
		if keys, _ := format.PartKeys([]byte("k"), []byte(w.Value("k"))); len(keys) == 0 {
			t.Error("the list is a single item")
		}
	})
}

// At once, so many elements are popped at most that their lines take little memory, by a decision and by an order.
func TestPopsOfManyElementsWithData(t *testing.T) {
	for _, lost := range []bool{false, true} {
		w := verbtest.NewWorld(t, theVerbs)
		var log []byte
		for n := range mostWithData + 5 {
			log = fmt.Appendf(log, "l+>%012d.1. ", n)
		}
		w.Put("k", string(log), 0, 0)
		if lost {
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				return verbs.Reply{Status: verbs.Exists}, op.Kind == verbs.AppendIf
			}
		}
		answer := w.Send("lpop k 5000")
		if n := strings.Count(answer, "VALUE "); n != mostWithData || !strings.HasSuffix(answer, fmt.Sprintf("VALUE k 1 0 %d\r\n\r\nEND\r\n", mostWithData-1)) {
			t.Errorf("%d elements are popped by an order: %v", n, lost)
		}
		w.Instead = nil
		w.Expect("llen k", "5")
	}
}

// An answer whose lines take more than the log waits for the memory.
func TestRangeOfManySmallElements(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	key := strings.Repeat("k", 200)
	var log []byte
	for n := range 5000 {
		log = fmt.Appendf(log, "l+>%012d.1. ", n)
	}
	w.Put(key, string(log), 0, 0)
	w.Memory = 1 << 20
	if answer := w.Send("lrange " + key); !strings.HasPrefix(answer, "SERVER_ERROR this takes ") {
		t.Errorf("with little memory: %.100q", answer)
	}
	w.Memory = 10 << 20
	if answer := w.Send("lrange " + key); strings.Count(answer, "VALUE ") != 5000 {
		t.Errorf("with enough memory: %.100q", answer)
	}
}

// A queue of data never grows, and what was popped by a removal that names the element is written once.
func TestQueueOfDataStaysShort(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 8_000
		const held = 20
		longest, items := 0, 0
		data := strings.Repeat("some text; ", 27)
		for n := range 2_000 {
			w.Expect(fmt.Sprintf("rput k 1 %d\r\n%s", len(data), data), "STORED")
			if n >= held {
				w.Expect("lpop k", fmt.Sprintf("VALUE k 1 %d 0", len(data)), data, "END")
			}
			longest, items = max(longest, len(w.Value("k"))), max(items, len(w.Keys()))
		}
		w.Expect("llen k", fmt.Sprint(held))
		if longest > 10_000 || items > 6 {
			t.Errorf("its head had up to %d bytes, and there were up to %d items", longest, items)
		}
	})
}

// A push of data allocates nothing.
func TestPutAllocatesNothing(t *testing.T) {
	l := verbtest.NewLoop(t, theVerbs, verbs.Reply{Status: verbs.Stored})
	req := l.Request(t, "rput k 7 300\r\n"+strings.Repeat("a ;", 100))
	if answer := string(l.Call(req)); answer != "STORED\r\n" {
		t.Fatalf("answered %q", answer)
	}
	if n := testing.AllocsPerRun(100, func() { l.Call(req) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// What clients get that carry the verb in a get: the data of one element, or one list of several.
func TestListedAnswers(t *testing.T) {
	for _, viewed := range []bool{false, true} {
		w := verbtest.NewWorld(t, theVerbs)
		if viewed {
			w.Kept = views.Eager([]byte("k"))
		}
		w.Put("k", "l>a l>b l+>element-0001.7.c~`d l>e l+>element-0002.8. ", 0, 0)
		w.Send("llen k")
		for _, test := range [][2]string{
			{"lrange k 0 1", "VALUE k 0 3\r\na b\r\nEND\r\n"},
			{"lrange k 1 3", "VALUE\r\n1 0 1\nb\n2 7 3\nc d\n3 0 1\ne\nEND\r\n"},
			{"lrange k 2 2", "VALUE k 7 3 2\r\nc d\r\nEND\r\n"},
			{"lrange k -1 -1", "VALUE k 8 0 4\r\n\r\nEND\r\n"},
			{"lpop k 2", "VALUE k 0 3\r\na b\r\nEND\r\n"},
			{"lpop k 1", "VALUE k 7 3 0\r\nc d\r\nEND\r\n"},
			{"rpop k 9", "VALUE\r\n0 8 0\n\n1 0 1\ne\nEND\r\n"},
			{"rpop k", "VALUE k 0 0\r\n\r\nEND\r\n"},
		} {
			if answer := sendListed(w, test[0]); answer != test[1] {
				t.Errorf("%s is answered %q, expected %q", test[0], answer, test[1])
			}
		}
	}
}

// sendListed sends a request as if a get carried it, and returns the answer.
func sendListed(w *verbtest.World, request string) string {
	req, _ := verbtest.Parse(w.T, theVerbs, request)
	req.Listed = true
	routine := w.Client.Routine
	for ops := routine.Start(theVerbs.Of(req), req); len(ops) > 0; ops = routine.Resume() {
		for i := range ops {
			routine.Replies[i] = w.Do(w.T, ops[i])
		}
	}
	answer, _ := routine.Answer()
	return string(answer)
}
