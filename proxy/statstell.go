package proxy

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// tellers says how an argument of stats is answered from the counts of all
// loops. What there is none of here is empty rather than unknown, so that
// whoever reads it finds nothing and no error.
var tellers = map[string]func(*Server, *report) string{
	"proxy":     tellProxy,
	"upstreams": tellUpstreams,
	"settings":  tellSettings,
	"conns":     tellNothing,
	"extstore":  tellNothing,
}

// ofServers are the arguments that ask for what only the upstreams know.
var ofServers = map[string]bool{"items": true, "slabs": true, "sizes": true}

// unavailable are the arguments that memcached too can be told not to take,
// and what it says then.
var unavailable = map[string]string{
	"cachedump": "CLIENT_ERROR stats cachedump not allowed",
	"detail":    "CLIENT_ERROR stats detail not allowed",
}

// dispatchStats answers stats. What is told is of all loops and upstreams, so
// each of them is asked, and the answer waits for the last.
func (c *client) dispatchStats(req *protocol.Request) {
	s := c.loop.server
	word, _ := protocol.NextWord(req.Words)
	what := string(word)
	tell := tellers[what]
	switch {
	case what == "":
		answer := c.statsAnswer()
		s.poll("", func(p *poll) {
			s.collect(func(all report) { answer(tellGeneral(s, &all, p)) })
		})
	case ofServers[what]:
		answer := c.statsAnswer()
		s.poll(what, func(p *poll) { answer(p.text) })
	case tell != nil:
		answer := c.statsAnswer()
		s.collect(func(all report) { answer(tell(s, &all)) })
	case what == "reset":
		answer := c.statsAnswer()
		s.resetStats(func() { answer("RESET\r\n") })
	case unavailable[what] != "":
		c.refuse(unavailable[what])
	default:
		c.refuse("ERROR")
	}
}

// statsAnswer makes a place for an answer, and returns what gives it from any
// loop.
func (c *client) statsAnswer() func(text string) {
	slot, home := c.replies.reserve(0, nil), c.loop
	return func(text string) {
		home.post(func() { c.reply(slot, []byte(text), false) })
	}
}

// statText is an answer that tells of the proxy.
type statText struct{ statistics.Text }

func tellNothing(*Server, *report) string { return "END\r\n" }

// tellGeneral tells what memcached's clients and monitors know by memcached's
// names, with what the upstreams have been asked for.
func tellGeneral(s *Server, r *report, p *poll) string {
	var t statText
	t.proxy(s, r)
	p.sums.Tell(&t.Text)
	t.Add("upstreams_unreachable", p.unreachable)
	return t.End()
}

// tellProxy tells what is known without asking any upstream.
func tellProxy(s *Server, r *report) string {
	var t statText
	t.proxy(s, r)
	return t.End()
}

// proxy tells what the proxy knows by itself: that by memcached's names first.
func (t *statText) proxy(s *Server, r *report) {
	t.process(s)
	t.Add("max_connections", s.config.MaxClients)
	t.Add("curr_connections", r.connected)
	t.Add("total_connections", r.accepted)
	t.Add("rejected_connections", s.rejected.Load())
	t.Add("listen_disabled_num", s.unaccepted.Load())
	t.Add("clients_cut_off", r.cutOff)
	t.Add("requests_given_up", r.givenUp)
	t.Add("log_lines_lost", s.config.LogLinesLost())
	t.items(r)
	t.Add("bytes_read", r.read)
	t.Add("bytes_written", r.written)
	t.Add("threads", len(s.loops))
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		if c != protocol.Extra {
			t.Add("command_"+c.String(), r.commands[c])
		}
	}
	for i, v := range catalog.All {
		if v.Local { // like a command that is answered here
			t.Add("command_"+v.Name, r.verbs[i].count)
			continue
		}
		t.Add("verb_"+v.Name, r.verbs[i].count)
		t.Add("verb_"+v.Name+"_round_trips", r.verbs[i].trips)
	}
	t.Add("verb_operations", r.operations)
	t.Add("compactions_tried", r.tried)
	t.Add("compactions_won", r.won)
	t.Add("structures_incomplete", r.lost)
	t.Add("read_cache_structures", r.views.Structures)
	t.Add("read_cache_bytes", r.views.Bytes)
	t.Add("read_cache_hits", r.views.Hits)
	t.Add("read_cache_outdated", r.views.Outdated)
	t.Add("client_errors", r.errors.client)
	t.Add("server_errors", r.errors.server)
	t.upstreams(r)
}

