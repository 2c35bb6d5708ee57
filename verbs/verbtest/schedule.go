package verbtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// A schedule has several clients make their calls at the same time on one
// memcached, and decides whose operation is carried out next, and what goes
// wrong with it (see mishap.go).

// Call is what a schedule remembers of a call.
type Call struct {
	Request  string
	Answer   string
	From, To int // steps

	Begun  int64  // by the clock of the client's proxy
	Ended  int64  // by that of memcached
	Gone   string // what was evicted
	Intent string // what it tried to do last, see Schedule
}

// Unfinished is the step at which a call ends that has no answer.
const Unfinished = 1 << 30

// Failed reports whether it is unknown what became of the call.
func (c *Call) Failed() bool { return strings.HasPrefix(c.Answer, "SERVER_ERROR lost") }

// String says what the call was, and what came of it.
func (c *Call) String() string {
	return fmt.Sprintf("%3d to %3d: %s: %q", c.From, c.To, c.Request, c.Answer)
}

// Schedule is a run of several clients.
type Schedule struct {
	*World
	Key      string // of the structure, empty if each item stands for itself
	Choose   Chooser
	Clients  []*Player
	Step     int
	Calls    []*Call
	behind   []way      // calls that have answered and go on
	late     []verbs.Op // operations that may still happen
	Elapse   func()     // lets time pass
	Troubled bool       // some mishap has happened
	Fewer    bool       // leave out ways that make no difference
	Slice    int        // tokens that a call works on before it pauses, 0 for very many
	dead     bool       // the call whose operation is under way is to die
	notes    []note
	// Intent returns what a call is about to do by an operation that depends on a CAS,
	// given its request and what it has in its buffer. It may be nil.
	Intent func(request string, buf []byte) string
}

// Player is a client with its requests.
type Player struct {
	Pool   *Pool
	Left   int           // how many requests it still makes
	Next   func() string // makes the next
	Caller *Caller
	call   *Call
}

// Pool keeps callers from one schedule for the next.
type Pool struct {
	T    testing.TB
	Env  verbs.Env
	List *verbs.List // the verbs that the callers know
	Idle []*Caller
}

// lose closes a caller in the middle of its call.
func (p *Pool) lose(c *Caller) {
	c.Routine.Close()
	c.open = nil
}

func (p *Pool) get() *Caller {
	if n := len(p.Idle); n > 0 {
		c := p.Idle[n-1]
		p.Idle = p.Idle[:n-1]
		return c
	}
	return NewCaller(p.T, p.Env, p.List)
}

// NewSchedule has each of the clients make its requests, one after another, each
// through another proxy than the one before.
func NewSchedule(w *World, choose Chooser, pools []*Pool, clients [][]string) *Schedule {
	s := &Schedule{World: w, Choose: choose}
	for i, requests := range clients {
		n := 0
		s.Clients = append(s.Clients, &Player{Pool: pools[i%len(pools)], Left: len(requests), Next: func() string {
			n++
			return requests[n-1]
		}})
	}
	return s
}

// way is one way to go on: with an operation of a call, or a late one.
type way struct {
	player *Player
	caller *Caller
	open   int
	late   int
}

func (s *Schedule) ways() (ways []way) {
	for _, p := range s.Clients {
		switch {
		case p.Caller != nil:
			ways = p.Caller.ways(p, ways)
		case p.Left > 0:
			ways = append(ways, way{player: p})
		}
	}
	for _, b := range s.behind {
		ways = b.caller.ways(b.player, ways)
	}
	for i := range s.late {
		ways = append(ways, way{late: i + 1})
	}
	if s.Fewer {
		for _, w := range ways {
			if w.caller != nil && makesNoDifference(&w.caller.ops[w.caller.open[w.open]]) {
				return []way{w}
			}
		}
	}
	return ways
}

// Pending reports whether calls go on that have answered, or operations that have failed may
// still happen.
func (s *Schedule) Pending() bool { return len(s.behind)+len(s.late) > 0 }

// makesNoDifference reports whether it makes no difference what others do before or
// after op: it writes a part of a new segment, of which nobody else knows, or nothing.
func makesNoDifference(op *verbs.Op) bool {
	return op.Local() && op.Kind != verbs.Wait || op.Kind == verbs.Add && bytes.HasSuffix(op.Key, []byte(".0"))
}

// ways adds the operations of c that can be carried out next: any, but those on
// one key in their order, as they are on one connection.
func (c *Caller) ways(p *Player, ways []way) []way {
	for i, n := range c.open {
		if c.ops[n].Kind == verbs.Wait && !c.woken {
			continue
		}
		if !slices.ContainsFunc(c.open[:i], func(m int) bool { return bytes.Equal(c.ops[m].Key, c.ops[n].Key) }) {
			ways = append(ways, way{player: p, caller: c, open: i})
		}
	}
	return ways
}

