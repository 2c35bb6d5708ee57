package limits

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// loop is an event loop of a proxy.
type loop struct {
	*verbtest.World
	hints  verbs.Hints
	shared verbs.Shared
	ahead  int64
}

// Now implements [verbs.Env].
func (l *loop) Now() int64 { return l.Clock + l.ahead }

// Hints implements [verbs.Env].
func (l *loop) Hints() *verbs.Hints { return &l.hints }

// Shared implements [verbs.Env].
func (l *loop) Shared() *verbs.Shared { return &l.shared }

// hammerer is a connection that asks again as soon as it has its answer.
type hammerer struct {
	*verbtest.Caller
	asked    int64 // when it asked
	answered bool
	due      int64 // when its operations are carried out
}

// Connections that ask all the time, through several loops, get nine tenths of what is allowed, and never more than
// that in any window.
func TestHammered(t *testing.T) {
	for _, test := range []struct {
		count, seconds, loops int
		ahead                 int64 // of each loop before the one before it
	}{{5, 1, 4, 0}, {100, 1, 6, 3}} {
		t.Run(fmt.Sprintf("%d in %d s through %d", test.count, test.seconds, test.loops), func(t *testing.T) {
			w := newWorld(t)
			w.Direct = true
			r := rand.New(rand.NewPCG(1, uint64(test.count)))
			loops := make([]loop, test.loops)
			for i := range loops {
				loops[i] = loop{World: w, ahead: int64(i) * test.ahead}
			}
			clients := make([]hammerer, 200)
			request := fmt.Sprintf("limit k %d %d", test.count, test.seconds)
			latency := func() int64 { return w.Clock + 5 + r.Int64N(10) }
			ask := func(h *hammerer) {
				h.asked, h.answered = w.Clock, false
				h.Start(request)
				h.due = latency()
			}
			for i := range clients {
				clients[i].Caller = verbtest.NewCaller(t, &loops[i%test.loops], theVerbs)
				ask(&clients[i])
			}
			var allowed [][2]int64 // when these were asked and answered
			length := int64(test.seconds) * 1000
			for end := w.Clock + 3*length; w.Clock < end; w.Clock++ {
				for i := range clients {
					h := &clients[i]
					if h.Waits() || h.due > w.Clock {
						continue
					}
					trip := h.Routine.Account().Trips
					for h.Busy() && h.Routine.Account().Trips == trip && !h.Waits() {
						h.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
					}
					h.due = latency()
					if h.Answered >= 0 && !h.answered {
						if h.answered = true; h.Answer[0] == '1' {
							allowed = append(allowed, [2]int64{h.asked, w.Clock})
						}
					}
					if !h.Busy() {
						ask(h)
					}
				}
			}
			took := allowed[len(allowed)-1][1] - allowed[0][1]
			share := float64(len(allowed)-test.count) * float64(length) / float64(int64(test.count)*took) // after the first were allowed
			if t.Logf("%.3f of what is allowed", share); share < 0.9 {
				t.Errorf("only %.3f of what is allowed", share)
			}
			span := length - max(test.ahead, -test.ahead)*int64(test.loops-1)
			for _, first := range allowed {
				n := 0
				for _, one := range allowed {
					if one[0] >= first[0] && one[1] <= first[0]+span {
						n++
					}
				}
				if n > test.count {
					t.Fatalf("%d were allowed in a window", n)
				}
			}
		})
	}
}
