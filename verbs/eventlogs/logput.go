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
	Traces:     verbs.Scattered,
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

// appended takes the reply to the append that directly has returned.
func appended(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
	switch r := replies[0]; r.Status {
	case verbs.Stored:
		c.Say("STORED")
		if r.Size > longItem { // so that the next event is appended to another item
			c.Env.NoteOutgrown(c.Name)
		}
	case verbs.NotStored:
		full := bytes.Clone(c.Name)
		next.Go = func(c *verbs.Call) { logCall{c}.logput(full) }
	default:
		c.Fail(r)
	}
	return next
}

// logput stores the event. full is the key of an item that is known to be full, or nil.
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
	r := verbs.Reply{Status: verbs.NotStored}
	if !bytes.Equal(p.key(1), full) {
		r = p.toFirst()
	}
	if r.Status == verbs.NotStored {
		r = p.toFurther()
	}
	if r.Status != verbs.Stored {
		c.Fail(r)
		return
	}
	c.Say("STORED")
}

// directly returns the append to the chunk's first item. It returns false if that append alone does
// not suffice.
func (c logCall) directly() (op verbs.Op, ok bool) {
	if len(c.Key) > maxLogName {
		return op, false
	}
	p, ok := c.put()
	if !ok || !p.seen() || p.outgrown(1) {
		return op, false
	}
	c.Buf = appendEvent(c.Buf, p.when, c.Flags, c.Data)
	return c.Creates(p.key(1), c.Buf, p.exptime)
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

// put is a running logput. The event is in the call's Buf.
type put struct {
	*verbs.Call
	began   int64 // the event loop's uptime then
	when    int64 // the time of the event
	chunk   int64
	exptime int64 // of the items
}

// put determines the chunk of the event. It returns false if events of that time are not kept.
func (c logCall) put() (p put, ok bool) {
	o, now := chunksOf(c.Env), c.Env.Now()
	p = put{Call: c.Call, began: c.Env.Uptime(), when: resolve(c.When, now)}
	p.chunk = o.at(p.when)
	p.exptime = o.exptime(now)
	return p, o.keeps(p.when, now)
}

// toFirst appends the event to the chunk's first item, or creates it: Stored, NotStored if the item is full, or Failed.
func (p *put) toFirst() verbs.Reply {
	switch {
	case p.outgrown(1):
		return verbs.Reply{Status: verbs.NotStored}
	case p.seen():
		return p.appended(1, p.AppendTo(p.key(1), p.Buf, true, p.exptime, false))
	}
	r := p.lastingly(1)
	if r.Status == verbs.Stored || r.Status == verbs.NotStored {
		p.see()
	}
	return r
}
