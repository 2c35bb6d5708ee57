package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/tally"
)

// Pending is a request that has been sent to an upstream, or is about to be, and has
// not been answered.
type Pending struct {
	Sink     Sink
	Lane     *Lane         // counts the request; nil if its order does not matter
	Slot     uint32        // for the sink: identifies the request
	deadline uint32        // in counted ticks: first for the upstream to receive it, then for the answer
	end      Position      // of its last byte
	expected uint32        // its bytes in Expected
	Sent     latency.Stamp // when it was appended to the output
	Keys     uint16        // number of keys of a retrieval
	Command  protocol.Command
	Tally    tally.Kind // how to count it, if it is a client's
	Loss     Loss
	Limit    Limit
	Quiet    bool
	Unsized  bool // its values may have any size: its client has received none before
}

// Loss says what follows if a request is lost: if its upstream fails, or does not answer in time. A retrieval may be
// answered as a miss or sent elsewhere, as the pool's setting says; a change makes what it would have changed outdated.
// So a request has one of these.
type Loss uint8

const (
	LossRefuses   Loss = iota // its client gets an error
	LossMisses                // its client gets a miss
	LossSpares                // it is sent to the spare pool, once
	LossOutdates              // its client gets an error, and the items that it would have set or deleted are outdated
	LossUnnoticed             // no client gets anything: it is the proxy's own
)

// Limit says which replies to a request are accepted.
type Limit uint8

const (
	LimitItem   Limit = iota // values of at most Env.MaxItemSize bytes
	LimitLong                // values of at most Env.MaxLong bytes
	LimitModest              // the same, but no more than maxModest bytes in total
)

// Sink receives the reply to a request.
type Sink interface {
	// Answered is called exactly once for every request, in the order of the requests
	// of a connection. It must not retain a.Data unless it takes over the buffer, see [Ownership].
	Answered(p *Pending, a *Answer)
}

// SinkFunc is a sink that is a function.
type SinkFunc func(p *Pending, a *Answer)

// Answered implements [Sink].
func (f SinkFunc) Answered(p *Pending, a *Answer) { f(p, a) }

// Ignored is the sink of requests whose answers are of no use.
var Ignored = SinkFunc(func(*Pending, *Answer) {})

// Outcome says where an answer comes from.
type Outcome uint8

const (
	Replied Outcome = iota // the upstream has replied
	Refused                // Data is an error line of the proxy
	Lost                   // the same: the upstream failed, or did not answer in time
)

// Failed reports whether there was no reply.
func (o Outcome) Failed() bool { return o != Replied }

// Ownership says whose the memory of an answer's data is.
type Ownership uint8

const (
	Lent    Ownership = iota // not the sink's: it must not retain the data
	Offered                  // the same, but the data is all of a buffer of the pool, which the sink may take over
	Taken                    // the sink's, which has taken over the buffer
)

// Take takes over the buffer if it is offered. It reports whether the sink has it now.
func (a *Answer) Take() bool {
	if a.Buffer == Offered {
		a.Buffer = Taken
	}
	return a.Buffer == Taken
}

// Answer is what became of a request.
type Answer struct {
	Data   []byte          // the reply, ready for a client
	Buffer Ownership       // whose the memory of Data is
	Last   *protocol.Reply // last unit of the reply, nil if Failed
	Outcome
	Asked []byte  // if Lost, the keys that it asked for, or what Request.Asked has returned
	By    *Remote // if Lost, the upstream
	Epoch uint32  // of the upstream
	// Indirect says that the upstream has not shown that it is memcached itself, so that a restart of memcached
	// may go unnoticed in one epoch.
	Indirect bool
	Size     int // approximate size of the values, in bytes, if it failed for lack of memory
}

// IsError reports whether the answer is an error line, of the upstream or of the proxy.
func (a *Answer) IsError() bool { return a.Failed() || a.Last.Kind == protocol.ReplyError }

// maxModest is how many bytes of a reply are received at most that has the limit LimitModest. A longer one was not
// expected, and other clients of the loop would wait while it is copied.
const maxModest = 4 << 20

// values returns how many values the reply may have, for a request for such.
func (p *Pending) values() int {
	if p.Command.Retrieval() {
		return int(p.Keys)
	}
	return 1
}

// nobody is the sink of requests whose clients have received an error already, since they timed out or their replies are too
// large. It takes values in parts, so that none is kept until it is complete.
type nobody struct{ InMemory }

func (nobody) Answered(*Pending, *Answer)  {}
func (nobody) Streams(*Pending, bool) bool { return true }
func (nobody) Take(*Pending, []byte)       {}
