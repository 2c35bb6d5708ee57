package front

import (
	"bytes"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// shadowedGet is a get of one key that a shadow is asked for too. It is the sink of the reply of the key's own pool, and passes that
// on. When both pools have answered, it is used again.
type shadowedGet struct {
	notingRelay
	kept        *memory.Reuse[shadowedGet]
	of          *route.Shadow
	both        shadow.Both
	shadowBegun bool // a part of the shadow's value has been dropped
}

// Answered implements [upstream.Sink].
func (g *shadowedGet) Answered(p *upstream.Pending, a *upstream.Answer) {
	sink := g.sink
	p.Sink = sink // whoever sends the get again, to the spare pool, must not be told here
	g.both.Main = answerOf(a, g.begun)
	g.compare()
	sink.Answered(p, a)
}

// compare compares the answers when both are there.
func (g *shadowedGet) compare() {
	if !g.both.Complete() {
		return
	}
	g.of.Compare(g.both)
	kept := g.kept
	*g = shadowedGet{}
	kept.Keep(g)
}

// answerOf returns what a server has answered to a get of one key. begun says that a part of the value has arrived before.
func answerOf(a *upstream.Answer, begun bool) shadow.Answer {
	if a.IsError() {
		return shadow.Failed
	}
	return shadow.Found(begun || !bytes.HasPrefix(a.Data, []byte("EN"))) // END, or EN of a meta command
}

// shadowReply is a shadowedGet as the sink of the shadow's reply, whose value is dropped as it arrives.
type shadowReply shadowedGet

// Answered implements [upstream.Sink].
func (r *shadowReply) Answered(p *upstream.Pending, a *upstream.Answer) {
	r.of.Answered(p, a)
	r.both.Shadow = answerOf(a, r.shadowBegun)
	(*shadowedGet)(r).compare()
}

// Streams implements [upstream.Streamer].
func (r *shadowReply) Streams(*upstream.Pending, bool) bool { return true }

// Take implements [upstream.Streamer].
func (r *shadowReply) Take(*upstream.Pending, []byte) { r.shadowBegun = true }

// Straight implements [upstream.Streamer].
func (r *shadowReply) Straight(*upstream.Pending) *transport.Conn { return nil }

// Moved implements [upstream.Streamer]. It is never called.
func (r *shadowReply) Moved(*upstream.Pending, int) {}
