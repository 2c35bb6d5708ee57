package front

import (
	"bytes"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// After the servers of a pool have changed, a structure may be where it was (package placement). A client deletes it, or has it expire,
// by a plain command, which therefore goes to its former places, too.

// atFormerPlaces is the sink of such a command. It has the upstream that owns the key by the present list of servers answer once all
// have answered.
type atFormerPlaces struct {
	sink    upstream.Sink
	pending upstream.Pending
	answer  upstream.Answer
	last    protocol.Reply
	waiting int
	found   []byte // the reply of a former place that had the item
	refusal []byte // the error of one
}

// alsoAtFormerPlaces sends a command to the former places of its key, if it has any and the command is one that ends items. It returns
// the sink for the command.
func (c *Client) alsoAtFormerPlaces(req *protocol.Request, to route.Target, sink upstream.Sink) upstream.Sink {
	places := to.Pool.Shared.Places
	if places == nil || !endsItem(req) || !places.History().Changed() || to.Absent != nil {
		return sink
	}
	former, _ := places.History().Place(nil, req.Key, to.Owner.Index, time.Now())
	if len(former) == 0 {
		return sink
	}
	s := &atFormerPlaces{sink: sink, waiting: 1 + len(former)}
	for _, i := range former {
		c.endAt(to.Pool.All[i], req, s)
	}
	return s
}

// endsItem reports whether a command deletes an item or has it expire, and does nothing else.
func endsItem(req *protocol.Request) bool {
	return req.Command == protocol.Delete || req.Command == protocol.MetaDelete || req.Command == protocol.Touch
}

// endAt sends a command to a former place. If that is down, the key is deleted there when it is back.
func (c *Client) endAt(u *pool.Member, req *protocol.Request, s *atFormerPlaces) {
	if u.State != upstream.Up {
		u.Remember(req.Key, "")
		s.goOn()
		return
	}
	u.Connection(false).Request(req, &upstream.Pending{Sink: formerPlace{s}, Lane: &c.lane.Lane, Command: req.Command, Loss: upstream.LossOutdates})
}

// formerPlace is the sink of the command at a former place.
type formerPlace struct{ of *atFormerPlaces }

// Answered implements [upstream.Sink].
func (f formerPlace) Answered(_ *upstream.Pending, a *upstream.Answer) {
	switch {
	case a.IsError():
		f.of.refusal = bytes.Clone(a.Data)
	case endedItem(a.Data):
		f.of.found = bytes.Clone(a.Data)
	}
	f.of.goOn()
}

// endedItem reports whether a reply says that there was an item.
func endedItem(line []byte) bool {
	return bytes.HasPrefix(line, []byte("DELETED")) || bytes.HasPrefix(line, []byte("TOUCHED")) || bytes.HasPrefix(line, []byte("HD"))
}

// Answered implements [upstream.Sink]: the owner by the present list has answered.
func (s *atFormerPlaces) Answered(p *upstream.Pending, a *upstream.Answer) {
	s.pending, s.answer = *p, *a
	s.answer.Data, s.answer.Buffer = bytes.Clone(a.Data), upstream.Lent
	if a.Last != nil {
		s.last = *a.Last
		s.last.Line = bytes.Clone(a.Last.Line)
		s.answer.Last = &s.last
	}
	s.goOn()
}

// goOn answers once all have.
func (s *atFormerPlaces) goOn() {
	if s.waiting--; s.waiting > 0 {
		return
	}
	switch {
	case s.answer.Failed():
	case s.refusal != nil:
		s.answer = upstream.Answer{Data: s.refusal, Outcome: upstream.Refused}
	case s.found != nil:
		s.answer.Data = s.found
	}
	s.sink.Answered(&s.pending, &s.answer)
}
