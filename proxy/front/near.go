package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A get of a key whose value is kept in the process (package near) needs no upstream while the value is young. If it is
// not, one get asks the upstream, and those that come meanwhile, on any loop, wait for its answer. Such an answer may arrive on
// another loop's connection, in no order with the client's other commands, so these wait until its gets are answered.

// answersNear answers req with what the process has: with the value of a key, or, if req is a verb, from a structure that the loop has
// read. It returns false if that has to be asked for.
func (c *Client) answersNear(req *protocol.Request, to route.Target) bool {
	if req.More || req.Refusal != "" || c.replies.Long != nil || c.loop.scratch.carriage.Load.Named > 0 || c.callers.unbegun > 0 || c.callers.waiting() {
		return false
	}
	switch {
	case req.Verb != nil:
		return c.glances(req, to)
	case req.Command == protocol.Get && req.NumWords == 1:
		return c.findsNear(req, to)
	}
	return false
}

// glances is answersNear for a verb.
func (c *Client) glances(req *protocol.Request, to route.Target) bool {
	answer := to.Pool.Verbs.Glance(c.loop.scratch.stripped.Request(c.routing, req))
	if answer == nil {
		return false
	}
	reserved := c.beginCounted(req, to.Pool)
	c.learn(len(answer))
	c.spendOnAnswer(len(answer))
	c.replies.Fill(c.replies.Reserve(0, nil), answer, false, reply.IsError(answer), &c.conn.Out)
	c.over(reserved)
	return true
}

// findsNear is answersNear for a get of one key.
func (c *Client) findsNear(req *protocol.Request, to route.Target) bool {
	value, age := to.Pool.Shared.Kept.Find(to.Stored(req.Key))
	if value == nil {
		return false
	}
	reserved := c.beginCounted(req, to.Pool)
	countNear(to.Pool, age)
	c.fillNear(c.replies.Reserve(1, nil), value, req.Key[:len(req.Key)-len(to.Stored(req.Key))])
	c.over(reserved)
	return true
}

// fillNear sets the reply of a slot to value, the reply to another get of the same key. prefix is what the route strips.
func (c *Client) fillNear(slot uint32, value, prefix []byte) {
	if len(prefix) > 0 {
		begin, rest := c.loop.scratch.stripped.Begin(value, prefix)
		value = append(begin, rest...)
		c.loop.scratch.stripped.Line = value
	}
	c.learn(len(value))
	c.spendOnAnswer(len(value))
	c.replies.Fill(slot, value, false, false, &c.conn.Out)
}

// joinsNear reports whether a request, which is about to be sent as it is stored, need not be sent because its client
// gets the answer to another get. Otherwise p may get a sink that tells the cache the answer.
func (c *Client) joinsNear(req *protocol.Request, to route.Target, p *upstream.Pending) bool {
	kept := to.Pool.Shared.Kept
	switch get := req.Command == protocol.Get; {
	case !get && !req.Changes() || get && to.Absent != nil || !kept.Covers(req.Key):
	case !get:
		p.Sink = marksChange(kept, req.Key, p.Sink)
	default:
		counts := &to.Pool.Stats.Verbs.Pool
		reply, fetch := kept.Ask(req.Key, func() near.Waiter {
			held, _ := p.Sink.(*heldGet)
			return &joined{c, p.Slot, to.Pool, append(bytes.Clone(req.Prefix), req.Key...), len(req.Prefix), held}
		})
		if reply != nil { // somebody has asked while this request waited
			countNear(to.Pool, 0)
			c.fillNear(p.Slot, reply, req.Prefix)
			return true
		}
		if fetch == nil {
			c.lane.joined++
			counts[status.NearJoined]++
			return true
		}
		counts[status.NearAsked]++
		p.Sink = &nearFetch{fetch, relay{p.Sink}}
	}
	return false
}

// nearFetch is the sink of a get whose answer is kept, unless it is large.
type nearFetch struct {
	fetch *near.Fetch
	relay
}

// Answered implements [upstream.Sink].
func (f *nearFetch) Answered(p *upstream.Pending, a *upstream.Answer) {
	var answer []byte
	if !a.IsError() && len(a.Data) < upstream.Large {
		answer = a.Data
	}
	f.end(answer)
	p.Sink = f.sink // whoever sends the get again, to the spare pool, must not end the fetch twice: the others would be told twice
	f.sink.Answered(p, a)
}

// end ends the fetch with an answer, nil if there is none for the others.
func (f *nearFetch) end(answer []byte) {
	if f.fetch == nil {
		return
	}
	copied, waiters := f.fetch.End(answer, hasValue(answer))
	f.fetch = nil
	for _, w := range waiters {
		w.Told(copied)
	}
}

// Streams implements [upstream.Streamer]. A large value is passed on as it arrives, as fast as its client reads, and is not
// kept: those who have joined ask by themselves.
func (f *nearFetch) Streams(p *upstream.Pending, pieces bool) bool {
	streams := f.relay.Streams(p, pieces)
	if streams {
		f.end(nil)
	}
	return streams
}

// joined is a get that waits for the answer to another one.
type joined struct {
	client *Client
	slot   uint32
	pool   *route.Pool
	key    []byte   // as the client has it
	cut    int      // how many bytes of that the route strips
	held   *heldGet // waits if the answer is a miss; nil if it does not
}

// Told implements [near.Waiter].
func (j *joined) Told(reply []byte) { j.client.loop.Post(func() { j.answered(reply) }) }

// answered answers the client, or sends the get by itself if the other one has failed.
func (j *joined) answered(reply []byte) {
	c := j.client
	if c.lane.joined--; c.gone() {
		return
	}
	switch {
	case reply == nil:
		c.asksAgain(j)
	case hasValue(reply):
		j.pool.Stats.Hit(tally.Get)
		c.fillNear(j.slot, reply, j.key[:j.cut])
	case j.held != nil && j.held.missed(&upstream.Pending{Slot: j.slot, Command: protocol.Get, Tally: tally.Get, Keys: 1}, reply):
	default:
		j.pool.Stats.Miss(tally.Get)
		c.replies.Fill(j.slot, reply, false, false, &c.conn.Out)
	}
	c.Progress()
}

// asksAgain sends a get that has joined another one in vain.
func (c *Client) asksAgain(j *joined) {
	to := c.routing.Target(j.key)
	to.Divert(protocol.Get, j.key)
	req := &c.loop.scratch.plain
	req.SetRetrieval(protocol.Get, to.Stored(j.key), 1, true)
	req.Prefix = j.key[:len(j.key)-len(to.Stored(j.key))]
	p := upstream.Pending{Sink: c, Lane: &c.lane.Lane, Slot: j.slot, Command: protocol.Get, Tally: tally.Get, Keys: 1, Unsized: c.unsized(req) > 0, Loss: lossOf(req, to)}
	if to.Owner.State != upstream.Up {
		c.answerDown(&p, nil, to.Owner.Refuse()) // a get, whose miss is the same for all keys
		return
	}
	if to.Strips != nil {
		p.Sink = c.restores(req)
	}
	if j.held != nil {
		p.Sink = j.held
	}
	if to.Source != nil && c.sendMoved(req, to, &p) {
		return
	}
	c.forwardTo(to.Owner.Connection(c.lane.bulk), req, &p)
}
