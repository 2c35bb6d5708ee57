package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// counters are what one loop has counted.
type counters struct {
	commands  [protocol.NumCommands]uint64
	trips     [protocol.NumCommands]uint64 // of verbs
	hits      [protocol.NumCommands]uint64 // what was asked for and was there
	misses    [protocol.NumCommands]uint64 // and what was not
	unequal   uint64                       // cas that found another id
	tried     uint64                       // compactions
	won       uint64
	accepted  uint64 // connections
	cutOff    uint64 // clients
	connected int    // clients now
	read      uint64 // bytes from clients
	written   uint64 // bytes to them
}

// upstreamStats are what one loop has counted of one upstream.
type upstreamStats struct {
	Requests uint64
	Errors   uint64
	Timeouts uint64
}

// count notes whether a request found what it asked for.
func (s *counters) count(p *pending, r *replyReader) {
	switch c := p.command; {
	case c.Retrieval():
		s.hits[c] += uint64(r.values)
		s.misses[c] += uint64(max(0, int(p.keys)-r.values))
	case r.unit.Kind == protocol.ReplyError:
	default:
		switch string(r.unit.Line[:min(2, len(r.unit.Line))]) {
		case "EN", "NF", "NO":
			s.misses[c]++
		case "EX":
			s.unequal++
		default:
			s.hits[c]++
		}
	}
}

func (s *counters) countVerb(command protocol.Command, a verbs.Account) {
	s.trips[command] += uint64(a.Trips)
	s.tried += uint64(a.Tried)
	s.won += uint64(a.Won)
}

// report is what a loop tells of itself.
type report struct {
	counters
	upstreams []upstreamReport
}

type upstreamReport struct {
	upstreamStats
	state   state
	version version
	pending int
}

func (l *loop) report() report {
	r := report{counters: l.stats}
	r.connected = len(l.clients)
	for _, u := range l.upstreams {
		r.upstreams = append(r.upstreams, upstreamReport{u.stats, u.state, u.version, u.pending.len()})
	}
	return r
}

// add merges the report of another loop into r. An upstream is in the worst
// state that it has for any loop.
func (r *report) add(other report) {
	for i := range r.commands {
		r.commands[i] += other.commands[i]
		r.trips[i] += other.trips[i]
		r.hits[i] += other.hits[i]
		r.misses[i] += other.misses[i]
	}
	r.unequal += other.unequal
	r.read += other.read
	r.written += other.written
	r.tried += other.tried
	r.won += other.won
	r.accepted += other.accepted
	r.cutOff += other.cutOff
	r.connected += other.connected
	if r.upstreams == nil {
		r.upstreams = other.upstreams
		return
	}
	for i, u := range other.upstreams {
		mine := &r.upstreams[i]
		mine.Requests += u.Requests
		mine.Errors += u.Errors
		mine.Timeouts += u.Timeouts
		mine.pending += u.pending
		if u.state == up && mine.version == (version{}) {
			mine.version = u.version
		}
		if u.state != up {
			mine.state = u.state
		}
	}
}

func (l *loop) resetStats() {
	l.stats = counters{}
	for _, u := range l.upstreams {
		u.stats = upstreamStats{}
	}
}
