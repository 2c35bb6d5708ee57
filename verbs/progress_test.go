package verbs

import (
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// Every way in which a call may go on leads where the diagram says.
func TestProgress(t *testing.T) {
	probe := Op{Kind: Probe, Key: []byte("k")}
	var then func(*Call, []Reply) Step
	steps := map[string]func(*Call) Step{
		"ends":         func(c *Call) (end Step) { c.Say("OK"); return end },
		"asks":         func(c *Call) Step { return c.Asks(then, probe) },
		"waits":        func(c *Call) Step { return c.Asks(then, Op{Kind: Wait}) },
		"panics":       func(*Call) Step { panic("a defect") },
		"goes on":      Coroutine(func(c *Call) { c.Ask(probe); c.Say("OK") }),
		"goes, ends":   Coroutine(func(c *Call) { c.Say("OK") }),
		"goes, panics": Coroutine(func(*Call) { panic("a defect") }),
	}
	leads := map[string]progress{"asks": asking, "waits": asking, "goes on": switched} // all others end
	for first, run := range steps {
		for second, next := range steps {
			then = func(c *Call, _ []Reply) Step { return next(c) }
			r := NewRoutine(nil)
			ops := r.Start(&Verb{Run: run}, &protocol.Request{})
			expectProgress(t, r, ops, first, leads[first])
			if r.progress == asking {
				expectProgress(t, r, r.Resume(), first+", "+second, leads[second])
			}
			if r.progress == switched {
				expectProgress(t, r, r.Resume(), first+", "+second+", returns", ended)
			}
			r.Close()
			if _, again := r.Answer(); again {
				t.Errorf("%s, %s: answered twice", first, second)
			}
		}
	}
}

// expectProgress checks how far a call has come that asks for ops after what was done.
func expectProgress(t *testing.T, r *Routine, ops []Op, done string, want progress) {
	t.Helper()
	if r.progress != want || len(ops) > 0 != (want != ended) || len(r.Replies) != len(ops) {
		t.Errorf("%s: progress %d, expected %d; %d operations and %d replies", done, r.progress, want, len(ops), len(r.Replies))
	}
	if _, answered := r.Answer(); answered != (want == ended) {
		t.Errorf("%s: answered: %v", done, answered)
	}
	if want == ended && (r.step.Go != nil || r.step.Then != nil) {
		t.Errorf("%s: a step remains", done)
	}
}
