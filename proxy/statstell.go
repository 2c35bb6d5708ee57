package proxy

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// statistics says how an argument of stats is answered from the counts of all
// loops. What there is none of here is empty rather than unknown, so that
// whoever reads it finds nothing and no error.
var statistics = map[string]func(*Server, *report) string{
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
	tell := statistics[what]
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

// statText builds an answer to stats.
type statText struct{ strings.Builder }

func (t *statText) add(name string, value any) { fmt.Fprintf(t, "STAT %s %v\r\n", name, value) }

func (t *statText) end() string { return t.String() + "END\r\n" }

func tellNothing(*Server, *report) string { return "END\r\n" }

// tellGeneral tells what memcached's clients and monitors know by memcached's
// names, with what the upstreams have been asked for.
func tellGeneral(s *Server, r *report, p *poll) string {
	var t statText
	t.proxy(s, r)
	p.sums.tell(&t)
	t.add("upstreams_unreachable", p.unreachable)
	return t.end()
}

// tellProxy tells what is known without asking any upstream.
func tellProxy(s *Server, r *report) string {
	var t statText
	t.proxy(s, r)
	return t.end()
}

// proxy tells what the proxy knows by itself: that by memcached's names first.
func (t *statText) proxy(s *Server, r *report) {
	t.process(s)
	t.add("max_connections", s.config.MaxClients)
	t.add("curr_connections", r.connected)
	t.add("total_connections", r.accepted)
	t.add("rejected_connections", s.rejected.Load())
	t.add("listen_disabled_num", s.unaccepted.Load())
	t.add("clients_cut_off", r.cutOff)
	t.add("requests_given_up", r.givenUp)
	t.add("log_lines_lost", s.config.LogLinesLost())
	t.items(r)
	t.add("bytes_read", r.read)
	t.add("bytes_written", r.written)
	t.add("threads", len(s.loops))
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		if c != protocol.Extra {
			t.add("command_"+c.String(), r.commands[c])
		}
	}
	for i, v := range verbs.All {
		if v.Local { // like a command that is answered here
			t.add("command_"+v.Name, r.verbs[i].count)
			continue
		}
		t.add("verb_"+v.Name, r.verbs[i].count)
		t.add("verb_"+v.Name+"_round_trips", r.verbs[i].trips)
	}
	t.add("verb_operations", r.operations)
	t.add("compactions_tried", r.tried)
	t.add("compactions_won", r.won)
	t.add("structures_incomplete", r.lost)
	t.add("client_errors", r.errors.client)
	t.add("server_errors", r.errors.server)
	t.upstreams(r)
}

// upstreams tells of all upstreams together.
func (t *statText) upstreams(r *report) {
	var all upstream.Stats
	for i := range r.upstreams {
		all.Add(&r.upstreams[i].Stats)
	}
	t.add("upstreams", len(r.upstreams))
	t.add("upstream_requests", all.Requests)
	t.add("upstream_errors", all.Errors)
	t.add("upstream_timeouts", all.Timeouts)
	t.add("upstream_refused", all.Refused)
}

// process tells of the process itself.
func (t *statText) process(s *Server) {
	now := time.Now()
	t.add("pid", os.Getpid())
	t.add("uptime", int(now.Sub(s.started).Seconds()))
	t.add("time", now.Unix())
	t.add("version", s.servers.LowestVersion())
	t.add("memverbs_version", s.config.Version)
	t.add("pointer_size", 32<<(^uint(0)>>63))
	var spent syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spent) == nil {
		t.add("rusage_user", seconds(spent.Utime))
		t.add("rusage_system", seconds(spent.Stime))
	}
}

func seconds(t syscall.Timeval) string { return fmt.Sprintf("%d.%06d", t.Sec, t.Usec) }

// items tells what became of what was asked for, by memcached's names.
func (t *statText) items(r *report) {
	t.add("cmd_get", r.Hits[tally.Get]+r.Misses[tally.Get])
	t.add("cmd_set", r.Sets)
	t.add("cmd_flush", r.commands[protocol.FlushAll])
	t.add("cmd_touch", r.Hits[tally.Touch]+r.Misses[tally.Touch])
	t.add("cmd_meta", r.Hits[tally.Debug]+r.Misses[tally.Debug])
	for _, of := range []struct {
		name  string
		tally tally.Kind
	}{
		{"get", tally.Get}, {"delete", tally.Delete}, {"incr", tally.Incr}, {"decr", tally.Decr}, {"cas", tally.Cas}, {"touch", tally.Touch},
	} {
		t.add(of.name+"_misses", r.Misses[of.tally])
		t.add(of.name+"_hits", r.Hits[of.tally])
	}
	t.add("cas_badval", r.Unequal)
}

// tellSettings tells those of memcached's settings that the proxy has too.
func tellSettings(s *Server, _ *report) string {
	var t statText
	t.add("maxconns", s.config.MaxClients)
	t.add("num_threads", len(s.loops))
	t.add("item_size_max", s.config.MaxItemSize)
	t.add("cas_enabled", "yes")
	t.add("flush_enabled", "yes")
	t.add("dump_enabled", "no")
	t.add("shutdown_command", "no")
	t.add("binding_protocol", "ascii")
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
		t.add(prefix+"refused", u.Refused)
		t.add(prefix+"pending", u.pending)
	}
	return t.end()
}
