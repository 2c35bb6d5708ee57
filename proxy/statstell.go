package proxy

import (
	"fmt"
	"maps"
	"os"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// tellers answer the arguments of stats from the reports of all loops. Statistics that
// don't exist here are empty rather than errors, so that monitoring tools don't fail.
var tellers = map[string]func(*Server, *told) string{
	"proxy":     tellProxy,
	"verbs":     tellVerbs,
	"upstreams": tellUpstreams,
	"hotkeys":   tellHotKeys,
	"conns":     tellNothing,
	"extstore":  tellNothing,
}

// ofServers are the arguments whose statistics only the upstreams have.
var ofServers = map[string]bool{"items": true, "slabs": true, "sizes": true}

// unavailable are the arguments that memcached can disable by configuration, with its
// error for that.
var unavailable = map[string]string{
	"cachedump": "CLIENT_ERROR stats cachedump not allowed\r\n",
	"detail":    "CLIENT_ERROR stats detail not allowed\r\n",
}

// told is what the answer to stats is made from: the report on all loops, and on the pools of
// the client's listener.
type told struct {
	report
	pool poolReport
	at   *config.Listener
}

// answerStats answers stats with an argument, empty for none, for a client of a listener;
// answer is called later on any goroutine. It returns false if there is no such argument.
func (s *Server) answerStats(at *config.Socket, what string, answer func(text string)) bool {
	if what != "" && what != "reset" && what != "settings" && !ofServers[what] && tellers[what] == nil && unavailable[what] == "" {
		return false
	}
	s.desk.ask(question{at, what}, answer, func(all map[question][]func(text string)) {
		for what, answers := range all {
			s.tellStats(what.at, what.what, func(text string) {
				for _, answer := range answers {
					answer(text)
				}
			})
		}
	})
	return true
}

// tellStats answers stats with an argument that there is.
func (s *Server) tellStats(at *config.Socket, what string, answer func(text string)) {
	tell := tellers[what]
	switch {
	case what == "":
		s.poll(polled{at, ""}, func(p *poll) {
			s.collectFor(at, func(t *told) { answer(tellGeneral(s, t, p)) })
		})
	case what == "settings":
		s.poll(polled{at, what}, func(p *poll) {
			s.collectFor(at, func(t *told) { answer(tellSettings(s, t, p)) })
		})
	case ofServers[what]:
		s.poll(polled{at, what}, func(p *poll) { answer(p.text) })
	case tell != nil:
		s.collectFor(at, func(t *told) { answer(tell(s, t)) })
	case what == "reset":
		s.resetStats(func() { answer("RESET\r\n") })
	default:
		answer(unavailable[what])
	}
}

// poll calls then on the first loop, with the upstreams' answers to stats.
func (s *Server) poll(of polled, then func(*poll)) {
	first := s.loops[0]
	first.post(func() { s.polls.poll(first, of, then) })
}

// collectFor gathers the reports of all loops for a client of a listener.
func (s *Server) collectFor(at *config.Socket, then func(*told)) {
	config := s.setup.Load().Listener(at)
	s.collect(func(all report) { then(&told{all, all.together(config), config}) })
}

// statText builds an answer about the proxy.
type statText struct{ statistics.Text }

func tellNothing(*Server, *told) string { return "END\r\n" }

// tellGeneral answers plain stats: statistics by memcached's names, including those
// polled from the upstreams. It must stay shorter than the 4096 bytes that collectd reads, so
// each verb's own are left to tellVerbs.
func tellGeneral(s *Server, r *told, p *poll) string {
	var t statText
	t.proxy(s, r)
	sums := maps.Clone(p.sums) // others who ask share them
	sums["store_too_large"] += r.pool.tooLarge
	sums["store_no_memory"] += r.pool.noMemory
	sums.Tell(&t.Text)
	t.Add("upstreams_unreachable", p.unreachable)
	return t.End()
}

// tellProxy answers stats proxy: what the proxy knows without polling an upstream.
func tellProxy(s *Server, r *told) string {
	var t statText
	t.proxy(s, r)
	t.counts(&r.Counts, status.FullHandshakes, status.FailedHandshakes)
	t.verbs(r)
	return t.End()
}

// tellVerbs answers stats verbs: how often each verb was called, and the round trips it took.
func tellVerbs(_ *Server, r *told) string {
	var t statText
	t.verbs(r)
	return t.End()
}

// proxy adds what the proxy knows by itself, first the statistics with memcached's
// names.
func (t *statText) proxy(s *Server, r *told) {
	t.process(s, r)
	t.Add("max_connections", s.setup.Load().Config.MaxClients)
	t.Add("curr_connections", r.connected)
	t.counts(&r.Counts, status.Accepted, status.Accepted)
	t.Add("connection_structures", r.connected)
	t.Add("accepting_conns", oneIf(!s.draining.Load()))
	t.Add("conn_yields", 0) // nobody is made to yield after so many requests, as by memcached's -R
	t.counts(&r.Counts, status.Rejected, status.LogLost)
	t.items(&r.pool)
	t.counts(&r.Counts, status.Received, status.Sent)
	t.Add("threads", len(s.loops))
	for c := protocol.Command(0); c < protocol.NumCommands; c++ {
		if c != protocol.Extra {
			t.Add("command_"+c.String(), r.pool.commands[c])
		}
	}
	for i, v := range catalog.All {
		if v.Local { // like a command that is answered here
			t.Add("command_"+v.Name, r.pool.verbs.Verbs[i].Calls)
		}
	}
	t.Add("verb_operations", r.pool.verbs.Operations)
	t.Add("compactions_tried", r.pool.verbs.Compactions.Tried)
	t.Add("compactions_won", r.pool.verbs.Compactions.Won)
	t.Add("structures_incomplete", r.pool.verbs.Incomplete)
	t.Add("structures_full", r.pool.verbs.Full)
	t.Add("foreign_tokens_dropped", r.pool.verbs.Foreign)
	t.Add("read_cache_structures", r.pool.verbs.Views.Structures)
	t.Add("read_cache_bytes", r.pool.verbs.Views.Bytes)
	t.Add("read_cache_hits", r.pool.verbs.Views.Hits)
	t.Add("read_cache_outdated", r.pool.verbs.Views.Outdated)
	t.Add("read_cache_too_large", r.pool.verbs.Views.TooLarge)
	t.counts(&r.Counts, status.RefusedKeys, status.ServerErrors)
	t.upstreams(&r.pool)
	t.asProxy(r)
}

// counts adds counters of the whole proxy, from the first to the last.
func (t *statText) counts(c *status.Counts, first, last status.Counter) {
	for i := first; i <= last; i++ {
		t.Add(status.Counters[i].Stat, c[i])
	}
}

// asProxy adds the statistics by which memcached's own proxy is known, as far as they mean
// something here. Exporters look for proxy_backend_total.
func (t *statText) asProxy(r *told) {
	var requests uint64
	for k := range r.pool.meter.Results {
		requests += r.pool.meter.Results[k].Sum()
	}
	var failed, pending int
	var lost uint64
	for _, u := range r.pool.upstreams {
		pending += u.pending
		lost += u.Refused + u.Timeouts
		if u.state == upstream.Down {
			failed++
		}
	}
	t.Add("proxy_conn_requests", requests)
	t.Add("proxy_conn_errors", lost)
	t.Add("proxy_conn_oom", r.Counts[status.GivenUp]+r.Counts[status.CutOff])
	t.Add("proxy_req_active", pending)
	t.Add("proxy_backend_total", len(r.pool.upstreams))
	t.Add("proxy_backend_failed", failed)
}

// shownKeys is how many hot keys are shown.
const shownKeys = 20

// tellHotKeys answers stats hotkeys: the keys that were asked for most in the last minute, the
// hottest first, each with its share of all requested keys of the listener's pools.
func tellHotKeys(_ *Server, r *told) string {
	var t statText
	t.Add("hotkeys_requests", r.pool.hot.Total)
	for i, k := range r.pool.hot.Top(shownKeys) {
		t.Add(fmt.Sprintf("hotkey_%d_key", i), slow.Printable([]byte(k.Key)))
		t.Add(fmt.Sprintf("hotkey_%d_share", i), fmt.Sprintf("%.4f", k.Share))
	}
	return t.End()
}

// verbs adds what each verb has done.
func (t *statText) verbs(r *told) {
	for i, v := range catalog.All {
		if v.Local {
			continue
		}
		t.Add("verb_"+v.Name, r.pool.verbs.Verbs[i].Calls)
		t.Add("verb_"+v.Name+"_round_trips", r.pool.verbs.Verbs[i].Trips)
	}
}

// upstreams adds the sums over all upstreams.
func (t *statText) upstreams(r *poolReport) {
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

// process adds the statistics of the process.
func (t *statText) process(s *Server, r *told) {
	now := time.Now()
	t.Add("pid", os.Getpid())
	t.Add("uptime", int(now.Sub(s.started).Seconds()))
	t.Add("time", now.Unix())
	t.Add("version", r.lowestVersion())
	t.Add("memverbs_version", s.config.Version)
	t.Add("pointer_size", 32<<(^uint(0)>>63))
	var spent syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spent) == nil {
		t.Add("rusage_user", seconds(spent.Utime))
		t.Add("rusage_system", seconds(spent.Stime))
	}
}

func seconds(t syscall.Timeval) string { return fmt.Sprintf("%d.%06d", t.Sec, t.Usec) }

// items adds the outcomes of clients' requests, by memcached's names.
func (t *statText) items(r *poolReport) {
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

// tellSettings answers stats settings: those of memcached's settings that the proxy has
// too, and those of its memory that the first of the servers tells.
func tellSettings(s *Server, r *told, p *poll) string {
	var t statText
	t.Add("maxconns", s.setup.Load().Config.MaxClients)
	t.Add("num_threads", len(s.loops))
	t.Add("item_size_max", r.maxItemSize(s.setup.Load()))
	t.Add("cas_enabled", "yes")
	t.Add("flush_enabled", yesOrNo(r.flushes(s.setup.Load())))
	t.Add("dump_enabled", "no")
	t.Add("shutdown_command", "no")
	t.Add("binding_protocol", "ascii")
	statistics.TellMemory(&t.Text, p.only)
	return t.End()
}

// tellUpstreams answers stats upstreams: the statistics of each upstream.
func tellUpstreams(_ *Server, r *told) string {
	var t statText
	for i, u := range r.pool.upstreams {
		prefix := fmt.Sprintf("upstream_%d_", i)
		t.Add(prefix+"address", u.remote.Name)
		t.Add(prefix+"state", u.state)
		if why := u.remote.Reason(); why != "" {
			t.Add(prefix+"reason", why)
		}
		t.Add(prefix+"version", u.version)
		t.Add(prefix+"requests", u.Requests)
		t.Add(prefix+"errors", u.Errors)
		t.Add(prefix+"timeouts", u.Timeouts)
		t.Add(prefix+"refused", u.Refused)
		t.Add(prefix+"pending", u.pending)
		t.Add(prefix+"outages", u.remote.Outages())
		outdated := u.remote.Outdated()
		t.Add(prefix+"keys_remembered", outdated.Remembered)
		t.Add(prefix+"keys_deleted", outdated.Deleted)
		t.Add(prefix+"keys_forgotten", outdated.Forgotten)
	}
	return t.End()
}

// lowestVersion returns the lowest version among the upstreams of the client's pools.
func (r *told) lowestVersion() string {
	var remotes []*upstream.Remote
	for _, u := range r.pool.upstreams {
		remotes = append(remotes, u.remote)
	}
	return upstream.LowestVersion(remotes)
}

// maxItemSize returns the longest value that one of the client's pools takes, in bytes.
func (r *told) maxItemSize(s *config.Setup) (size int) {
	for _, to := range r.at.Routes {
		if p := s.Pool(to.Pool); p != nil {
			size = max(size, p.MaxItemSize)
		}
	}
	return size
}

// flushes reports whether the client may send flush_all.
func (r *told) flushes(s *config.Setup) bool {
	for _, to := range r.at.Routes {
		if p := s.Pool(to.Pool); p != nil && (p.Guard.NoFlush || p.Guard.ReadOnly) {
			return false
		}
	}
	return true
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