// Run goes through the schedule.
func (s *Schedule) Run() {
	for {
		ways := s.ways()
		if len(ways) == 0 {
			return
		}
		if s.Elapse != nil {
			s.Elapse()
		}
		s.Step++
		switch w := ways[s.Choose.Pick(len(ways))]; {
		case w.late > 0:
			op := s.late[w.late-1]
			s.late = slices.Delete(s.late, w.late-1, w.late)
			s.Note("late", op, s.Do(s.T, op))
		case w.caller == nil:
			s.start(w.player)
		default:
			s.goOn(w.player, w.caller, w.open)
		}
	}
}

// start begins the next call of p. Its first operation is carried out at once,
// so that no call seems to take longer than it does.
func (s *Schedule) start(p *Player) {
	p.Caller = p.Pool.get()
	p.Caller.Routine.Inside().Pace.Slice = verbs.SliceTokens
	if p.Caller.Narrow = nil; s.Slice > 0 {
		p.Caller.Routine.Inside().Pace.Slice = s.Slice
		if !s.Fewer {
			p.Caller.Narrow = func() bool { return s.Choose.Pick(4) == 1 }
		}
	}
	p.call = &Call{Request: p.Next(), From: s.Step, To: Unfinished, Begun: p.Pool.Env.Now()}
	p.Left--
	s.Calls = append(s.Calls, p.call)
	p.Caller.Start(p.call.Request)
	if ways := p.Caller.ways(p, nil); len(ways) > 0 {
		s.goOn(p, p.Caller, ways[s.Choose.Pick(len(ways))].open)
	} else {
		s.look(p, p.Caller)
	}
}

// goOn has an operation of a call carried out.
func (s *Schedule) goOn(p *Player, c *Caller, open int) {
	if kind := c.ops[c.open[open]].Kind; kind == verbs.AppendIf || kind == verbs.Swap {
		for _, p := range s.Clients { // others may be decided along with it
			if p.Caller != nil && s.Intent != nil {
				p.call.Intent = s.Intent(p.call.Request, p.Caller.Routine.Inside().Buf)
			}
		}
	}
	s.dead = false
	var r verbs.Reply
	if op := c.ops[c.open[open]]; !op.Local() {
		r = s.carryOut(op)
	} else if s.Choose.Fault(1) > 0 {
		s.dead, s.Troubled = true, true
	}
	if s.dead {
		p.Pool.lose(c)
	} else {
		c.CarryOut(open, func(verbs.Op) verbs.Reply { return r })
	}
	s.look(p, c)
}

// look sees what became of a call. A client that has its answer goes on, even
// if the call does too.
func (s *Schedule) look(p *Player, c *Caller) {
	if c == p.Caller && (c.Answered >= 0 || s.dead) {
		p.call.Answer, p.call.To, p.call.Ended = c.Answer, s.Step, s.Clock
		if s.dead {
			p.call.Answer = "SERVER_ERROR lost with its proxy"
		}
		p.Caller, p.call = nil, nil
		if c.Busy() {
			s.behind = append(s.behind, way{player: p, caller: c})
		}
	}
	if !c.Busy() {
		s.behind = slices.DeleteFunc(s.behind, func(b way) bool { return b.caller == c })
		if !s.dead {
			p.Pool.Idle = append(p.Pool.Idle, c)
		}
	}
	s.dead = false
}

// note is what a schedule remembers of an operation.
type note struct {
	step      int
	what      string
	kind      verbs.OpKind
	key, data string
	status    verbs.Status
}

// Note remembers an operation and its outcome, with what else is to be told of it.
func (s *Schedule) Note(what string, op verbs.Op, r verbs.Reply) {
	data := op.Data
	if op.Kind == verbs.Fetch {
		data = r.Data
	}
	s.notes = append(s.notes, note{s.Step, what, op.Kind, string(op.Key), string(data), r.Status})
}

// String says what happened, for a failed test.
func (s *Schedule) String() string {
	kinds := [...]string{"fetch", "probe", "append", "append sized", "append or create", "append if", "add", "swap", "touch", "delete", "delete if"}
	statuses := [...]string{"failed", "stored", "not stored", "exists", "missing", "hit"}
	var b strings.Builder
	for _, c := range s.Calls {
		fmt.Fprintln(&b, c)
	}
	for _, n := range s.notes {
		fmt.Fprintf(&b, "%3d: %s %s %s %.300q: %s\n", n.step, n.what, kinds[n.kind], n.key, n.data, statuses[n.status])
	}
	return b.String()
}
