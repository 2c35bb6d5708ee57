package catalog

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The calls of one event loop that decide on a structure do so together, see package structure. One that asks for a
// structure of another kind under the same key is not decided with them: it is refused, and they get what they would
// without it.
func TestCallsForOtherKindsDecideApart(t *testing.T) {
	kinds := []struct{ fill, call string }{
		{"rpush k a b c d", "lpop k"},
		{"zadd k 1 a 2 b 3 c 4 d", "zpopmin k"},
		{"sadd k a b c d", "saddnew k e"},
		{"taskadd k a 0 0 1\r\na", "taskadd k b 0 0 1\r\nb"},
	}
	for _, own := range kinds {
		for _, other := range kinds {
			if own == other {
				continue
			}
			calls := []string{own.call, own.call, other.call, own.call}
			alone, together := verbtest.NewWorld(t, list), verbtest.NewWorld(t, list)
			var callers []*verbtest.Caller
			alone.Send(own.fill)
			together.Send(own.fill)
			for _, call := range calls {
				c := verbtest.NewCaller(t, together, list)
				c.Start(call)
				callers = append(callers, c)
			}
			for busy := true; busy; {
				busy = false
				for _, c := range callers {
					if busy = busy || c.Busy(); c.Busy() && !c.Waits() {
						c.CarryOut(0, func(op verbs.Op) verbs.Reply { return together.Do(t, op) })
					}
				}
			}
			for i, call := range calls {
				if want := alone.Send(call); callers[i].Answer != want {
					t.Errorf("%q after %q, together with %q: %q, alone %q", call, own.fill, calls, callers[i].Answer, want)
				}
			}
		}
	}
}
