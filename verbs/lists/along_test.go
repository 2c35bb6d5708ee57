package lists

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
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
