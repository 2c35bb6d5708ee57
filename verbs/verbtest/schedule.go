package verbtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// A schedule runs the calls of several clients concurrently on one memcached. It
// decides whose operation is carried out next, and what goes wrong with it (see
// mishap.go).

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
	turns    []*proxy   // those of which a turn is to end, as calls gather
	waits    waits      // calls that wait until there is something for them
	Elapse   func()     // advances the clock
	Troubled bool       // at least one mishap has happened
	Fewer    bool       // skip alternatives that make no difference
	Ends     bool       // see Rules
	Slice    int        // tokens in a slice of work, 0 for the default
	dead     bool       // the proxy died in the present operation
	silent   bool       // nothing is noted: nobody is told of this schedule
	notes    []note
	// Intent describes what a call is about to do by an operation that depends on a
	// CAS, or that may create the structure, from its request and the content of its buffer. It may be nil.
	Intent func(request string, buf []byte) string
}

// Player is a client and its requests.
type Player struct {
	Pool    *Pool
	Left    int           // number of requests left
	Next    func() string // returns the next request
	Caller  *Caller
	call    *Call
	changes bool         // its call changes something, see Near
	wait    *waitingCall // nil unless its call waits until there is something for it
}

// Pool reuses callers from one schedule to the next.
type Pool struct {
	T    testing.TB
	Env  verbs.Env
	List *verbs.List // the verbs that the callers know
	Idle []*Caller
	ends bool // the callers will be closed at the end of the test
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
	if !p.ends { // a cleanup for each caller would keep those in memory that are lost
		p.ends = true
		p.T.Cleanup(func() {
			for _, c := range p.Idle {
				c.Routine.Close()
			}
		})
	}
	return newCaller(p.T, p.Env, p.List)
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
// client, a late operation, the end of an event loop's turn, something that was posted to it, or that time passes until
// a call that waits has something to do.
type way struct {
	player *Player
	caller *Caller
	open   int
	late   int
	turn   int
	posted int
	passes bool
}

// Pending reports whether calls continue after their answers, or failed operations may still
// be carried out.
func (s *Schedule) Pending() bool { return len(s.behind)+len(s.late) > 0 }

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
	kinds := [...]string{"fetch", "probe", "append", "append sized", "append or create", "append if", "add", "swap", "touch", "delete", "delete if", "set", "incr", "decr", "incr or create"}
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
