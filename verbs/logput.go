package verbs

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// logput adds an event to a log.
var logput = Verb{
	Verb:       protocol.Verb{Name: "logput", Usage: "<log> <flags> <when> <bytes> [noreply]", Read: readLogPut, Block: true},
	NamedParts: true,
	Carry:      &Carry{Value: DataValue, Shape: "<log>"},
	run:        (*Call).logput,
}

func (c *Call) logput() {
	o, now := c.env.Options(), c.env.Now()
	if !c.logName() {
		return
	}
	when := resolve(c.when, now)
	if !o.keeps(when, now) {
		c.say("NOT_STORED")
		return
	}
	e := event{when: when, flags: strconv.AppendUint(nil, uint64(c.flags), 10), data: c.data}
	c.buf = e.appendTo(c.buf)
	p := put{Call: c, now: now, chunk: o.chunkOf(when), ttl: o.ttl(when, now)}
	p.exptime = exptime(p.ttl, now)
	p.item = o.appendItemKey(nil, c.key, p.chunk)
	switch p.toRing() {
	case stored:
		c.say("STORED")
	case full:
		p.toOverflow()
	}
	if p.renewed {
		p.trim()
	}
}

// logName refuses a log whose items would have keys too long.
func (c *Call) logName() bool {
	if len(c.key) <= maxLogName {
		return true
	}
	c.sayf("CLIENT_ERROR bad key: the name of a log is at most %d bytes", maxLogName)
	return false
}

// put is a logput under way. The event is in the call's buf.
type put struct {
	*Call
	now     int64 // when the call began
	chunk   int64
	item    []byte // the key of its item in the ring
	ttl     int64  // of the items of the chunk, in seconds
	exptime int64  // the same, as memcached takes it
	renewed bool   // the item in the ring was one of the last round
}

// toRing appends the event to the chunk's item in the ring.
func (p *put) toRing() outcome {
	switch {
	case p.outgrown(0):
		return full
	case p.env.Options().shares(p.chunk, p.now):
		return p.toShared()
	}
	return p.appendEvent(p.item, 0)
}

// appendEvent appends the event to the item of its chunk under key, or creates it:
// to the n-th overflow item, or to the one in the ring if n is 0.
func (p *put) appendEvent(key []byte, n int64) outcome {
	o, size := p.appendTo(key, p.buf, true, p.exptime)
	if o == stored && size > longItem {
		p.env.NoteOutgrown(p.itemID(n))
	}
	return o
}
