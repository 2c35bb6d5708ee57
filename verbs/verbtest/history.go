package verbtest

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/verbs"
)

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

// Unfinished is the To of a call without an answer.
const Unfinished = 1 << 30

// Failed reports whether the outcome of the call is unknown.
func (c *Call) Failed() bool { return strings.HasPrefix(c.Answer, "SERVER_ERROR lost") }

// String returns the call and its answer.
func (c *Call) String() string {
	return fmt.Sprintf("%3d to %3d: %s: %q", c.From, c.To, c.Request, c.Answer)
}

// note is an operation in the history of a schedule.
type note struct {
	step      int
	what      string
	kind      verbs.OpKind
	key, data string
	status    verbs.Status
}
