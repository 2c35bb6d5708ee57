package structures

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// maxActions bounds a history, as a kind's other limits do, so that the checker, whose work may
// double with every change that is open for ever, comes to an end. A key that has had its share
// is left alone and another takes its place.
const maxActions = 300

// history is what was asked of one key, and answered.
type history struct {
	kind      *kind
	key       string
	language  language
	start     time.Time
	forgetful bool // something may have been evicted at any time

	mu         sync.Mutex
	operations []porcupine.Operation // with a Return of 0 as long as there is no answer
	underWay   int
	changing   int // of those under way, the changes
	unanswered int // changes
	ended      bool
}

func newHistory(k *kind, key string, c *crowd, l language) *history {
	return &history{kind: k, key: key, language: l, start: c.start, forgetful: c.forgetful}
}

// call enters that client asks for an action, and returns what it is to ask: to
// read where there are enough changes already. If the history has had its
// share n is negative, and idle tells whether nothing is under way any more.
func (h *history) call(client int, a action) (n int, ask action, idle bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.operations) >= maxActions || h.unanswered >= h.most(h.kind.unanswered) {
		h.ended = true
		return -1, a, h.underWay == 0
	}
	if h.unanswered+h.changing >= h.most(h.kind.open) {
		a = action{verb: h.kind.verb(h.kind.look)}
	}
	return h.enter(client, a), a, false
}

// most returns how many changes there may be of which a kind allows n: fewer if something may
// be evicted as well.
func (h *history) most(n int) int {
	if h.forgetful {
		return (n + 1) / 2
	}
	return n
}

func (h *history) enter(client int, a action) (n int) {
	a.of = h.language
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: client, Input: a, Output: unanswered, Call: int64(time.Since(h.start)),
	})
	h.underWay++
	if !a.verb.reads {
		h.changing++
	}
	return len(h.operations) - 1
}

// answer enters the answer to the n-th action. It reports whether that was the
// last of the history.
func (h *history) answer(n int, answer string) (last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o := &h.operations[n]
	changes := !o.Input.(action).verb.reads
	if answer != unanswered {
		o.Output, o.Return = answer, int64(time.Since(h.start))
	} else if changes {
		h.unanswered++
	}
	if h.underWay--; changes {
		h.changing--
	}
	return h.ended && h.underWay == 0
}

// last enters a last action, of a history that has ended.
func (h *history) last(client int, a action) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.enter(client, a)
}

// vanishes enters that everything may be lost from now on.
func (h *history) vanishes() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.enter(0, action{verb: vanish})
	h.underWay--
	h.changing--
}

// toCheck returns the history as the checker takes it: without reads that were
// not answered, which say nothing, and with everything else that was not
// going on for ever.
func (h *history) toCheck() (list []porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	end, others := int64(0), 0
	for _, o := range h.operations {
		end, others = max(end, o.Call+1, o.Return+1), max(others, o.ClientId+1)
	}
	for _, o := range h.operations {
		a := o.Input.(action)
		a.call, a.back = o.Call, o.Return
		if o.Return == 0 {
			if a.verb.reads {
				continue
			}
			a.back = math.MaxInt64
			o.Return, o.ClientId = end, others // a client of its own, to be shown on a line of its own
			others++
		}
		o.Input = a
		list = append(list, o)
	}
	return list
}

// model says which histories like this one are right.
func (h *history) model() porcupine.Model { return h.kind.model(h.forgetful) }

// wrong says what the model does not show, see kind.
func (h *history) wrong(list []porcupine.Operation) string {
	if h.kind.judge == nil {
		return ""
	}
	return h.kind.judge(list, h.forgetful)
}

// String shows the history in the order of the calls.
func (h *history) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n   call ms  return ms  client\n", h.key, h.language)
	sorted := slices.Clone(h.operations)
	slices.SortStableFunc(sorted, func(x, y porcupine.Operation) int { return int(x.Call - y.Call) })
	for _, o := range sorted {
		back := "         –"
		if o.Return != 0 {
			back = fmt.Sprintf("%10.3f", float64(o.Return)/1e6)
		}
		fmt.Fprintf(&b, "%10.3f %s %7d  %s → %s\n", float64(o.Call)/1e6, back, o.ClientId, o.Input, o.Output)
	}
	return b.String()
}
