package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A list that is full can be emptied by one pop at a time.
func TestFullListCanBeEmptied(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Direct, w.Limit = true, 1024
	value := func(n int) string { return fmt.Sprintf("%0200d", n) }
	n := 0
	for ; w.Send("rpush k "+value(n)) == "STORED\r\n"; n++ {
		w.Clock += 10
	}
	if answer := w.Send("lpush k another"); !strings.HasPrefix(answer, "SERVER_ERROR k is full: ") {
		t.Fatalf("with %d elements: %s", n, answer)
	}
	for i := range n {
		w.Expect("lpop k", "VALUE k 0 200", value(i), "END")
	}
	w.Expect("llen k", "0")
	w.Clock += 1000
	w.Expect("rpush k another", "STORED")
}

// A full list can be trimmed, and be pushed to then.
func TestFullListCanBeTrimmed(t *testing.T) {
	verbtest.Long(t)
	for _, trim := range []string{"-3 -1", "0 2", "1 -5", "100 -1"} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Direct, w.Limit = true, 1024
		n := 0
		for ; w.Send(fmt.Sprintf("rpush k %0200d", n)) == "STORED\r\n"; n++ {
			w.Clock += 10
		}
		w.Room = 8200_000 // for the list, but not for as many removals as well
		w.Expect("ltrim k "+trim, "STORED")
		left := map[string]int{"1 -5": n - 5, "100 -1": n - 100}[trim]
		if left == 0 {
			left = 3
		}
		w.Expect("llen k", fmt.Sprint(left))
		if left == 3 {
			w.Expect("rpush k another", "STORED")
			w.Expect("lrange k 3 3", "VALUE k 0 7", "another", "END")
		}
	}
}

// A full list that is deleted, or made anew, may be pushed to at once.
func TestFullListMadeAnew(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Direct, w.Limit = true, 1024
	for n := 0; w.Send(fmt.Sprintf("rpush k %0200d", n)) == "STORED\r\n"; n++ {
		w.Clock += 10
	}
	for range 3 {
		if answer := w.Send("rpush k another"); !strings.HasPrefix(answer, "SERVER_ERROR k is full: ") {
			t.Fatal(answer)
		}
	}
	w.Cost(1) // it looks at the length of the head
	full := string(w.Items["k"].Value)
	w.Put("k", "", 0, 0)
	w.Expect("rpush k another", "STORED")
	w.Holds("k", "l>another ")
	w.Put("k", full, 0, 0)
	for strings.HasPrefix(w.Send("rpush k another"), "STORED") {
		w.Clock += 10
	}
	delete(w.Items, "k")
	w.Expect("rpush k another", "STORED")
}

// A push that is too long for the room that is left is refused. The list is not full for that: it can
// be changed.
func TestRefusedPushDoesNotFillTheList(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Direct, w.Limit = true, 1024
	value := func(n int) string { return fmt.Sprintf("%0200d", n) }
	for n := range 400 {
		w.Expect("rpush k "+value(n), "STORED")
	}
	if answer := w.Send("rpush k" + strings.Repeat(" "+value(0), 1000)); !strings.HasPrefix(answer, "SERVER_ERROR k is full: ") {
		t.Errorf("a push that is too long is answered with %q", answer)
	}
	for n := range 12 {
		w.Expect("lrem k 1 "+value(n), "STORED")
	}
}
