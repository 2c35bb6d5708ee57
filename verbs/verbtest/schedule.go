package verbtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// A schedule runs the calls of several clients concurrently on one memcached. It
// decides whose operation is carried out next, and what goes wrong with it (see
// mishap.go).

// Call is a call in the history of a schedule.
type Call struct {
	Request  string
	Exptime  int64 // with which it is carried, see [Parse]
	Answer   string
	From, To int // steps

	Begun   int64  // start, by the clock of the client's proxy
	Own     Span   // by how much that clock was ahead of memcached's meanwhile
	All     Span   // and by how much those of all clients' proxies were
	Since   int64  // start, by the clock of memcached
	Ended   int64  // end, by the clock of memcached
	Gone    string // the evicted value, if this is an eviction
	Head    string // the value of the schedule's structure then
	Expired bool   // that is because its time was over
	Intent  string // what its last operation was to do, see Schedule.Intent
}

// Span is the least and the most of some times, in milliseconds.
type Span struct{ Least, Most int64 }

// Add makes s contain n.
func (s *Span) Add(n int64) { s.Least, s.Most = min(s.Least, n), max(s.Most, n) }

// readClocks notes by how much clocks are ahead.
func (s *Schedule) readClocks() {
	for _, p := range s.Clients {
		if p.call == nil {
			continue
		}
		p.call.Own.Add(p.Pool.Env.Now() - s.Clock)
		for _, other := range s.Clients {
			p.call.All.Add(other.Pool.Env.Now() - s.Clock)
		}
	}
}

// Unfinished is the To of a call without an answer.
const Unfinished = 1 << 30

// Failed reports whether the outcome of the call is unknown.
func (c *Call) Failed() bool { return strings.HasPrefix(c.Answer, "SERVER_ERROR lost") }

// String returns the call and its answer.
func (c *Call) String() string {
	return fmt.Sprintf("%3d to %3d: %s: %q", c.From, c.To, c.Request, c.Answer)
}

// Schedule is a run of several clients.
type Schedule struct {
	*World
	Key      string // of the structure, empty if each item is independent
	Choose   Chooser
	Clients  []*Player
	Step     int
	Calls    []*Call
	behind   []way      // calls that continue after their answer
	late     []verbs.Op // failed operations that may still be carried out
	Elapse   func()     // advances the clock
	Troubled bool       // at least one mishap has happened
	Fewer    bool       // skip alternatives that make no difference
	Ends     bool       // see Rules
	Slice    int        // tokens in a slice of work, 0 for the default
	dead     bool       // the proxy died in the present operation
	silent   bool       // nothing is noted: nobody is told of this schedule
	notes    []note
	// Intent describes what a call is about to do by an operation that depends on a
	// CAS, from its request and the content of its buffer. It may be nil.
	Intent func(request string, buf []byte) string
}

// Player is a client and its requests.
type Player struct {
	Pool   *Pool
	Left   int           // number of requests left
	Next   func() string // returns the next request
	Caller *Caller
	call   *Call
}

// Pool reuses callers from one schedule to the next.
type Pool struct {
	T    testing.TB
	Env  verbs.Env
	List *verbs.List // the verbs that the callers know
	Idle []*Caller
}

// lose closes a caller during its call.
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

// NewSchedule returns a schedule in which each client makes its requests one after
// another. Client i uses the proxy of pools[i%len(pools)].
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

// way is one alternative for the next step: an operation of a call, a new call of a
// client, or a late operation.
type way struct {
	player *Player
	caller *Caller
	open   int
	late   int
}

// ways returns the alternatives. They are valid until it is called again.
func (s *Schedule) ways() []way {
	ways := s.alternatives[:0]
	defer func() { s.alternatives = ways }()
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
		for i, w := range ways {
			if w.caller != nil && makesNoDifference(&w.caller.ops[w.caller.open[w.open]]) {
				return ways[i : i+1]
			}
		}
	}
	return ways
}

// Pending reports whether calls continue after their answers, or failed operations may still
// be carried out.
func (s *Schedule) Pending() bool { return len(s.behind)+len(s.late) > 0 }

// makesNoDifference reports whether the order of op and others' operations is
// irrelevant: op changes nothing, or writes a part of a new segment that nobody else
// knows, or reads the item that was stored as the lease of a merge, or is about the one by which memcached
// tells the time.
func makesNoDifference(op *verbs.Op) bool {
	return op.Local() && op.Kind != verbs.Wait ||
		op.Kind == verbs.Add && bytes.HasSuffix(op.Key, []byte(".0")) ||
		op.Kind == verbs.Fetch && bytes.HasSuffix(op.Key, []byte(":@merge")) || tellsTime(string(op.Key))
}

