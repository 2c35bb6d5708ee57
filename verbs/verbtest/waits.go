package verbtest

import (
	"strings"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/waiters"
)

// Calls that wait until there is something for them, see package waiters. Without tables, they are made once.

// waits are the calls of a schedule that wait.
type waits struct {
	tables  map[*Pool]*tableOf
	posted  []func()
	sharing bool   // the pools are event loops of one process
	look    string // the request that reads the structure
}

// tableOf is the calls of a pool that wait, and what is awaited in its process.
type tableOf struct {
	*waiters.Table
	awaited *waiters.Awaited
}

// newWaits returns waits for the pools of a schedule. With sharing, these are event loops of one process, otherwise
// processes of their own. look reads the structure.
func (s *Schedule) newWaits(pools []*Pool, sharing bool, look string) waits {
	w := waits{tables: map[*Pool]*tableOf{}, sharing: sharing, look: look}
	shared := &waiters.Awaited{}
	for _, p := range pools {
		of := &tableOf{awaited: shared}
		if !sharing {
			of.awaited = &waiters.Awaited{}
		}
		of.Table = waiters.NewTable(of.awaited, func() int64 { return s.Clock }, func(fn func()) { s.waits.posted = append(s.waits.posted, fn) })
		w.tables[p] = of
	}
	return w
}

// waitingCall is the call of a player that waits. It implements [waiters.Call].
type waitingCall struct {
	waiters.Waiter
	s       *Schedule
	p       *Player
	request string
	made    *Caller // that has made it last
}

// await begins a call of p that waits. It returns false if it does not.
func (s *Schedule) await(p *Player, request string) bool {
	of := s.waits.tables[p.Pool]
	if of == nil || !strings.Contains(request, " "+verbs.WaitWord+" ") {
		return false
	}
	req, _ := Parse(s.T, p.Pool.List, request)
	p.wait = &waitingCall{s: s, p: p, request: request}
	of.Await(&p.wait.Waiter, p.wait, waiters.Request{Key: req.Key, Alike: []byte(request), For: int64(req.Wait)})
	return true
}

// Try implements [waiters.Call].
func (w *waitingCall) Try() {
	w.s.begin(w.p, w.request)
	if w.made = w.p.Caller; !w.p.Caller.Busy() {
		w.s.look(w.p, w.p.Caller)
	}
}

// Over implements [waiters.Call].
func (w *waitingCall) Over(nothing []byte) {
	if len(nothing) == 0 {
		w.s.T.Fatalf("%s: is over, but there may be something", w.request)
	}
	w.end(string(nothing))
}

// tried takes the answer to the call when it was made.
func (w *waitingCall) tried(answer string) {
	of, how := w.s.waits.tables[w.p.Pool], waiters.Found
	var seen verbs.Seen
	if w.made != nil {
		seen = w.made.Routine.Seen()
	}
	switch {
	case strings.HasPrefix(answer, "SERVER_ERROR"):
		how = waiters.Failed
	case isNothing(answer):
		how = waiters.Nothing
	}
	if whose := of.Tried(&w.Waiter, waiters.Result{Outcome: how, Answer: []byte(answer), In: seen.In}); whose != nil {
		whose.Call().(*waitingCall).end(answer)
	}
	of.GoOn()
}

// isNothing reports whether an answer says that there is no structure, or nothing in it.
func isNothing(answer string) bool {
	return strings.HasPrefix(answer, "END\r\n") || strings.HasPrefix(answer, "VALUE k 0 0\r\n")
}

// end ends the wait.
func (w *waitingCall) end(answer string) {
	w.p.wait = nil
	w.s.finish(w.p, answer)
}

// feed is called when a call through a pool has ended, and may have added something.
func (s *Schedule) feed(p *Pool) {
	if of := s.waits.tables[p]; of != nil {
		of.awaited.Fed([]byte(s.Key))
	}
}

// waysOfWaits appends to ways what is posted, and that time passes while calls wait. If every change has been made by the
// process whose calls wait, time must not have to pass for something to be found that is there.
func (s *Schedule) waysOfWaits(ways []way) []way {
	for i := range s.waits.posted {
		ways = append(ways, way{posted: i + 1})
	}
	waiting := false
	for _, p := range s.Clients {
		waiting = waiting || p.wait != nil
	}
	if !waiting || s.Fewer && len(ways) > 0 {
		return ways
	}
	if len(ways) == 0 && s.waits.sharing && !s.Troubled {
		s.Instead = func(op verbs.Op) (verbs.Reply, bool) { return s.do(op), true }
		there := s.Send(s.waits.look)
		s.Instead = nil
		if !isNothing(there) {
			s.T.Fatalf("calls wait, though there is something: %q", there)
		}
	}
	return append(ways, way{passes: true})
}

// pass lets time pass until a call that waits has something to do.
func (s *Schedule) pass() {
	next := int64(-1)
	for _, of := range s.waits.tables {
		if at, any := of.Next(); any && (next < 0 || at < next) {
			next = at
		}
	}
	s.Clock = max(s.Clock, next)
	s.expire()
	s.readClocks()
	for _, p := range s.Clients { // in an order of its own, so that a schedule can be repeated
		if of := s.waits.tables[p.Pool]; of != nil {
			of.Pass()
		}
	}
}