// upstreams tells of all upstreams together.
func (t *statText) upstreams(r *report) {
	var all upstream.Stats
	for i := range r.upstreams {
		all.Add(&r.upstreams[i].Stats)
	}
	t.Add("upstreams", len(r.upstreams))
	t.Add("upstream_requests", all.Requests)
	t.Add("upstream_errors", all.Errors)
	t.Add("upstream_timeouts", all.Timeouts)
	t.Add("upstream_refused", all.Refused)
}

// process tells of the process itself.
func (t *statText) process(s *Server) {
	now := time.Now()
	t.Add("pid", os.Getpid())
	t.Add("uptime", int(now.Sub(s.started).Seconds()))
	t.Add("time", now.Unix())
	t.Add("version", s.servers.LowestVersion())
	t.Add("memverbs_version", s.config.Version)
	t.Add("pointer_size", 32<<(^uint(0)>>63))
	var spent syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spent) == nil {
		t.Add("rusage_user", seconds(spent.Utime))
		t.Add("rusage_system", seconds(spent.Stime))
	}
}

func seconds(t syscall.Timeval) string { return fmt.Sprintf("%d.%06d", t.Sec, t.Usec) }

// items tells what became of what was asked for, by memcached's names.
func (t *statText) items(r *report) {
	t.Add("cmd_get", r.Hits[tally.Get]+r.Misses[tally.Get])
	t.Add("cmd_set", r.Sets)
	t.Add("cmd_flush", r.commands[protocol.FlushAll])
	t.Add("cmd_touch", r.Hits[tally.Touch]+r.Misses[tally.Touch])
	t.Add("cmd_meta", r.Hits[tally.Debug]+r.Misses[tally.Debug])
	for _, of := range []struct {
		name  string
		tally tally.Kind
	}{
		{"get", tally.Get}, {"delete", tally.Delete}, {"incr", tally.Incr}, {"decr", tally.Decr}, {"cas", tally.Cas}, {"touch", tally.Touch},
	} {
		t.Add(of.name+"_misses", r.Misses[of.tally])
		t.Add(of.name+"_hits", r.Hits[of.tally])
	}
	t.Add("cas_badval", r.Unequal)
}

// tellSettings tells those of memcached's settings that the proxy has too.
func tellSettings(s *Server, _ *report) string {
	var t statText
	t.Add("maxconns", s.config.MaxClients)
	t.Add("num_threads", len(s.loops))
	t.Add("item_size_max", s.config.MaxItemSize)
	t.Add("cas_enabled", "yes")
	t.Add("flush_enabled", "yes")
	t.Add("dump_enabled", "no")
	t.Add("shutdown_command", "no")
	t.Add("binding_protocol", "ascii")
	return t.End()
}

// tellUpstreams tells of each upstream.
func tellUpstreams(s *Server, r *report) string {
	var t statText
	for i, u := range r.upstreams {
		prefix := fmt.Sprintf("upstream_%d_", i)
		t.Add(prefix+"address", s.config.Upstreams[i].Name)
		t.Add(prefix+"state", u.state)
		t.Add(prefix+"version", u.version)
		t.Add(prefix+"requests", u.Requests)
		t.Add(prefix+"errors", u.Errors)
		t.Add(prefix+"timeouts", u.Timeouts)
		t.Add(prefix+"refused", u.Refused)
		t.Add(prefix+"pending", u.pending)
	}
	return t.End()
}
