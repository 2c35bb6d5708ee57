package proxy

import (
	"sync/atomic"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
	"github.com/memverbs/memverbs/verbs/structure"
)

// counters are what one loop has counted.
type counters struct {
	tally.Counts
	commands   [protocol.NumCommands]uint64
	verbs      [catalog.Most]verbCounts // by their numbers
	errors     errorCounts
	operations uint64 // that verbs have asked upstreams for
	tried      uint64 // compactions
	won        uint64
	lost       uint64 // structures found incomplete
	accepted   uint64 // connections
	givenUp    uint64 // requests that were being received, as there was no memory
	cutOff     uint64 // clients
	connected  int    // clients now
	views      structure.ViewCounts
	read       uint64 // bytes from clients
	written    uint64 // bytes to them
}

// countCarried enters a request for a key that names a verb, as one for an item
// under that key.
func (s *counters) countCarried(t tally.Kind, outcome verbkeys.Outcome) {
	switch outcome {
	case verbkeys.Stored, verbkeys.Hit:
		s.Hit(t)
	case verbkeys.NotStored, verbkeys.Missing:
		s.Miss(t)
	}
}

// verbCounts are what has been counted of one verb.
type verbCounts struct {
	count uint64 // calls
	trips uint64 // round trips
}

func (s *counters) countVerb(v *verbs.Verb, a verbs.Account) {
	s.verbs[v.Number].trips += uint64(a.Trips)
	s.tried += uint64(a.Tried)
	s.won += uint64(a.Won)
}

// report is what a loop tells of itself.
type report struct {
	counters
	upstreams []upstreamReport
}

type upstreamReport struct {
	upstream.Stats
	state   upstream.State
	version upstream.Version
	pending int
}

func (l *loop) report() report {
	r := report{counters: l.stats}
	r.connected = len(l.clients)
	r.views = l.views.Counts()
	for _, u := range l.upstreams.all {
		r.upstreams = append(r.upstreams, upstreamReport{u.Stats, u.State, u.Version, u.InFlight()})
	}
	return r
}

// add merges the report of another loop into r. An upstream is in the worst
// state that it has for any loop.
func (r *report) add(other report) {
	for i := range r.commands {
		r.commands[i] += other.commands[i]
	}
	for i := range r.verbs {
		r.verbs[i].count += other.verbs[i].count
		r.verbs[i].trips += other.verbs[i].trips
	}
	r.Counts.Add(&other.Counts)
	r.errors.client += other.errors.client
	r.errors.server += other.errors.server
	r.operations += other.operations
	r.read += other.read
	r.written += other.written
	r.tried += other.tried
	r.won += other.won
	r.lost += other.lost
	r.accepted += other.accepted
	r.cutOff += other.cutOff
	r.givenUp += other.givenUp
	r.connected += other.connected
	r.views.Add(other.views)
	if r.upstreams == nil {
		r.upstreams = other.upstreams
		return
	}
	for i, u := range other.upstreams {
		mine := &r.upstreams[i]
		mine.Stats.Add(&u.Stats)
		mine.pending += u.pending
		if u.state == upstream.Up && mine.version == (upstream.Version{}) {
			mine.version = u.version
		}
		if u.state != upstream.Up {
			mine.state = u.state
		}
	}
}

// resetStats has all loops forget what they have counted, and calls then when
// they have, on one of them.
func (s *Server) resetStats(then func()) {
	var waiting atomic.Int64
	waiting.Store(int64(len(s.loops)))
	s.eachLoop(func(l *loop) {
		l.resetStats()
		if waiting.Add(-1) == 0 {
			then()
		}
	})
}

func (l *loop) resetStats() {
	l.stats = counters{}
	l.views.ResetCounts()
	for _, u := range l.upstreams.all {
		u.Stats = upstream.Stats{}
	}
}
