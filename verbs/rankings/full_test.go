package rankings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Each member of a full ranking can be removed, whether increments are answered or not.
func TestFullRankingCanBeEmptied(t *testing.T) {
	verbtest.Long(t)
	for _, add := range []string{"zincrby", "zadd"} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Direct, w.Limit = true, 1024
		member := func(n int) string { return fmt.Sprintf("%0200d", n) }
		n := 0
		for !strings.HasPrefix(w.Send(fmt.Sprintf("%s k 1 %s", add, member(n))), "SERVER_ERROR k is full: ") {
			if w.Clock += 10; n > 10_000 {
				t.Fatalf("%s: the ranking is never full", add)
			}
			n++
		}
		for i := range n {
			w.Expect("zrem k "+member(i), "STORED")
		}
		w.Expect("zcard k", "0")
		w.Clock += 1000
		w.Send(add + " k 1 another")
		w.Expect("zcard k", "1")
	}
}

// A full ranking can be trimmed and popped from, and then takes members again, whichever end it keeps and however many
// members: the removals of most of them would be as long as the ranking.
func TestFullRankingCanBeTrimmed(t *testing.T) {
	full := verbtest.NewWorld(t, theVerbs)
	full.Direct, full.Limit = true, 1024
	n := 0
	for ; !strings.HasPrefix(full.Send(fmt.Sprintf("zadd k %d %0200d", n, n)), "SERVER_ERROR k is full: "); n++ {
		full.Clock += 10
	}
	for _, test := range []struct {
		request, answer string
		left            string // members
	}{
		{"ztrim k 3", "STORED", "3"},
		{"ztrim k -1", "STORED", "1"},
		{"ztrim k 0", "STORED", "0"},
		{"zpopmin k 100000", "VALUE ", ""},
		{"zpopmax k 17", "VALUE ", ""},
	} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Direct, w.Limit = true, 1024
		for key, item := range full.Items {
			w.Put(key, string(item.Value), 0, 0)
		}
		if answer := w.Send(test.request); !strings.HasPrefix(answer, test.answer) {
			t.Errorf("%s of a full ranking: %.100q", test.request, answer)
		}
		if left := w.Send("zcard k"); test.left != "" && left != test.left+"\r\n" {
			t.Errorf("%s: %q are left of %d", test.request, left, n)
		}
		w.Clock += 1000
		w.Expect(fmt.Sprintf("zadd k %d new", n), "STORED")
		w.Expect("zget k new", fmt.Sprint(n))
	}
}

// To make a full ranking shorter takes no more memory than to fold it and to write what is left.
func TestFullRankingIsMadeShorterInLittleMemory(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Direct, w.Limit, w.Memory = true, 1024, 400_000
	id, log := strings.Repeat("A", 16), ""
	for n := range 603 {
		log += fmt.Sprintf("z=1:%0195d z-%0195d ", n, n)
	}
	for part := range 240 {
		w.Put(fmt.Sprintf("k:%s.%d", id, part), log[part*len(log)/240:(part+1)*len(log)/240], 0, 0)
	}
	w.Put("k", fmt.Sprintf("@%s:240:%d:z ", id, len(log)), 0, 0)
	for n := range 60 {
		w.Expect(fmt.Sprintf("zadd k 1 new%0100d", n), "STORED")
	}
	if parts := strings.Count(string(w.Items["k"].Value), ":240:"); parts > 0 {
		t.Error("the log is as long as before")
	}
}
