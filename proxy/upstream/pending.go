package upstream

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
)

// Pending is a request that an upstream has been sent, or is about to be, and
// has not answered.
type Pending struct {
	Sink     Sink
	Lane     *Lane    // that it is in; nil if it need not keep to the order of others
	Slot     uint32   // for the sink: what the reply belongs to
	deadline uint32   // in ticks of the loop: to have been sent, and then to be answered
	end      Position // in what the connection is sent
	expected uint32   // how many bytes of what the upstream's replies are compared with
	Keys     uint16   // how many keys a retrieval asks for
	Command  protocol.Command
	Tally    tally.Kind // how it counts, if a client has asked for it
	Quiet    bool
	Long     bool // a value may be longer than others are taken, up to MaxLong of the Env
	own      bool // the proxy asks for itself, so nobody is refused if it is lost
}

// Sink takes the reply to a request.
type Sink interface {
	// Answered is called exactly once for every request, in the order of the
	// requests of a connection. It must not keep a.Data, but may take a.Whole.
	Answered(p *Pending, a *Answer)
}

// Answer is what became of a request.
type Answer struct {
	Data  []byte          // the reply, ready for a client
	Last  *protocol.Reply // its last unit, nil if failed
	Whole []byte          // not nil: a buffer of the pool with Data and nothing else, to be taken
	Taken bool            // set by who takes Whole
	Fail  bool            // Data is an error of the proxy's
	Epoch uint32          // of the upstream that it came from
	Size  int             // about how large the values were, in bytes, if it failed as there was no memory
}

// nobody takes the replies to requests that have been refused meanwhile.
type nobody struct{}

func (nobody) Answered(*Pending, *Answer) {}
