package moving

import (
	"slices"
	"time"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// nexts are the stages to which a proxy may go on from each.
var nexts = [...][]stage{before: {both}, both: {moving}, moving: {leaving, ending}, leaving: {ending}, ending: {after}, after: nil}

// mayEnter reports whether a proxy may go on to a stage, and nobody is too far behind then.
func (w *world) mayEnter(next stage) bool {
	behind := next - 1
	switch {
	case next == ending && w.servers[Old].item == nil: // which is swept
		behind = moving
	case next == after && w.servers[New].item != nil && !w.lives(New): // a placeholder has expired by then, a stray is swept
		return false
	}
	return !slices.ContainsFunc(w.proxies, func(p *proxy) bool { return p.stage < behind }) &&
		!slices.ContainsFunc(w.calls, func(k *call) bool { return k.stage < behind }) &&
		!slices.ContainsFunc(w.delayed, func(d delayed) bool { return d.call.stage < behind })
}

// enter lets a proxy go on to a stage. What is on the old server then is left there.
func (w *world) enter(p *proxy, next stage) {
	p.stage = next
	w.note("a proxy is in stage %v", next)
	if next == ending && w.lives(Old) {
		w.loses()
		w.left = true
	}
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
			if c.mayBegin() {
				ways = append(ways, func() { w.begin(c) })
			}
		}
		if len(ways) == 0 {
			return
		}
		for _, p := range w.proxies {
			for _, next := range nexts[p.stage] {
				if advances && w.mayEnter(next) {
					ways = append(ways, func() { w.enter(p, next) })
				}
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
		if len(w.delayed) > 0 {
			w.late(choose.Pick(len(w.delayed)))
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
	w.clients = append(w.clients, &client{proxy: w.proxies[len(w.proxies)-1], answered: true})
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
	d := w.delayed[i]
	w.delayed = slices.Delete(w.delayed, i, i+1)
	w.carryOut(d.call, d.op, d.found)
}

// evict evicts the item of a server.
func (w *world) evict(at Server) {
	m := &w.servers[at]
	w.note("    %v evicts", serverNames[at])
	if w.lives(at) {
		w.loses()
	}
	m.item = nil
}
