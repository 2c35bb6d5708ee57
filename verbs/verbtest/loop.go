package verbtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// loop makes the same call repeatedly, with the same replies.
type loop struct {
	list    *verbs.List
	routine *verbs.Routine
	replies []verbs.Reply
}

// Call makes one call and returns the answer.
func (l *loop) Call(req *protocol.Request) []byte {
	ops := l.routine.Start(l.list.Of(req), req)
	for i := 0; len(ops) > 0; {
		if ops[0].Local() {
			if ops[0].Do != nil {
				ops[0].Do()
			}
			l.routine.Replies[0] = verbs.Reply{Status: verbs.Stored}
		} else {
			for n := range ops {
				if l.routine.Replies[n] = l.replies[i]; n > 0 && ops[n].Kind == verbs.Probe { // of what was stored
					l.routine.Replies[n] = verbs.Reply{Status: verbs.Hit, TTL: -1}
				}
			}
			i++
		}
		ops = l.routine.Resume()
	}
	answer, _ := l.routine.Answer()
	return answer
}

// NewLoop returns a loop that calls verbs of list with the given replies. Nothing in it
// depends on chance.
func NewLoop(t testing.TB, list *verbs.List, replies ...verbs.Reply) *loop {
	w := NewWorld(t, list)
	w.Settings.CompactDirtiness = 1 << 30
	w.Clock += 2000                                    // not at the start of a chunk
	w.Chance = func() uint64 { return math.MaxUint64 } // no call tidies up by chance
	l := &loop{list, verbs.NewRoutine(w), replies}
	t.Cleanup(l.routine.Close)
	return l
}

// Request returns a request for repeated calls.
func (l *loop) Request(t testing.TB, text string) *protocol.Request {
	req, _ := Parse(t, l.list, text)
	return req
}

// TenBytes returns a log that adds n members of ten bytes.
func TenBytes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "+m%09d ", i)
	}
	return b.String()
}
