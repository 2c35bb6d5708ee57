package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
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
		w.Memory = 8200_000 // for the list, but not for as many removals as well
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

// fullList puts a list of 1200 elements under k that has as many parts as one may have.
func fullList(w *verbtest.World) {
	id, log := strings.Repeat("A", 16), ""
	for n := range 240 * 5 {
		log += fmt.Sprintf("l>%0197d ", n)
	}
	for part := range 240 {
		w.Put(fmt.Sprintf("k:%s.%d", id, part), log[part*1000:(part+1)*1000], 0, 0)
	}
	w.Put("k", fmt.Sprintf("@%s:240:%d:l ", id, len(log)), 0, 0)
}

// A trim of a full list makes room, or says that it did not: where it is answered with STORED, a push is too, at
// once. A list that a proxy has in its cache can be trimmed with less memory than it takes to make it shorter.
func TestTrimOfAFullListMakesRoomOrSaysThatItDidNot(t *testing.T) {
	for _, test := range []struct {
		room    int
		trimmed string
		push    string
	}{
		{400_000, "SERVER_ERROR this takes ", "SERVER_ERROR k is full: there is no room for 4 bytes, and none can be made, as that takes "},
		{500_000, "STORED", "STORED"},
		{8_200_000, "STORED", "STORED"},
		{0, "STORED", "STORED"},
	} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Direct, w.Limit = true, 1024
		w.Kept = views.New(views.NewQuota(1<<30, func(int64) {}))
		fullList(w)
		w.Memory = test.room
		for n := 0; w.Send("rpush k "+strings.Repeat("x", 200)) == "STORED\r\n"; n++ { // until somebody notices
			if n == 60 {
				t.Fatalf("with %d bytes, elements are added to a full list", test.room)
			}
		}
		w.Memory = 0
		w.Send("llen k")
		w.Send("llen k")
		w.Memory = test.room
		for _, step := range [][2]string{{"ltrim k 0 5", test.trimmed}, {"rpush k a", test.push}} {
			if answer := w.Send(step[0]); !strings.HasPrefix(answer, step[1]) {
				t.Errorf("with %d bytes, %s is answered %q instead of %q", test.room, step[0], answer, step[1])
			}
		}
	}
}

// A list that no call has the memory to fold counts as full while there is still room for removals.
func TestFullListThatCanNotBeFolded(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Direct, w.Limit, w.Memory = true, 1024, 400_000
	fullList(w)
	answer := ""
	for n := 0; n < 20; n++ {
		if answer = w.Send(fmt.Sprintf("rpush k %0200d", n)); answer != "STORED\r\n" {
			break
		}
	}
	if !strings.HasPrefix(answer, "SERVER_ERROR k is full") || !strings.HasSuffix(answer, "raise --buffer-memory\r\n") {
		t.Errorf("it is answered %q", answer)
	}
	for n := range 12 {
		w.Expect(fmt.Sprintf("lrem k 1 %0197d", n), "STORED")
	}
	w.Memory, w.Clock = 0, w.Clock+1000 // it was raised
	for n := range 12 {
		w.Expect(fmt.Sprintf("lrem k 1 %0197d", 100+n), "STORED")
	}
	w.Expect("rpush k a", "STORED")
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
