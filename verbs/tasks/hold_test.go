package tasks

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Times may be counted from now.
func TestTimesFromNow(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect("taskput k a +500 7 1\r\na", "STORED")
	w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(begun+500, " 0 0"), "END")
	w.Clock += 500
	_, stamps := take(w, "tasktake k 50")
	w.Expect("taskretry k "+stamps[0]+" +60000", "STORED")
	w.Expect("tasklist k", "VALUE a 0 17", fmt.Sprint(begun+60_500, " 1 0"), "END")
}

// A taskkeep that is carried out late, after it was repeated, does not make the hold shorter.
func TestLateKeep(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		var late []verbs.Op
		w.Client.Start("taskkeep k " + stamps[0] + " 40")
		for w.Client.Busy() {
			w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
				if !op.Appends() {
					return w.Do(t, op)
				}
				op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
				late = append(late, op)
				return verbs.Reply{Err: "SERVER_ERROR lost"}
			})
		}
		w.Clock += 5_000
		w.Expect("taskkeep k "+stamps[0]+" 40", "STORED")
		w.Do(t, late[0])
		w.Clock += 40_000 - 1
		w.Expect("tasktake k 30", "END")
		w.Clock++
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("after the hold %q were taken", ids)
		}
	})
}

// A taskkeep of a negative time gives the task back: it is due at once, and its stamp is good until it is
// taken again.
func TestKeepGivesBack(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		w.Expect("tasktake k 30", "END")
		w.Expect("taskkeep k "+stamps[0]+" -1", "STORED")
		w.Expect("taskkeep k "+stamps[0]+" 30", "STORED")
		w.Expect("tasktake k 30", "END")
		w.Expect("taskkeep k "+stamps[0]+" -2591001", "STORED")
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("%q were taken", ids)
		}
		w.Expect("taskkeep k "+stamps[0]+" -1", "EXISTS")
	})
}

// A hold can't be made shorter, except by giving the task back.
func TestKeepForLess(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect(put("job", 0), "STORED")
		_, stamps := take(w, "tasktake k 30")
		w.Expect("taskkeep k "+stamps[0]+" 10", "STORED")
		w.Clock += 29_000
		w.Expect("tasktake k 30", "END")
		w.Expect("taskretry k "+stamps[0]+" 0", "STORED")
		if ids, _ := take(w, "tasktake k 30"); len(ids) != 1 {
			t.Errorf("%q were taken", ids)
		}
	})
}
