package eventlogs

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Verbs are the verbs on event logs, in the order in which help lists them.
var Verbs = []*verbs.Verb{&logput, &logfetch}

// logCall is a call of a verb on an event log.
type logCall struct{ *verbs.Call }

// logput adds an event to a log.
var logput = verbs.Verb{
	Verb:       protocol.Verb{Name: "logput", Usage: "<log> <flags> <when> <bytes> [noreply]", Read: readLogPut, Block: true},
	Does:       "adds an event to a log, at <when>: milliseconds since 1970, 0 for now, negative for before now",
	NamedParts: true,
	Carry:      &verbs.Carry{By: protocol.Set, Value: verbs.DataValue, Shape: "<log>", Time: true},
	Run: func(c *verbs.Call) verbs.Step {
		if op, ok := (logCall{c}).directly(); ok {
			return c.Asks(appended, op)
		}
		return verbs.Step{Go: func(c *verbs.Call) { logCall{c}.logput(nil) }}
	},
}

// appended takes the reply to the append of directly.
func appended(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
	switch r := replies[0]; r.Status {
	case verbs.Stored:
		c.Say("STORED")
		logCall{c}.noteLong(r.Size)
	case verbs.NotStored:
		full := bytes.Clone(c.Name)
		next.Go = func(c *verbs.Call) { logCall{c}.logput(full) }
	default:
		c.Fail(r)
	}
	return next
}

// logput puts the event, given the key of an item that is full, if one is known to be.
func (c logCall) logput(full []byte) {
	if !c.logName() {
		return
	}
	p, ok := c.put()
	if !ok {
		c.Say("NOT_STORED")
		return
	}
	c.Buf = appendEvent(c.Buf[:0], p.when, c.Flags, c.Data)
	p.item = ringOf(c.Env).appendItemKey(nil, c.Key, p.chunk)
	o := verbs.Full
	if !bytes.Equal(p.item, full) {
		o = p.toRing()
	}
	switch o {
	case verbs.Done:
		c.Say("STORED")
	case verbs.Full:
		p.toOverflow()
	}
	if p.renewed {
		p.trim()
	}
}

// directly returns the append to the chunk's item in the ring. It returns false if more
// than that append has to be done.
func (c logCall) directly() (op verbs.Op, ok bool) {
	if len(c.Key) > maxLogName {
		return op, false
	}
	p, ok := c.put()
	if !ok || p.shares() || p.outgrown(0) {
		return op, false
	}
	c.Name = ringOf(c.Env).appendItemKey(c.Name[:0], c.Key, p.chunk)
	if p.item = c.Name; !p.seen() {
		return op, false
	}
	c.Buf = appendEvent(c.Buf, p.when, c.Flags, c.Data)
	return c.Creates(c.Name, c.Buf, p.exptime)
}

// noteLong notes that the item that directly has appended to is long if its size is, so that the next
// event goes elsewhere. If another chunk has begun meanwhile, events do so anyway.
func (c logCall) noteLong(size int) {
	if size <= longItem {
		return
	}
	p, _ := c.put()
	if item := ringOf(c.Env).appendItemKey(nil, c.Key, p.chunk); bytes.Equal(item, c.Name) {
		p.noteLong(0)
	}
}

// logName checks the log's name. If the keys of its items would be too long, it answers
// with the error and returns false.
func (c logCall) logName() bool {
	if len(c.Key) <= maxLogName {
		return true
	}
	c.Sayf("CLIENT_ERROR bad key: the name of a log is at most %d bytes", maxLogName)
	return false
}

// put is a logput in execution. The event is in the call's Buf.
type put struct {
	*verbs.Call
	now     int64 // when the call began
	when    int64 // the time of the event
	chunk   int64
	item    []byte // the key of its item in the ring
	ttl     int64  // of the items of the chunk, in seconds
	exptime int64  // ttl as memcached's exptime
	renewed bool   // the item in the ring was of the last round
	over    bool   // which was over for everybody
}

// put works out where the event goes. It returns false if events of that time are not
// kept.
func (c logCall) put() (p put, ok bool) {
	o, now := ringOf(c.Env), c.Env.Now()
	when := resolve(c.When, now)
	p = put{Call: c.Call, now: now, when: when, chunk: o.chunkOf(when), ttl: o.ttl(when, now)}
	p.exptime = verbs.Exptime(p.ttl, now)
	return p, o.keeps(when, now)
}

// toRing appends the event to the chunk's item in the ring.
func (p *put) toRing() (o verbs.Outcome) {
	switch {
	case p.outgrown(0):
		return verbs.Full
	case p.shares():
		o = p.toShared()
	case !p.seen():
		o = p.toUnseen()
	default:
		return p.appendEvent(p.item, 0)
	}
	if o == verbs.Done {
		p.see()
	}
	return o
}

// shares reports whether the item in the ring may still be the one of the last round. If the
// upstream has answered nothing since that has certainly expired, it may have hung since before,
// and find the item when it goes on.
func (p *put) shares() bool {
	settled := ringOf(p.Env).settled(p.chunk)
	return p.now < settled || p.now-p.Env.Silence(p.Key) < settled
}

// appendEvent appends the event to the item under key, or creates it. That is the
// chunk's n-th overflow item, or its item in the ring if n is 0.
func (p *put) appendEvent(key []byte, n int64) verbs.Outcome {
	o, size := p.AppendTo(key, p.Buf, true, p.exptime, false)
	return p.appended(o, size, n)
}

// appended notes whether the item has become long, given the outcome of an append and the size that
// the item has since. It returns the outcome.
func (p *put) appended(o verbs.Outcome, size int, n int64) verbs.Outcome {
	if o == verbs.Done && size > longItem {
		p.noteLong(n)
	}
	return o
}
