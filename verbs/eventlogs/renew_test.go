package eventlogs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// An append that is carried out late, after its client was told that it is lost, gives the item too
// long a life. So the first event of the next round makes it longer still: also if that comes in the
// first second, or the item lives for most of that round.
func TestEventsAfterALateAppend(t *testing.T) {
	for _, late := range []int64{3_000, 6_000, 40_000, 60_000, 90_000} {
		for _, first := range []int64{500, 2_000} {
			onBoth(t, func(t *testing.T, w *verbtest.World) {
				w.Clock = start + 9_500
				w.Client.Start("logput l 0 0 4\r\nlate")
				for w.Client.Busy() {
					w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
						w.Clock += late
						w.Do(t, op)
						return verbs.Reply{Err: "SERVER_ERROR lost"}
					})
				}
				w.Clock = start + 100_000 + first
				putLog(w, "l", 0, "first", "STORED")
				fetchLog(w, "l", "first")
				w.Clock = start + 108_000
				putLog(w, "l", 0, "second", "STORED")
				fetchLog(w, "l", "first", "second")
				w.Clock = start + 100_000 + 97_000
				fetchLog(w, "l", "first", "second")
			})
		}
	}
}

// heldUp sends a request through another proxy, whose operations of these kinds get no answer. It returns
// the only one of them, which is still to be carried out.
func heldUp(w *verbtest.World, request string, kinds ...verbs.OpKind) (late verbs.Op) {
	w.T.Helper()
	other := newWorld(w.T)
	other.Model, other.Settings = w.Model, w.Settings
	held := 0
	other.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if !slices.Contains(kinds, op.Kind) {
			return verbs.Reply{}, false
		}
		late, held = op, held+1
		late.Key, late.Data = slices.Clone(op.Key), slices.Clone(op.Data)
		return verbs.Reply{Err: "SERVER_ERROR lost"}, true
	}
	other.Send(request)
	if held != 1 {
		w.T.Fatalf("%q: %d operations were held up", request, held)
	}
	return late
}

// An event of a past chunk has the life of its item made longer, and that is held up until the next round,
// when all event loops have looked at the item. Then it must not be made shorter.
func TestLongerLifeIsLate(t *testing.T) {
	w := newWorld(t)
	fast := verbtest.NewCaller(t, skewed{w, 1500}, theVerbs) // so its item ends too early for others
	w.Clock = start + 4_400
	fast.Start("logput l 0 0 1\r\na")
	for fast.Busy() {
		fast.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
	}
	w.Clock = start + 95_000
	late := heldUp(w, fmt.Sprintf("logput l 0 %d 3\r\nold", start+9_000), verbs.Touch, verbs.Swap)
	w.Clock = start + 102_000
	putLog(w, "l", 0, "first", "STORED")
	w.Clock = start + 103_000
	w.Do(t, late)
	w.Clock = start + 104_000
	putLog(w, "l", 0, "second", "STORED")
	for _, after := range []int64{109_500, 150_000, 197_000} {
		w.Clock = start + after
		fetchLog(w, "l", "first", "second")
	}
}

// Between the look at an item, which there is none of, and the first append of a chunk, a late one of the
// last round creates the item.
func TestLateAppendComesBetween(t *testing.T) {
	w := newWorld(t)
	w.Clock = start + 30_000
	late := heldUp(w, fmt.Sprintf("logput l 0 %d 3\r\nold", start+9_000), verbs.AppendOrCreate)
	w.Clock = start + 100_500
	between := false
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if op.Kind == verbs.AppendOrCreate && !between {
			between = true
			w.Do(t, late) // to live for 70 s more
		}
		return verbs.Reply{}, false
	}
	putLog(w, "l", 0, "first", "STORED")
	w.Instead = nil
	w.Clock = start + 109_000
	putLog(w, "l", 0, "second", "STORED")
	for _, after := range []int64{175_000, 197_000} {
		w.Clock = start + after
		fetchLog(w, "l", "first", "second")
	}
}

// In a ring of more than 30 days, the end of an item is a time rather than a number of seconds from then
// on. Trimming the item must not move it.
func TestTrimmingKeepsTheEnd(t *testing.T) {
	for n := range int64(40) {
		w := newWorld(t)
		w.Settings.LogChunk, w.Settings.LogChunks = 86_401_000, 45
		chunk := (20_025 + 45*n)
		ring := w.Settings.LogChunk * w.Settings.LogChunks
		w.Clock = chunk*w.Settings.LogChunk + 500
		w.Put("l:0", fmt.Sprintf("%d 0 5\r\nstale\r\n", w.Clock-ring), 0, overlap)
		putLog(w, "l", 0, "first", "STORED")
		item := w.Find("l:0")
		if early := (w.Clock+ring)/1000 - item.Expires; early > 0 || strings.Contains(string(item.Value), "stale") {
			t.Fatalf("the item with %q ends %d s before its round does", item.Value, early)
		}
	}
}
