package verbs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A schedule has several clients make their calls at the same time on one
// memcached, and decides whose operation is carried out next, and what goes
// wrong with it (see mishap_test.go).

// call is what a schedule remembers of a call.
type call struct {
	request  string
	answer   string
	from, to int // steps

	begun   int64  // by the clock of the client's proxy
	ended   int64  // by that of memcached
	gone    string // what was evicted
	removes string // what a spop tried to remove last
}

const unfinished = 1 << 30

// failed reports whether it is unknown what became of the call.
func (c *call) failed() bool { return strings.HasPrefix(c.answer, "SERVER_ERROR lost") }

func (c *call) String() string {
	return fmt.Sprintf("%3d to %3d: %s: %q", c.from, c.to, c.request, c.answer)
}

// schedule is a run of several clients.
type schedule struct {
	*world
	key      string // of the structure, empty if it is an event log
	choose   chooser
	clients  []*player
	step     int
	calls    []*call
	behind   []way  // calls that have answered and go on
	late     []Op   // operations that may still happen
	elapse   func() // lets time pass
	troubled bool   // some mishap has happened
	fewer    bool   // leave out ways that make no difference
	slice    int    // tokens that a call works on before it pauses, 0 for very many
	dead     bool   // the call whose operation is under way is to die
	notes    []note
}

// player is a client with its requests.
type player struct {
	pool   *pool
	left   int           // how many requests it still makes
	next   func() string // makes the next
	caller *caller
	call   *call
}

// pool keeps callers from one schedule for the next.
type pool struct {
	t    testing.TB
	env  Env
	idle []*caller
}

// lose closes a caller in the middle of its call.
func (p *pool) lose(c *caller) {
	c.routine.Close()
	c.open = nil
}

func (p *pool) get() *caller {
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c
	}
	return newCaller(p.t, p.env)
}

// newSchedule has each of the clients make its requests, one after another, each
// through another proxy than the one before.
func newSchedule(w *world, choose chooser, pools []*pool, clients [][]string) *schedule {
	s := &schedule{world: w, choose: choose}
	for i, requests := range clients {
		n := 0
		s.clients = append(s.clients, &player{pool: pools[i%len(pools)], left: len(requests), next: func() string {
			n++
			return requests[n-1]
		}})
	}
	return s
}

// way is one way to go on: with an operation of a call, or a late one.
type way struct {
	player *player
	caller *caller
	open   int
	late   int
}

func (s *schedule) ways() (ways []way) {
	for _, p := range s.clients {
		switch {
		case p.caller != nil:
			ways = p.caller.ways(p, ways)
		case p.left > 0:
			ways = append(ways, way{player: p})
		}
	}
	for _, b := range s.behind {
		ways = b.caller.ways(b.player, ways)
	}
	for i := range s.late {
		ways = append(ways, way{late: i + 1})
	}
	if s.fewer {
		for _, w := range ways {
			if w.caller != nil && makesNoDifference(&w.caller.ops[w.caller.open[w.open]]) {
				return []way{w}
			}
		}
	}
	return ways
}

// makesNoDifference reports whether it makes no difference what others do before or
// after op: it writes a part of a new segment, of which nobody else knows, or nothing.
func makesNoDifference(op *Op) bool {
	return op.Local() && op.Kind != Wait || op.Kind == Add && bytes.HasSuffix(op.Key, []byte(".0"))
}

// ways adds the operations of c that can be carried out next: any, but those on
// one key in their order, as they are on one connection.
func (c *caller) ways(p *player, ways []way) []way {
	for i, n := range c.open {
		if c.ops[n].Kind == Wait && !c.woken {
			continue
		}
		if !slices.ContainsFunc(c.open[:i], func(m int) bool { return bytes.Equal(c.ops[m].Key, c.ops[n].Key) }) {
			ways = append(ways, way{player: p, caller: c, open: i})
		}
	}
	return ways
}