// tellsTime reports whether key is that of an item by which memcached tells the time.
func tellsTime(key string) bool {
	_, name, _ := strings.Cut(key, ":")
	return structure.IsClock([]byte(name))
}

// ways appends the operations of c that can be carried out next: those of one structure
// keep their order, as on one connection, but constant ones, which may be on another.
func (c *Caller) ways(p *Player, ways []way) []way {
	if c.Waits() || c.takenAlong {
		return ways
	}
	for i, n := range c.open {
		if !slices.ContainsFunc(c.open[:i], func(m int) bool { return precedes(&c.ops[m], &c.ops[n]) }) {
			ways = append(ways, way{player: p, caller: c, open: i})
		}
	}
	return ways
}

// precedes reports whether op, which was asked for first, has to be carried out before
// other.
func precedes(op, other *verbs.Op) bool {
	return bytes.Equal(op.Key, other.Key) ||
		!op.Constant && !other.Constant && bytes.Equal(op.RoutingKey(), other.RoutingKey())
}

// Run runs the schedule to its end.
func (s *Schedule) Run() {
	for {
		ways := s.ways()
		if len(ways) == 0 {
			return
		}
		if s.Elapse != nil {
			s.Elapse()
			s.expire()
			s.readClocks()
		}
		s.Step++
		switch w := ways[s.Choose.Pick(len(ways))]; {
		case w.late > 0:
			op := s.late[w.late-1]
			s.late = slices.Delete(s.late, w.late-1, w.late)
			s.Note("late", op, s.do(op))
		case w.caller == nil:
			s.start(w.player)
		default:
			s.goOn(w.player, w.caller, w.open)
		}
	}
}

// start begins the next call of p. Its first operation is carried out in the same step,
// so that no call seems to last longer than it does.
func (s *Schedule) start(p *Player) {
	p.Caller = p.Pool.get()
	p.Caller.Routine.Inside().Pace.Slice = verbs.SliceTokens
	if p.Caller.Narrow = nil; s.Slice > 0 {
		p.Caller.Routine.Inside().Pace.Slice = s.Slice
		if !s.Fewer {
			p.Caller.Narrow = func() bool { return s.Choose.Pick(4) == 1 }
		}
	}
	request := p.Next()
	exptime, asked := cutExptime(request)
	p.call = &Call{Request: asked, Exptime: exptime, From: s.Step, To: Unfinished, Begun: p.Pool.Env.Now(), Since: s.Clock}
	p.Left--
	ahead := p.call.Begun - s.Clock
	p.call.Own, p.call.All = Span{ahead, ahead}, Span{ahead, ahead}
	s.readClocks()
	s.Calls = append(s.Calls, p.call)
	p.Caller.Start(request)
	s.alternatives = p.Caller.ways(p, s.alternatives[:0])
	if ways := s.alternatives; len(ways) > 0 {
		s.goOn(p, p.Caller, ways[s.Choose.Pick(len(ways))].open)
	} else {
		s.look(p, p.Caller)
	}
}

// goOn carries out an operation of a call.
func (s *Schedule) goOn(p *Player, c *Caller, open int) {
	switch c.ops[c.open[open]].Kind {
	case verbs.AppendIf, verbs.Append, verbs.AppendSized, verbs.Swap, verbs.DeleteIf:
		for _, p := range s.Clients { // other calls may be decided together with it
			if p.Caller != nil && s.Intent != nil {
				p.call.Intent = s.Intent(p.call.Request, p.Caller.Routine.Inside().Buf)
			}
		}
	}
	s.dead = false
	var r verbs.Reply
	if op := c.ops[c.open[open]]; c.tookAlong != nil {
		r, c.tookAlong = *c.tookAlong, nil
	} else if !op.Local() {
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

// look checks the progress of a call. A client makes its next call as soon as it has
// its answer, even if the call continues.
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

// note is an operation in the history of a schedule.
type note struct {
	step      int
	what      string
	kind      verbs.OpKind
	key, data string
	status    verbs.Status
}

// Note records an operation and its outcome, with a remark.
func (s *Schedule) Note(what string, op verbs.Op, r verbs.Reply) {
	if s.silent {
		return
	}
	data := op.Data
	if op.Kind == verbs.Fetch {
		data = r.Data
	}
	s.notes = append(s.notes, note{s.Step, what, op.Kind, string(op.Key), string(data), r.Status})
}

// String returns the history, for a failed test.
func (s *Schedule) String() string {
	kinds := [...]string{"fetch", "probe", "append", "append sized", "append or create", "append if", "add", "swap", "touch", "delete", "delete if", "set", "incr", "decr"}
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
