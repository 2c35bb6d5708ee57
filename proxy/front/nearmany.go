package front

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// A get of several keys asks upstreams only for those whose values the process does not have, and keeps what it finds. It
// waits for no other get.

// nearOwner is the index of the reply with the values that the process has.
const nearOwner = math.MaxUint16

// nearValues are the values of a retrieval that the process has.
type nearValues struct {
	gathered
	routing *route.Table
	command protocol.Command
	sent    int64 // when the upstreams were asked, by near.Now; 0 if no pool has values in the process
}

// begin begins a retrieval.
func (n *nearValues) begin(r *route.Table, command protocol.Command) {
	if n.routing, n.command = r, command; len(r.Kept) > 0 {
		n.sent = near.Now()
	}
}

// of returns the cache and the pool of key, and the key as it is stored; nothing if no value of that key is kept.
func (n *nearValues) of(key []byte) (kept *near.Cache, p *route.Pool, stored []byte) {
	if n.sent == 0 || n.routing.Covers(key) {
		return nil, nil, nil
	}
	p, stored = n.routing.Of(key)
	if kept = p.Shared.Kept; kept == nil || !kept.Covers(stored) {
		return nil, nil, nil
	}
	return kept, p, stored
}

// mark marks a key of a gat as changed until end.
func (n *nearValues) mark(key []byte) {
	if n.command != protocol.Gat && n.command != protocol.Gats {
		return
	}
	if kept, _, stored := n.of(key); kept != nil {
		kept.Begin(stored)
	}
}

// find returns the value of key, with its line, if the process has it.
func (n *nearValues) find(key []byte) []byte {
	kept, p, stored := n.of(key)
	if kept == nil || n.command != protocol.Get {
		return nil
	}
	reply, age := kept.Find(stored)
	if reply == nil {
		p.Stats.Verbs.Pool[status.NearAsked]++
		return nil
	}
	countNear(p, age)
	return reply[:len(reply)-len(endOfValues)]
}

const endOfValues = "END\r\n"

// keep keeps the value of key, with its line, if the reply with an index, which may be nil, is of an upstream of the key's own pool.
func (n *nearValues) keep(key, value []byte, owner uint16) {
	if value == nil || len(value) >= upstream.Large || n.command != protocol.Get || int(owner) >= len(n.routing.Members) {
		return
	}
	if kept, _, stored := n.of(key); kept != nil {
		kept.Keep(stored, append(append(make([]byte, 0, len(value)+len(endOfValues)), value...), endOfValues...), n.sent)
	}
}

// end ends the retrieval of all keys, one after another, as wanted says.
func (n *nearValues) end(keys []byte, all []wanted) {
	if n.sent > 0 && (n.command == protocol.Gat || n.command == protocol.Gats) {
		for _, this := range all {
			if kept, _, stored := n.of(keys[:this.length]); kept != nil {
				kept.End(stored)
			}
			keys = keys[this.length:]
		}
	}
	n.routing, n.sent = nil, 0
}

// countNear counts a value of an age, in microseconds, that the process had.
func countNear(p *route.Pool, age int64) {
	p.Stats.Hits[tally.Get]++
	p.Stats.Verbs.Pool[status.NearHits]++
	p.Stats.Verbs.Pool[status.NearAge] += uint64(age)
}
