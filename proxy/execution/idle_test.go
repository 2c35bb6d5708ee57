package execution

import (
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/verbs"
)

// What routines keep is counted while they run again, and that is a small part of the budget,
// however many run at once.
func TestKeptWhileRunning(t *testing.T) {
	const limit, loops, verbsAtOnce, size = 64 << 20, 2, 200, 512 << 10
	x := &Executor{}
	x.idle.core = &x.core
	x.Account, x.Loops = &memory.Account{Budget: &memory.Budget{Limit: limit}}, loops
	for range verbsAtOnce {
		x.idle.keep(&Execution{executor: x, routine: verbs.NewRoutine(&x.env)})
	}
	grows := &verbs.Verb{Run: verbs.Coroutine(func(c *verbs.Call) {
		c.Buf = make([]byte, size)
		c.Say("STORED")
	})}
	for range 5 {
		running := make([]*Execution, verbsAtOnce)
		held := 0
		for i := range running {
			running[i] = x.idle.take()
			held += running[i].routine.Kept()
		}
		if held > limit/carriedShare/loops+verbsAtOnce*4*keepLittle {
			t.Errorf("running verbs hold %d bytes of earlier ones", held)
		}
		if used := x.Account.Used(); used < held {
			t.Errorf("running verbs hold %d bytes of earlier ones, and %d are counted", held, used)
		}
		for _, r := range running {
			if ops := r.routine.Start(grows, &protocol.Request{}); len(ops) > 0 {
				t.Fatalf("it asks for %d operations", len(ops))
			}
			x.idle.keep(r)
		}
		if kept := x.Kept(); kept < size || kept != x.Account.Used() {
			t.Errorf("%d bytes are kept, and %d counted", kept, x.Account.Used())
		}
	}
	x.idle.close()
	if used := x.Account.Used(); used != 0 {
		t.Errorf("%d bytes are counted when nothing is left", used)
	}
}
