package proxy

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// statistics says how each argument of stats is answered from the counts of
// all loops. What memcached tells of its own memory is empty here rather than
// unknown, so that whoever reads it finds nothing and no error.
var statistics = map[string]func(*Server, *report) string{
	"":          tellGeneral,
	"upstreams": tellUpstreams,
	"settings":  tellSettings,
	"items":     tellNothing,
	"slabs":     tellNothing,
	"sizes":     tellNothing,
	"conns":     tellNothing,
	"extstore":  tellNothing,
}

// unavailable are the arguments that memcached too can be told not to take,
// and what it says then.
var unavailable = map[string]string{
	"cachedump": "CLIENT_ERROR stats cachedump not allowed",
	"detail":    "CLIENT_ERROR stats detail not allowed",
}

// dispatchStats answers stats. What is told is of all loops, so each of them
// is asked, and the answer waits for the last.
func (c *client) dispatchStats(req *protocol.Request) {
	word, _ := protocol.NextWord(req.Words)
	what := string(word)
	if what == "reset" {
		c.loop.server.eachLoop(func(l *loop) { l.resetStats() })
		c.local("RESET\r\n")
		return
	}
	if why, ok := unavailable[what]; ok {
		c.refuse(why)
		return
	}
	tell, ok := statistics[what]
	if !ok {
		c.refuse("ERROR")
		return
	}
	slot := c.slots.reserve(0, nil)
	home := c.loop
	c.loop.server.collect(func(all report) {
		home.run(func() { c.reply(slot, []byte(tell(home.server, &all)), false) })
	})
}

// statText builds an answer to stats.
type statText struct{ strings.Builder }

func (t *statText) add(name string, value any) { fmt.Fprintf(t, "STAT %s %v\r\n", name, value) }

func (t *statText) end() string { return t.String() + "END\r\n" }

func tellNothing(*Server, *report) string { return "END\r\n" }

// tellGeneral tells what memcached's clients and monitors know by memcached's
// names, then what only the proxy has.
func tellGeneral(s *Server, r *report) string {
	var t statText
	t.process(s)
	t.add("max_connections", s.config.MaxClients)
	t.add("curr_connections", r.connected)
	t.add("total_connections", r.accepted)
	t.add("rejected_connections", s.rejected.Load())
	t.add("clients_cut_off", r.cutOff)
	t.items(r)
	t.add("bytes_read", r.read)
	t.add("bytes_written", r.written)
	t.add("threads", len(s.loops))
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

// process tells of the process itself.
func (t *statText) process(s *Server) {
	now := time.Now()
	t.add("pid", os.Getpid())
	t.add("uptime", int(now.Sub(s.started).Seconds()))
	t.add("time", now.Unix())
	t.add("version", s.config.Version)
	t.add("pointer_size", 32<<(^uint(0)>>63))
	var spent syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spent) == nil {
		t.add("rusage_user", seconds(spent.Utime))
		t.add("rusage_system", seconds(spent.Stime))
	}
}

func seconds(t syscall.Timeval) string { return fmt.Sprintf("%d.%06d", t.Sec, t.Usec) }

// items tells what became of what was asked for, counted as memcached does: a
// key each, and gat as a touch.
func (t *statText) items(r *report) {
	sum := func(of *[protocol.NumCommands]uint64, commands ...protocol.Command) (n uint64) {
		for _, c := range commands {
			n += of[c]
		}
		return n
	}
	var set, meta uint64
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		if c.Storage() {
			set += r.commands[c]
		}
		if c.Meta() || c == protocol.MetaNoop {
			meta += r.commands[c]
		}
	}
	gets := []protocol.Command{protocol.Get, protocol.Gets, protocol.MetaGet}
	touches := []protocol.Command{protocol.Touch, protocol.Gat, protocol.Gats}
	t.add("cmd_get", sum(&r.hits, gets...)+sum(&r.misses, gets...))
	t.add("cmd_set", set)
	t.add("cmd_flush", r.commands[protocol.FlushAll])
	t.add("cmd_touch", sum(&r.hits, touches...)+sum(&r.misses, touches...))
	t.add("cmd_meta", meta)
	for _, of := range []struct {
		name     string
		commands []protocol.Command
	}{
		{"get", gets},
		{"delete", []protocol.Command{protocol.Delete, protocol.MetaDelete}},
		{"incr", []protocol.Command{protocol.Incr}},
		{"decr", []protocol.Command{protocol.Decr}},
		{"cas", []protocol.Command{protocol.Cas}},
		{"touch", touches},
	} {
		t.add(of.name+"_misses", sum(&r.misses, of.commands...))
		t.add(of.name+"_hits", sum(&r.hits, of.commands...))
	}
	t.add("cas_badval", r.unequal)
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
		t.add(prefix+"pending", u.pending)
	}
	return t.end()
}
