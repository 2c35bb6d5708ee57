package proxy

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// counters are what one loop has counted.
type counters struct {
	commands  [protocol.NumCommands]uint64
	trips     [protocol.NumCommands]uint64 // of verbs
	hits      uint64
	misses    uint64
	tried     uint64 // compactions
	won       uint64
	accepted  uint64 // connections
	cutOff    uint64 // clients
	connected int    // clients now
}

// upstreamStats are what one loop has counted of one upstream.
type upstreamStats struct {
	Requests uint64
	Errors   uint64
	Timeouts uint64
}

// count notes whether a retrieval found what it asked for.
func (s *counters) count(p *pending, r *replyReader) {
	switch {
	case p.command.Retrieval():
		s.hits += uint64(r.values)
		s.misses += uint64(max(0, int(p.keys)-r.values))
	case p.command == protocol.MetaGet:
		if r.unit.Kind == protocol.ReplyMetaValue {
			s.hits++
		} else {
			s.misses++
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
	}
	r.hits += other.hits
	r.misses += other.misses
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

// dispatchStats answers stats. What is told is of all loops, so each of them
// is asked, and the answer waits for the last.
func (c *client) dispatchStats(req *protocol.Request) {
	what, _ := protocol.NextWord(req.Words)
	var tell func(*Server, *report) string
	switch string(what) {
	case "":
		tell = tellGeneral
	case "upstreams":
		tell = tellUpstreams
	case "reset":
		c.loop.server.eachLoop(func(l *loop) { l.resetStats() })
		c.local("RESET\r\n")
		return
	default:
		c.refuse("CLIENT_ERROR no such statistics here: ask stats, stats upstreams or stats reset; others are those of a single memcached")
		return
	}
	slot := c.slots.reserve(0, nil)
	home := c.loop
	c.loop.server.collect(func(all report) {
		home.run(func() { c.reply(slot, []byte(tell(home.server, &all)), false) })
	})
}

func (l *loop) resetStats() {
	l.stats = counters{}
	for _, u := range l.upstreams {
		u.stats = upstreamStats{}
	}
}

// statText builds an answer to stats.
type statText struct{ strings.Builder }

func (t *statText) add(name string, value any) { fmt.Fprintf(t, "STAT %s %v\r\n", name, value) }

func (t *statText) end() string { return t.String() + "END\r\n" }

// tellGeneral tells what memcached's clients and monitors know by memcached's
// names, then what only the proxy has.
func tellGeneral(s *Server, r *report) string {
	var t statText
	now := time.Now()
	t.add("pid", os.Getpid())
	t.add("uptime", int(now.Sub(s.started).Seconds()))
	t.add("time", now.Unix())
	t.add("version", s.config.Version)
	t.add("threads", len(s.loops))
	t.add("max_connections", s.config.MaxClients)
	t.add("curr_connections", r.connected)
	t.add("total_connections", r.accepted)
	t.add("rejected_connections", s.rejected.Load())
	t.add("clients_cut_off", r.cutOff)
	var get, set uint64
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		switch {
		case c.Retrieval():
			get += r.commands[c]
		case c.Storage() && c != protocol.MetaSet:
			set += r.commands[c]
		}
	}
	t.add("cmd_get", get)
	t.add("cmd_set", set)
	t.add("cmd_flush", r.commands[protocol.FlushAll])
	t.add("cmd_touch", r.commands[protocol.Touch])
	t.add("get_hits", r.hits)
	t.add("get_misses", r.misses)
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		if !c.Verb() || c == protocol.Help {
			t.add("command_"+c.String(), r.commands[c])
		}
	}
	for c := protocol.SAdd; c <= protocol.LogFetch; c++ {
		t.add("verb_"+c.String(), r.commands[c])
		t.add("verb_"+c.String()+"_round_trips", r.trips[c])
	}
	t.add("compactions_tried", r.tried)
	t.add("compactions_won", r.won)
	t.add("upstreams", len(s.config.Upstreams))
	return t.end()
}

// tellUpstreams tells of each upstream.
func tellUpstreams(s *Server, r *report) string {
	var t statText
	for i, u := range r.upstreams {
		prefix := fmt.Sprintf("upstream_%d_", i)
		t.add(prefix+"address", s.config.Upstreams[i].Name)
		t.add(prefix+"state", u.state)
		t.add(prefix+"version", u.version)
		t.add(prefix+"requests", u.Requests)
		t.add(prefix+"errors", u.Errors)
		t.add(prefix+"timeouts", u.Timeouts)
		t.add(prefix+"pending", u.pending)
	}
	return t.end()
}
