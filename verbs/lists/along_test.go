package lists

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// pushing is a world in which an append waits until a call takes it along.
type pushing struct {
	*verbtest.World
	waiting string // its tokens
	told    verbs.Reply
}

// TakeAlong implements [structure.Env].
func (p *pushing) TakeAlong(_, _ []byte, _ int) []byte {
	tokens := p.waiting
	p.waiting = ""
	return []byte(tokens)
}

// TookAlong implements [structure.Env].
func (p *pushing) TookAlong(_, _ []byte, outcome verbs.Reply) { p.told = outcome }

// A pop that takes a push along decides on the list as it is after the push.
func TestPopSeesThePushThatItTakesAlong(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	p := &pushing{World: w}
	w.Expect("rpush k x", "STORED")
	push := w.Value("k")
	w.Evict("k")
	w.Expect("rpush k a b c", "STORED")
	w.Expect("llen k", "3")
	first, second := verbtest.NewCaller(t, p, theVerbs), verbtest.NewCaller(t, p, theVerbs)
	first.Start("lpop k")
	second.Start("rpop k") // which leads after the first
	p.waiting = push
	for _, c := range []*verbtest.Caller{first, second} {
		for c.Busy() {
			c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		}
	}
	if first.Answer != "VALUE k 0 1\r\na\r\nEND\r\n" || second.Answer != "VALUE k 0 1\r\nx\r\nEND\r\n" || p.told.Status != verbs.Stored {
		t.Errorf("the pops answer %q and %q, and the push is told %v", first.Answer, second.Answer, p.told.Status)
	}
	w.Expect("lrange k 0 -1", "VALUE k 0 3", "b c", "END")
	w.Expect("llen k", "2")
}

// pushOf returns the append of a push of one element, an x.
func pushOf(w *verbtest.World) verbs.Op {
	w.Expect("rpush other x", "STORED")
	return verbs.Op{Kind: verbs.AppendOrCreate, Key: []byte("k"), Data: []byte(w.Value("other"))}
}

// While a loop pops elements, a push leads as a pop does: the pops that follow wait for it, and neither lose a race nor read
// the list. After others have changed the list, it does not lead.
func TestPushesLeadBetweenPops(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	push := pushOf(w)
	w.Expect("rpush k a b c d", "STORED")
	w.Expect("llen k", "4")
	plain := push
	if led := structure.LeadAppend(w, &plain, false); led.Leads() {
		t.Fatal("it leads though nothing was popped")
	}
	w.Expect("lpop k", "VALUE k 0 1", "a", "END")

	reads := 0
	carryOut := func(op verbs.Op) verbs.Reply {
		if op.Kind == verbs.Fetch {
			reads++
		}
		return w.Do(t, op)
	}
	first := push
	led := structure.LeadAppend(w, &first, false)
	if !led.Leads() || first.Kind != verbs.AppendIf {
		t.Fatalf("it does not lead after a pop: %v, operation %d", led.Leads(), first.Kind)
	}
	second := push
	if another := structure.LeadAppend(w, &second, false); another.Leads() {
		t.Error("two lead at the same time")
	}
	pop := verbtest.NewCaller(t, w, theVerbs)
	if pop.Start("rpop k"); !pop.Waits() {
		t.Fatal("a pop does not wait for it")
	}
	led.Took(w, &first, carryOut(first))
	for pop.Busy() && !pop.Waits() {
		pop.CarryOut(0, carryOut)
	}
	if pop.Answer != "VALUE k 0 1\r\nx\r\nEND\r\n" || reads > 0 {
		t.Errorf("the pop answers %q after %d reads", pop.Answer, reads)
	}

	third := push
	led = structure.LeadAppend(w, &third, false)
	w.Do(t, verbs.Op{Kind: verbs.Append, Key: []byte("k"), Data: push.Data})
	r := w.Do(t, third)
	if led.Took(w, &third, r); r.Status != verbs.Exists {
		t.Fatalf("it has outcome %d though another has appended", r.Status)
	}
	if led = structure.LeadAppend(w, &second, false); led.Leads() {
		t.Error("it leads although the list is not known")
	}
	w.Expect("lrange k 0 -1", "VALUE k 0 7", "b c d x", "END")
}
