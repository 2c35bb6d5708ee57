package sets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A structure that would be too large to read is refused.
func TestFullStructure(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct = true
	long := strings.Repeat("x", 240)
	tokens := func(sign string, n int) string {
		var b strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&b, "%s%s%06d ", sign, long, n*30_000+i)
		}
		return b.String()
	}
	add := func(n int) string { return "sadd k " + tokens("", n) }
	head := ""
	for n := range 4 {
		id := strings.Repeat(string(rune('A'+n)), 16)
		segment := tokens("+", n)
		head += fmt.Sprintf("@%s:10:%d ", id, len(segment))
		for part := range 10 {
			w.Put(fmt.Sprintf("k:%s.%d", id, part), segment[part*len(segment)/10:(part+1)*len(segment)/10], 0, 0)
		}
	}
	w.Put("k", head, 0, 0)
	w.Expect(add(4), "SERVER_ERROR k is full: there is no room for 37200000 bytes; remove some of it, or spread it over several keys")
	if len(w.Full) != 1 || w.Full[0] != "k" {
		t.Errorf("full: %q", w.Full)
	}
	w.Expect("scard k", "120000")
	w.Expect("srem"+strings.TrimPrefix(add(1), "sadd"), "STORED")
	w.Expect("scard k", "90000")
	w.Expect(add(4), "STORED")
	w.Expect("scard k", "120000")
	w.Expect("sadd k a", "STORED")
	w.Expect("smembers k k", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
	intact(w, "k")
}

// A set that is full can be made smaller by one member at a time, and then has room again.
func TestFullSetCanBeMadeSmaller(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Direct, w.Limit = true, 1024
		member := func(n int) string { return fmt.Sprintf("%06d%s", n, strings.Repeat("x", 94)) }
		n := 0
		for w.Send("sadd k "+member(n)) == "STORED\r\n" {
			w.Clock += 10
			n++
		}
		for range 20 { // however often it is tried
			w.Clock += 700
			if answer := w.Send("sadd k another"); !strings.HasPrefix(answer, "SERVER_ERROR k is full: there is no room for ") {
				t.Fatalf("with %d members: %s", n, answer)
			}
		}
		w.Expect("scard k", fmt.Sprint(n))
		for i := range n {
			w.Clock += 10
			w.Expect("srem k "+member(i), "STORED")
		}
		w.Expect("scard k", "0")
		w.Clock += 1000
		w.Expect("sadd k a", "STORED")
		w.Expect("smembers k", "VALUE k 0 1", "a", "END")
		intact(w, "k")
	})
}

// What is refused as there is no room for it does not keep others from being added, and a full set is
// looked at rather than settled in vain: at the length of its head, and once a second at the head itself.
func TestFullSetIsNotSettledInVain(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct, w.Limit = true, 1024
	member := func(n int) string { return fmt.Sprintf("%06d%s", n, strings.Repeat("x", 94)) }
	w.Expect("sadd k "+verbtest.Names(100, "m", " "), "STORED")
	if answer := w.Send("sadd k " + verbtest.Names(30_000, "many-", " ")); !strings.HasPrefix(answer, "SERVER_ERROR k is full") {
		t.Fatal(answer)
	}
	w.Expect("sadd k a", "STORED")
	for n := 0; w.Send("sadd k "+member(n)) == "STORED\r\n"; n++ {
		w.Clock += 10
	}
	for range 2 {
		w.Send("sadd k another")
		w.Cost(1)
		w.Clock += 1000
	}
	w.Evict("k")
	w.Expect("sadd k another", "STORED")
}

// The number of parts stays readable even if the upstream allows only small items.
func TestFullOfSmallParts(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Limit = 512
	w.Expect("sadd k "+verbtest.Names(30_000, "", " "), "SERVER_ERROR k is full: there is no room for 228890 bytes; remove some of it, or spread it over several keys")
	w.Holds("k", "none")
	w.Expect("sadd k "+verbtest.Names(15_000, "", " "), "STORED")
	w.Expect("scard k", "15000")
	w.Expect("sadd k "+verbtest.Names(15_000, "n", " "), "SERVER_ERROR k is full: there is no room for 232780 bytes; remove some of it, or spread it over several keys")
	w.Expect("scard k", "15000")
	intact(w, "k")
}

// A set most of which is superfluous is folded as a whole before it is taken to be full: here, a third
// of the members were added twice.
func TestRepeatedMembersDoNotFillASet(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	w.Direct = true
	long := strings.Repeat("x", 240)
	head := ""
	for n, from := range []int{0, 1, 2, 0} {
		var b strings.Builder
		for i := range 32_000 {
			fmt.Fprintf(&b, "+%s%06d ", long, from*32_000+i)
		}
		id, segment := strings.Repeat(string(rune('A'+n)), 16), b.String()
		head += fmt.Sprintf("@%s:20:%d ", id, len(segment))
		for part := range 20 {
			w.Put(fmt.Sprintf("k:%s.%d", id, part), segment[part*len(segment)/20:(part+1)*len(segment)/20], 0, 0)
		}
	}
	w.Put("k", head, 0, 0)
	for i := range 1000 {
		if w.Expect(fmt.Sprintf("sadd k %s-%06d", long, i), "STORED"); t.Failed() {
			t.Fatalf("after %d members", i)
		}
	}
	w.Expect("scard k", fmt.Sprint(3*32_000+1000))
	intact(w, "k")
}

// A set that no call has the memory to fold counts as full while there is still room for removals. Before
// that it was added to until its head was too long for these, too.
func TestFullSetThatCanNotBeFolded(t *testing.T) {
	w := newWorld(t)
	w.Direct, w.Limit, w.Memory = true, 1024, 400_000
	id, log := strings.Repeat("A", 16), ""
	for n := range 240 * 10 {
		log += fmt.Sprintf("+%098d ", n)
	}
	for part := range 240 {
		w.Put(fmt.Sprintf("k:%s.%d", id, part), log[part*1000:(part+1)*1000], 0, 0)
	}
	w.Put("k", fmt.Sprintf("@%s:240:%d ", id, len(log)), 0, 0)
	added, answer := 0, ""
	for ; added < 40; added++ {
		if answer = w.Send(fmt.Sprintf("sadd k new-%0100d", added)); answer != "STORED\r\n" {
			break
		}
	}
	if !strings.HasPrefix(answer, "SERVER_ERROR k is full") || !strings.HasSuffix(answer, "raise --buffer-memory\r\n") {
		t.Errorf("after %d members, it is answered %q", added, answer)
	}
	for n := range 40 {
		w.Expect(fmt.Sprintf("srem k %098d", n), "STORED")
	}
	w.Memory = 0 // it was raised
	w.Expect("scompact k", "OK")
	w.Expect("sadd k a", "STORED")
	w.Expect("scard k", fmt.Sprint(240*10+added-40+1))
}
