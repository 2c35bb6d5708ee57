package front

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
)

// A get that has missed a key may wait until another client has stored it (package holding). Its reply is outstanding
// meanwhile. The client may have sent more gets with it, such as the packets of a multi-get, and a noop. Anything else that
// it sends may be the value itself, or the client may wait for its reply. So its gets are answered with the misses before that
// is carried out.
//
//	the get is sent ──miss──▶ waits ──▶ over: the client gets the miss
//	       ▲                   └─stored─▶ sent again, when there is room on the connection ─┐
//	       └────────────────────────────────────────────────────────────────────────────────┘

// holds are the gets of a client that may wait.
type holds struct {
	asker   holding.Asker
	from    uint32  // the first reply whose get may wait: something has followed the gets before
	waiting []*held // in the order in which they have begun
	again   []*held // that are sent again when there is room
}

// held is a retrieval that may wait. It implements [holding.Get].
type held struct {
	client *Client
	get    interface {
		sendAgain() (sent bool) // sends it again, unless it has to wait for room
		miss()                  // answers with the misses
	}
	slot  uint32
	wait  *holding.Wait // nil unless it waits
	began latency.Stamp // when that began
	twice bool          // it has waited before
	pool  *route.Pool   // that counts it
}

// waits reports whether h, which has missed keys, waits. It may do so until a time, by [near.Now].
func (h *held) waits(keys []holding.Key, until int64) bool {
	c, counts := h.client, &h.pool.Stats.Verbs.Pool
	if c.gone() || c.departure.state != staying || c.input.state != arriving || int32(h.slot-c.holds.from) < 0 {
		until = 0
	}
	verdict, wait := c.loop.missing.table.Missed(&c.holds.asker, h, keys, until, near.Now())
	c.loop.missing.arm()
	switch {
	case verdict == holding.Waits:
		if h.wait, h.began = wait, c.loop.timing.Stamp(); !h.twice {
			counts[status.HeldWaited]++
		}
		h.twice = true
		c.holds.waiting = append(c.holds.waiting, h)
		c.learn(0) // there is room for what the client has sent behind
		c.Progress()
		return true
	case h.twice:
		counts[status.HeldMissed]++
	default:
		counts[status.HeldMakers]++
	}
	if verdict == holding.Makes {
		c.followed() // the client must learn at once that it makes a value
	}
	return false
}

// Over implements [holding.Get].
func (h *held) Over(o holding.Outcome) { h.client.loop.Post(func() { h.over(o) }) }

// over is called when the wait is over, unless the client has ended it meanwhile.
func (h *held) over(o holding.Outcome) {
	if h.wait == nil {
		return
	}
	c := h.client
	h.ends()
	if o == holding.Missing {
		h.miss()
		return
	}
	c.holds.again = append(c.holds.again, h)
	c.loop.wake(c)
}

// miss answers with the misses.
func (h *held) miss() {
	h.pool.Stats.Verbs.Pool[status.HeldMissed]++
	h.get.miss()
}

// ends removes h from the gets that wait. The wait does not count as time that the get took.
func (h *held) ends() {
	c := h.client
	c.holds.waiting = slices.DeleteFunc(c.holds.waiting, func(other *held) bool { return other == h })
	h.wait = nil
	c.replies.At(h.slot).Began += latency.Stamp(c.loop.timing.Stamp().Since(h.began))
}

// Probe implements [holding.Get].
func (h *held) Probe(k holding.Key) { h.client.loop.Post(func() { h.client.loop.probeMissing(k) }) }

// followed is called when the client has sent something behind its gets. Those that wait are answered with the misses, and
// those in flight will not wait.
func (c *Client) followed() {
	if c.holds == nil {
		return
	}
	c.holds.from = c.replies.Tail
	for len(c.holds.waiting) > 0 {
		h := c.holds.waiting[0]
		c.loop.missing.table.Release(h.wait, near.Now())
		h.ends()
		h.miss()
	}
}

// useHolds is called before the first get that may wait is sent, whose reply has a slot.
func (c *Client) useHolds(slot uint32) {
	if c.holds == nil {
		c.holds = &holds{from: slot}
	}
}

// goesWithGets reports whether req may be one of several gets that are sent together, or the end of them.
func (c *Client) goesWithGets(req *protocol.Request) bool {
	return req.Command == protocol.MetaNoop || c.loop.scratch.carriage.Load.Named == 0 && mayMiss(req)
}

// mayMiss reports whether req asks for values, and nothing more.
func mayMiss(req *protocol.Request) bool {
	switch req.Command {
	case protocol.Get, protocol.Gets:
		return true
	case protocol.MetaGet:
		return req.HasFlag('v') && req.Unplain() == 0 && len(req.Encoded) == 0
	}
	return false
}

// sendsAgain sends the gets again for which keys were stored. It returns false if the client has to wait for room.
func (c *Client) sendsAgain() bool {
	for len(c.holds.again) > 0 {
		if !c.holds.again[0].get.sendAgain() {
			return false
		}
		c.holds.again = slices.Delete(c.holds.again, 0, 1)
	}
	return true
}

// leavesHolds is called when the client is gone.
func (c *Client) leavesHolds() {
	if c.holds == nil {
		return
	}
	for _, h := range c.holds.waiting {
		c.loop.missing.table.Leave(h.wait)
		h.wait = nil
		h.get.miss()
	}
	for _, h := range c.holds.again {
		h.get.miss()
	}
	c.holds.waiting, c.holds.again = nil, nil
	c.loop.missing.table.Gone(&c.holds.asker, near.Now())
}
