package lists

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// What an order has removed is remembered until its caller has it, whatever the clock of its proxy says:
// another one, whose clock is right, folds the list before.
func TestOrderOfWrongClock(t *testing.T) {
	const anHour = 3_600_000
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, w.Ahead = range []int64{anHour, -anHour, 0} {
			w.Put("k", "l>a l>b ", 0, 0)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				switch op.Kind {
				case verbs.AppendIf:
					return verbs.Reply{Status: verbs.Exists}, true
				case verbs.Append, verbs.AppendSized:
					r := w.Do(t, op)
					var list List
					list.Read(nil, []byte(w.Value("k")), w.Clock)
					w.Put("k", string(list.AppendLog(nil, nil)), 0, 0)
					return r, true
				}
				return verbs.Reply{}, false
			}
			w.Expect("lpop k", "VALUE k 0 1", "a", "END")
			w.Instead = nil
			w.Expect("lrange k", "VALUE k 0 1", "b", "END")
		}
	})
}
