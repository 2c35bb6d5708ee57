package proxy

import (
	"fmt"

	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// gate is an upstream, and what waits until it can be asked for something.
type gate struct {
	upstream.Upstream
	loop   *loop
	first  connectionQueue
	second connectionQueue
	verbs  verbSlots
	early  []func()    // what verbs and polls have wait for the first attempt to connect
	shared sharedReads // on the first connection
}

func newGate(l *loop, index int) *gate {
	g := &gate{loop: l}
	g.Init(&l.env, l.server.servers, index, g)
	g.first.init(g, &g.First)
	g.second.init(g, &g.Bulk.Connection)
	g.verbs.loop, g.verbs.of = l, &g.verbs
	return g
}

// queue returns the queue for the connection that a request goes on, as Connection does.
func (g *gate) queue(bulk bool) *connectionQueue {
	if g.Connection(bulk) == g.second.at {
		return &g.second
	}
	return &g.first
}

// Lost implements [upstream.Owner].
func (g *gate) Lost() { g.shared = nil }

// WasTried implements [upstream.Owner].
func (g *gate) WasTried() {
	g.loop.untried--
	early := g.early
	g.early = nil
	for _, then := range early {
		then()
	}
}

// operate sends what a verb asked for. What never changes may be large, so that is read on
// the second connection.
func (g *gate) operate(op *verbs.Op, p upstream.Pending) {
	to := g.Connection(op.Constant)
	out := to.Out()
	out.Extend(op.AppendTo(out.Room(2*len(op.Key) + len(op.Data) + 128)))
	to.Expected.Extend(op.Asked(to.Expected.Text()))
	p.Command, p.Long = op.Command(), true
	g.loop.stats.operations++
	to.Push(&p)
}

// tooLong says what is wrong with a value of an upstream, of size bytes, that is longer than
// what is taken.
func tooLong(p *upstream.Pending, size int) string {
	if p.Long {
		return fmt.Sprintf("holds an item of %d bytes that the verb needs, and verbs read none longer than %d MB; delete it", size, verbs.MaxAnswer>>20)
	}
	return fmt.Sprintf("holds a value of %d bytes under this key, more than --max-item-size", size)
}
