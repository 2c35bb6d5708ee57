package verbs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A schedule has several clients make their calls at the same time on one
// memcached, and decides whose operation is carried out next. Operations can
// come to grief on the way, and items can be evicted or full at any moment.

// Mishaps.
const (
	lostRequest = 1 + iota // the operation fails, and does not happen
	lostReply              // it fails, and has happened
	lateRequest            // it fails, and may happen later
	evicted                // its item is evicted before
	filled                 // there is no memory to append to its item
	mishaps     = filled
)

// call is what a schedule remembers of a call.
type call struct {
	request  string
	answer   string
	from, to int // steps

	begun int64  // by the clock of the client's proxy
	ended int64  // by that of memcached
	gone  string // what was evicted
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
	choose  chooser
	clients []*player
	step    int
	calls   []*call
	behind  []way  // calls that have answered and go on
	late    []Op   // operations that may still happen
	elapse  func() // lets time pass
	filled  bool   // some item was
	notes   []note
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

func (p *pool) get() *caller {
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c
	}
	return newCaller(p.t, p.env)
}

// newSchedule has each of the clients make its requests, one after another.
func newSchedule(w *world, choose chooser, pool *pool, clients [][]string) *schedule {
	s := &schedule{world: w, choose: choose}
	for _, requests := range clients {
		n := 0
		s.clients = append(s.clients, &player{pool: pool, left: len(requests), next: func() string {
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
	return ways
}

// ways adds the operations of c that can be carried out next: any, but those on
// one key in their order, as they are on one connection.
func (c *caller) ways(p *player, ways []way) []way {
	for i, n := range c.open {
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
			w.caller.carryOut(w.open, s.carryOut)
			s.look(w.player, w.caller)
		}
	}
}

// start begins the next call of p. Its first operation is carried out at once,
// so that no call seems to take longer than it does.
func (s *schedule) start(p *player) {
	p.caller = p.pool.get()
	p.call = &call{request: p.next(), from: s.step, to: unfinished, begun: p.pool.env.Now()}
	p.left--
	s.calls = append(s.calls, p.call)
	p.caller.start(p.call.request)
	if ways := p.caller.ways(p, nil); len(ways) > 0 {
		p.caller.carryOut(ways[s.choose.pick(len(ways))].open, s.carryOut)
	}
	s.look(p, p.caller)
}

// look sees what became of a call. A client that has its answer goes on, even
// if the call does too.
func (s *schedule) look(p *player, c *caller) {
	if c == p.caller && c.answered >= 0 {
		p.call.answer, p.call.to, p.call.ended = c.answer, s.step, s.now
		p.caller, p.call = nil, nil
		if c.busy() {
			s.behind = append(s.behind, way{player: p, caller: c})
		}
	}
	if !c.busy() {
		s.behind = slices.DeleteFunc(s.behind, func(b way) bool { return b.caller == c })
		p.pool.idle = append(p.pool.idle, c)
	}
}

func (s *schedule) carryOut(op Op) Reply {
	lost := Reply{Err: "SERVER_ERROR lost"}
	switch s.choose.fault(mishaps) {
	case lostRequest:
		s.note("lost", op, lost)
		return lost
	case lostReply:
		s.note("reply lost", op, s.do(s.t, op))
		return lost
	case lateRequest:
		s.note("held up", op, lost)
		op.Key, op.Data = slices.Clone(op.Key), slices.Clone(op.Data)
		s.late = append(s.late, op)
		return lost
	case evicted:
		if s.find(string(op.Key)) != nil {
			s.evicting(string(op.Key))
		}
	case filled:
		s.filled = true
		if op.Kind >= Append && op.Kind <= AppendIf && s.find(string(op.Key)) != nil {
			r := Reply{Status: NotStored}
			s.note("filled", op, r)
			return r
		}
	}
	r := s.do(s.t, op)
	s.note("", op, r)
	return r
}

// evicting evicts an item, which is a change that readers see.
func (s *schedule) evicting(key string) {
	s.calls = append(s.calls, &call{request: "evict " + key, from: s.step, to: s.step, gone: s.value(key)})
	s.note("evicted", Op{Key: []byte(key)}, Reply{})
	s.evict(key)
	s.step++
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
	kinds := []string{"fetch", "probe", "append", "append sized", "append or create", "append if", "add", "swap", "touch", "delete", "delete if"}
	statuses := []string{"failed", "stored", "not stored", "exists", "missing", "hit"}
	var b strings.Builder
	for _, c := range s.calls {
		fmt.Fprintln(&b, c)
	}
	for _, n := range s.notes {
		fmt.Fprintf(&b, "%3d: %s %s %s %.300q: %s\n", n.step, n.what, kinds[n.kind], n.key, n.data, statuses[n.status])
	}
	return b.String()
}