// run goes through the schedule.
func (s *schedule) run() {
	for {
		ways := s.ways()
		if len(ways) == 0 {
			return
		}
		if s.elapse != nil {
			s.elapse()
		}
		s.step++
		switch w := ways[s.choose.pick(len(ways))]; {
		case w.late > 0:
			op := s.late[w.late-1]
			s.late = slices.Delete(s.late, w.late-1, w.late)
			s.note("late", op, s.do(s.t, op))
		case w.caller == nil:
			s.start(w.player)
		default:
			s.goOn(w.player, w.caller, w.open)
		}
	}
}

// start begins the next call of p. Its first operation is carried out at once,
// so that no call seems to take longer than it does.
func (s *schedule) start(p *player) {
	p.caller = p.pool.get()
	p.caller.routine.call.pace.slice = sliceTokens
	if p.caller.narrow = nil; s.slice > 0 {
		p.caller.routine.call.pace.slice = s.slice
		if !s.fewer {
			p.caller.narrow = func() bool { return s.choose.pick(4) == 1 }
		}
	}
	p.call = &call{request: p.next(), from: s.step, to: unfinished, begun: p.pool.env.Now()}
	p.left--
	s.calls = append(s.calls, p.call)
	p.caller.start(p.call.request)
	if ways := p.caller.ways(p, nil); len(ways) > 0 {
		s.goOn(p, p.caller, ways[s.choose.pick(len(ways))].open)
	} else {
		s.look(p, p.caller)
	}
}

// goOn has an operation of a call carried out.
func (s *schedule) goOn(p *player, c *caller, open int) {
	if kind := c.ops[c.open[open]].Kind; kind == AppendIf || kind == Swap {
		for _, p := range s.clients { // others may be decided along with it
			if p.caller != nil && strings.HasPrefix(p.call.request, "spop") {
				p.call.removes = removes(string(p.caller.routine.call.buf))
			}
		}
	}
	s.dead = false
	var r Reply
	if op := c.ops[c.open[open]]; !op.Local() {
		r = s.carryOut(op)
	} else if s.choose.fault(1) > 0 {
		s.dead, s.troubled = true, true
	}
	if s.dead {
		p.pool.lose(c)
	} else {
		c.carryOut(open, func(Op) Reply { return r })
	}
	s.look(p, c)
}

// removes returns the letters of the members that tokens remove.
func removes(tokens string) string {
	return letters(strings.Fields(strings.ReplaceAll(" "+tokens, " -", " ")))
}

// look sees what became of a call. A client that has its answer goes on, even
// if the call does too.
func (s *schedule) look(p *player, c *caller) {
	if c == p.caller && (c.answered >= 0 || s.dead) {
		p.call.answer, p.call.to, p.call.ended = c.answer, s.step, s.now
		if s.dead {
			p.call.answer = "SERVER_ERROR lost with its proxy"
		}
		p.caller, p.call = nil, nil
		if c.busy() {
			s.behind = append(s.behind, way{player: p, caller: c})
		}
	}
	if !c.busy() {
		s.behind = slices.DeleteFunc(s.behind, func(b way) bool { return b.caller == c })
		if !s.dead {
			p.pool.idle = append(p.pool.idle, c)
		}
	}
	s.dead = false
}

// note is what a schedule remembers of an operation.
type note struct {
	step      int
	what      string
	kind      OpKind
	key, data string
	status    Status
}

func (s *schedule) note(what string, op Op, r Reply) {
	data := op.Data
	if op.Kind == Fetch {
		data = r.Data
	}
	s.notes = append(s.notes, note{s.step, what, op.Kind, string(op.Key), string(data), r.Status})
}

// String says what happened, for a failed test.
func (s *schedule) String() string {
	kinds := [...]string{"fetch", "probe", "append", "append sized", "append or create", "append if", "add", "swap", "touch", "delete", "delete if"}
	statuses := [...]string{"failed", "stored", "not stored", "exists", "missing", "hit"}
	var b strings.Builder
	for _, c := range s.calls {
		fmt.Fprintln(&b, c)
	}
	for _, n := range s.notes {
		fmt.Fprintf(&b, "%3d: %s %s %s %.300q: %s\n", n.step, n.what, kinds[n.kind], n.key, n.data, statuses[n.status])
	}
	return b.String()
}
