package structures

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// nemesis has things go wrong, one or two at a time.
type nemesis struct {
	t          *testing.T
	random     *rand.Rand
	done       <-chan struct{}
	tally      *tally
	memverbs   []*harness.Memverbs
	memcacheds []*harness.Memcached
	links      []*harness.Link
	crowd      *crowd
}

// fault is something that goes wrong, and what it takes to put it right.
type fault struct {
	name   string
	strike func(n *nemesis) (mend func())
}

// faultsOfTheWay are the faults that cost no data.
var faultsOfTheWay = []fault{
	toxic("delay", "latency", func(r *rand.Rand) map[string]any {
		return map[string]any{"latency": r.IntN(150), "jitter": r.IntN(100)}
	}),
	toxic("throttle", "bandwidth", func(r *rand.Rand) map[string]any {
		return map[string]any{"rate": 1 + r.IntN(50)} // kB/s
	}),
	toxic("slice", "slicer", func(r *rand.Rand) map[string]any {
		return map[string]any{"average_size": 1 + r.IntN(20), "delay": r.IntN(200)} // bytes, µs
	}),
	toxic("stall", "timeout", func(*rand.Rand) map[string]any {
		return map[string]any{"timeout": 0} // until it is mended, which closes the connection
	}),
	toxic("cut off after some bytes", "limit_data", func(r *rand.Rand) map[string]any {
		return map[string]any{"bytes": r.IntN(10000)}
	}),
	toxic("reset", "reset_peer", func(r *rand.Rand) map[string]any {
		return map[string]any{"timeout": r.IntN(100)}
	}),
	{"cut", func(n *nemesis) func() {
		l := n.links[n.random.IntN(len(n.links))]
		l.Cut()
		return func() { l.Join(n.t) }
	}},
	killing,
}

// killing kills a memverbs.
var killing = fault{"kill memverbs", func(n *nemesis) func() {
	m := n.memverbs[n.random.IntN(len(n.memverbs))]
	n.tally.countUp(m)
	m.Kill(n.t)
	return func() { m.Restart(n.t) }
}}

// faultsOfTheStore are the faults that cost data.
var faultsOfTheStore = []fault{
	{"kill memcached", func(n *nemesis) func() {
		m := n.memcacheds[n.random.IntN(len(n.memcacheds))]
		n.tally.countEvictions(m)
		n.crowd.lose(func() { m.Kill(n.t) })
		return func() { m.Restart(n.t) }
	}},
}

var allFaults = append(slices.Clone(faultsOfTheWay), faultsOfTheStore...)

// toxic is a fault of one of the links.
func toxic(name, kind string, attributes func(*rand.Rand) map[string]any) fault {
	return fault{name, func(n *nemesis) func() {
		l := n.links[n.random.IntN(len(n.links))]
		way := []string{"upstream", "downstream"}[n.random.IntN(2)]
		// Every loop of every memverbs has a connection of its own, and some
		// of them may stay sound.
		share := []float64{0.3, 0.7, 1}[n.random.IntN(3)]
		l.Add(n.t, harness.Toxic{Type: kind, Stream: way, Toxicity: share, Attributes: attributes(n.random)})
		return func() { l.Mend(n.t) }
	}}
}

// rage strikes with one fault after another, and leaves all in order when it
// is done.
func (n *nemesis) rage(faults []fault, progress time.Duration) {
	last := time.Now()
	for n.rest(50, 600) {
		f := faults[n.random.IntN(len(faults))]
		n.tally.add(n.tally.faults, f.name)
		mend := f.strike(n)
		n.rest(20, 500)
		mend()
		if time.Since(last) > progress {
			last = time.Now()
			n.t.Log(n.tally.progress())
		}
	}
}

// rest lets some time pass, from a least to a most in milliseconds. It returns
// false when it is time to end.
func (n *nemesis) rest(least, most int) bool {
	select {
	case <-n.done:
		return false
	case <-time.After(time.Duration(least+n.random.IntN(most-least)) * time.Millisecond):
		return true
	}
}
