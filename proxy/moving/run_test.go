package moving

import (
	"slices"
	"time"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// mayAdvance reports whether a proxy may go on to the next stage, and nobody is too far behind or ahead then.
func (w *world) mayAdvance(p *proxy) bool {
	next := p.stage + 1
	switch {
	case next > after, next == ending && w.servers[Old].item != nil: // which is swept
		return false
	case next == after && w.servers[New].item != nil && !w.servers[New].holds(): // a placeholder has expired by then
		return false
	}
	for _, other := range w.proxies {
		if other.stage < next-1 {
			return false
		}
	}
	return !slices.ContainsFunc(w.calls, func(k *call) bool { return k.stage < next-1 }) &&
		!slices.ContainsFunc(w.strays, func(s stray) bool { return s.call.stage < next-1 })
}

// ready returns the calls that may go on.
func (w *world) ready() []*call {
	m := w.servers[New].item
	if !w.patient || m == nil {
		return w.calls
	}
	ready := slices.DeleteFunc(slices.Clone(w.calls), func(k *call) bool { return k.waits > 0 && k.met == m.CAS })
	if len(ready) == 0 {
		return w.calls
	}
	return ready
}

// run runs the clients to their end.
func (w *world) run(choose verbtest.Chooser, advances bool) {
	for w.step = 1; ; w.step++ {
		var ways []func()
		for _, k := range w.ready() {
			ways = append(ways, func() { w.advance(k) })
		}
		for _, c := range w.clients {
			if c.answered && len(c.commands) > 0 {
				ways = append(ways, func() { w.begin(c) })
			}
		}
		if len(ways) == 0 {
			return
		}
		for _, p := range w.proxies {
			if advances && w.mayAdvance(p) {
				ways = append(ways, func() { p.stage++; w.note("a proxy is in stage %v", p.stage) })
			}
		}
		if f := choose.Fault(len(mishaps)); f > 0 {
			mishaps[f-1](w, choose)
			continue
		}
		ways[choose.Pick(len(ways))]()
	}
}

// mishaps are what may go wrong.
var mishaps = []func(*world, verbtest.Chooser){
	func(w *world, choose verbtest.Chooser) {
		if len(w.calls) > 0 {
			w.loseReply(w.calls[choose.Pick(len(w.calls))])
		}
	},
	func(w *world, choose verbtest.Chooser) {
		if len(w.strays) > 0 {
			w.late(choose.Pick(len(w.strays)))
		}
	},
	func(w *world, _ verbtest.Chooser) { w.evict(Old) },
	func(w *world, _ verbtest.Chooser) { w.evict(New) },
	func(w *world, _ verbtest.Chooser) { w.tick() },
}

// tick lets a second pass, unless an item is on its way for longer than one.
func (w *world) tick() {
	for _, k := range w.calls {
		if k.op.Do == Fill && w.now > int64(k.seen/time.Second) {
			return
		}
	}
	w.now++
	w.note("    it is %d", w.now)
}

// observes shows what is there in the end, and what comes to light when the new server evicts it; or first, what is there when all
// times to live are over.
func (w *world) observes(later bool) {
	if later {
		w.now += 10
	}
	w.clients = append(w.clients, &client{proxy: w.proxies[1], answered: true})
	c := w.clients[len(w.clients)-1]
	for range 3 {
		w.step++
		c.commands = []string{"get"}
		w.begin(c)
		for len(w.calls) > 0 {
			w.step++
			w.advance(w.calls[0])
		}
		w.step++
		w.evict(New)
	}
}

// late carries out an operation of a broken connection.
func (w *world) late(i int) {
	s := w.strays[i]
	w.strays = slices.Delete(w.strays, i, i+1)
	w.carryOut(s.call, s.op, s.found)
}

// evict evicts the item of a server.
func (w *world) evict(at Server) {
	m := &w.servers[at]
	w.note("    %v evicts", serverNames[at])
	if m.holds() {
		w.loses()
	}
	m.item = nil
}
