package front

import (
	"bytes"
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Keys of a retrieval that are in one namespace on one server are asked for together, as a call with several keys.

// spacedParts are what a retrieval asks for in namespaces.
type spacedParts struct {
	calls   []*spacedCall // until they are sent
	owners  []*pool.Member
	replies []gathered
	moved   []*movedCall // calls on keys that move, until they are sent; their replies are among the others
}

const (
	// firstSpaced is the index of the first reply to a call; those of upstreams and of verbs are lower.
	firstSpaced = math.MaxUint16 / 2
	// mostSpaced is how many calls a retrieval may have.
	mostSpaced = math.MaxUint16 - firstSpaced - 1
	// searchedSpaced is how many calls, the latest ones, are searched for one to which a key can be added. If none is found, the
	// key gets another call.
	searchedSpaced = 16
	// mostOfSpaced is how many bytes of keys a call has at most.
	mostOfSpaced = 8 << 10
)

// isSpaced reports whether the reply with an index is that to a call.
func isSpaced(owner uint16) bool { return owner >= firstSpaced && owner != nearOwner }

// askSpaced adds a key in a namespace to a call. It returns the index of the reply, and why the retrieval is to be refused, if it is.
func (g *gather) askSpaced(req *protocol.Request, key []byte, to route.Target) (owner uint16, refusal string) {
	stored := to.Stored(key)
	prefix := key[:len(key)-len(stored)]
	switch {
	case len(stored) > protocol.MaxKey-namespace.Length:
		return nearOwner, tooLongInSpace(&protocol.Request{Key: stored, Prefix: prefix}, to.Namespace) + "\r\n"
	case len(g.spaced.calls) >= mostSpaced:
		return nearOwner, "CLIENT_ERROR the keys are in too many namespaces; ask for fewer at once\r\n"
	}
	calls := g.spaced.calls
	for i := len(calls) - 1; i >= max(0, len(calls)-searchedSpaced); i-- {
		if s := calls[i]; s != nil && s.owner == to.Owner && bytes.HasPrefix(s.words, stored[:to.Namespace]) && bytes.Equal(s.req.Prefix, prefix) && len(s.words) < mostOfSpaced {
			s.words = append(append(s.words, ' '), stored...)
			s.req.NumWords++
			return uint16(firstSpaced + i), ""
		}
	}
	s := g.client.newSpacedCall(to, &upstream.Pending{Sink: g, Slot: uint32(firstSpaced + len(calls)), Command: req.Command, Tally: tally.Of(req), Unsized: !g.client.replies.expected.seen})
	s.Order, s.words = namespace.OrderOf(req), append(s.words[:0], stored...)
	s.req.Prefix, s.req.NumWords = prefix, 1
	if to.Pool.Shared.OnDown == config.Miss {
		s.answers.Loss = upstream.LossMisses
	}
	g.spaced.calls, g.spaced.owners, g.spaced.replies = append(calls, s), append(g.spaced.owners, to.Owner), append(g.spaced.replies, gathered{})
	return uint16(firstSpaced + len(calls)), ""
}

// sendSpaced sends the calls.
func (g *gather) sendSpaced(req *protocol.Request) {
	for i, s := range g.spaced.calls {
		if g.spaced.calls[i] = nil; s == nil {
			continue
		}
		prefix := s.req.Prefix
		s.req.SetRetrieval(req.Command, s.words, s.req.NumWords, true)
		s.req.Prefix, s.req.Exptime, s.answers.Keys = prefix, req.Exptime, uint16(s.req.NumWords)
		g.waiting++
		s.enter()
	}
}

// clear makes the parts ready for use again.
func (p *spacedParts) clear() {
	clear(p.owners)
	p.calls, p.owners, p.replies = p.calls[:0], p.owners[:0], p.replies[:0]
}
