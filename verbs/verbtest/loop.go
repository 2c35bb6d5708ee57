package verbtest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// loop drives r through a call, again and again, with the same replies.
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
				l.routine.Replies[n] = l.replies[i]
			}
			i++
		}
		ops = l.routine.Resume()
	}
	answer, _ := l.routine.Answer()
	return answer
}

// NewLoop returns a loop that calls verbs of a list and gives the replies, in which nothing
// is done by chance.
func NewLoop(t testing.TB, list *verbs.List, replies ...verbs.Reply) *loop {
	w := NewWorld(t, list)
	w.Settings.CompactDirtiness = 1 << 30
	w.Clock += 2000                                    // not at the turn of anything
	w.Chance = func() uint64 { return math.MaxUint64 } // no call looks at a log by chance
	l := &loop{list, verbs.NewRoutine(w), replies}
	t.Cleanup(l.routine.Close)
	return l
}

// Request returns a request that can be made again and again.
func (l *loop) Request(t testing.TB, text string) *protocol.Request {
	req, _ := Parse(t, l.list, text)
	return req
}

// TenBytes is a log of so many members of ten bytes.
func TenBytes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "+m%09d ", i)
	}
	return b.String()
}
