package eventlogs

import (
	"strconv"

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
	NamedParts: true,
	Carry:      &verbs.Carry{Value: verbs.DataValue, Shape: "<log>"},
	Run:        func(c *verbs.Call) { logCall{c}.logput() },
}

func (c logCall) logput() {
	o, now := ringOf(c.Env), c.Env.Now()
	if !c.logName() {
		return
	}
	when := resolve(c.When, now)
	if !o.keeps(when, now) {
		c.Say("NOT_STORED")
		return
	}
	e := event{when: when, flags: strconv.AppendUint(nil, uint64(c.Flags), 10), data: c.Data}
	c.Buf = e.appendTo(c.Buf)
	p := put{Call: c.Call, now: now, chunk: o.chunkOf(when), ttl: o.ttl(when, now)}
	p.exptime = verbs.Exptime(p.ttl, now)
	p.item = o.appendItemKey(nil, c.Key, p.chunk)
	switch p.toRing() {
	case verbs.Done:
		c.Say("STORED")
	case verbs.Full:
		p.toOverflow()
	}
	if p.renewed {
		p.trim()
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
	chunk   int64
	item    []byte // the key of its item in the ring
	ttl     int64  // of the items of the chunk, in seconds
	exptime int64  // ttl as memcached's exptime
	renewed bool   // the item in the ring was of the last round
}

// toRing appends the event to the chunk's item in the ring.
func (p *put) toRing() verbs.Outcome {
	switch {
	case p.outgrown(0):
		return verbs.Full
	case ringOf(p.Env).shares(p.chunk, p.now):
		return p.toShared()
	}
	return p.appendEvent(p.item, 0)
}

// appendEvent appends the event to the item under key, or creates it. That is the
// chunk's n-th overflow item, or its item in the ring if n is 0.
func (p *put) appendEvent(key []byte, n int64) verbs.Outcome {
	o, size := p.AppendTo(key, p.Buf, true, p.exptime)
	if o == verbs.Done && size > longItem {
		p.Env.NoteOutgrown(p.itemID(n))
	}
	return o
}
