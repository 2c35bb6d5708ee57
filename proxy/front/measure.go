package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
)

// begin is called before a request for a pool is carried out. The request's outcome is counted when
// the reply that is reserved next is sent.
func (c *Client) begin(req *protocol.Request, p *route.Pool) {
	began := c.loop.timing.Began
	switch {
	case req.More && req.Refusal == "": // the parts of a long retrieval count as one, with the last
		c.sample(req, p)
		return
	case c.replies.Long != nil:
		began = c.replies.Long.Began
	}
	// The usual request has one key, which is not in the sample of hot keys. For such a request Skip
	// does everything that sample would do. If Skip returns false it has counted nothing, so sample
	// may call it again.
	if n := req.NumWords; n > 1 || len(req.Key) == 0 || !p.Hot.Skip(1) {
		c.sample(req, p)
	}
	next := &c.replies.Next
	next.Meter, next.Began, next.Kind, next.Quiet = &p.Stats.Meter, began, reply.KindOf(req), c.silencesError(req)
	if c.loop.timing.Threshold > 0 {
		next.Trace = c.loop.timing.Trace(req, p.Shared.Name, began)
	}
}

// beginCounted counts a request and calls begin. It returns what over needs.
func (c *Client) beginCounted(req *protocol.Request, p *route.Pool) (reserved uint32) {
	c.count(req, p)
	c.begin(req, p)
	return c.replies.Tail
}

// over is called after a request has been refused, or has been carried out as far as possible
// without waiting. reserved is the end of the reply queue before the request: if it has not
// changed, the client gets no reply.
func (c *Client) over(reserved uint32) {
	next := &c.replies.Next
	if next.Meter == nil {
		return
	}
	if c.replies.Tail == reserved && !c.gone() {
		next.Meter.Results[next.Kind][status.NoReply]++
	}
	next.Meter, next.Quiet = nil, false
	if next.Trace != nil {
		c.loop.timing.Keep(next.Trace)
		next.Trace = nil
	}
}

// sample adds the request's keys to the hot keys of its pool, if the sample has them.
func (c *Client) sample(req *protocol.Request, p *route.Pool) {
	n := req.NumWords
	switch several := n > 1 && (req.Command.Retrieval() || execution.TakesKeys(req)); {
	case several && !p.Hot.Skip(n):
		p.Hot.TakeWords(c.loop.timing.Micros(), req.Words)
	case !several && len(req.Key) > 0 && !p.Hot.Skip(1):
		p.Hot.Take(c.loop.timing.Micros(), req.Key)
	}
}

// silencesError reports whether an error in answer to req must not be sent, because req is part of a multi-get of meta
// commands. For multi-gets of the binary protocol, see [binary.Form.QuietGet]. An error about the line itself
// is sent all the same, as memcached does.
func (c *Client) silencesError(req *protocol.Request) bool {
	return req.Quiet && req.Command == protocol.MetaGet && req.Refusal == "" && c.input.binary == nil
}

// traceAsked notes that the request of the reply in a slot has waited for an upstream since it was asked; a name that is
// empty stands for several.
func (c *Client) traceAsked(slot uint32, upstream string, since latency.Stamp) {
	if c.gone() {
		return
	}
	if t := c.replies.At(slot).Trace; t != nil {
		t.Asked(upstream, c.loop.timing.Stamp().Since(since))
	}
}
