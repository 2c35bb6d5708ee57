package report

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// statText builds an answer about the proxy.
type statText struct{ statistics.Text }

// proxy adds what the proxy knows without polling, first the statistics with memcached's names.
func (t *statText) proxy(r *told) {
	t.process(r)
	t.Add("max_connections", r.Setup.Config.MaxClients)
	t.Add("curr_connections", r.Connected)
	t.ofProxy(&r.Counts, status.Accepted, status.Accepted)
	t.Add("connection_structures", r.Connected)
	t.Add("accepting_conns", oneIf(!r.Draining))
	t.Add("conn_yields", 0) // memcached counts here how often its limit -R made a connection yield; the proxy has no such limit
	t.ofProxy(&r.Counts, status.Rejected, status.LogLost)
	t.items(&r.pool)
	t.ofProxy(&r.Counts, status.Received, status.Sent)
	t.Add("threads", r.Loops)
	for c := range protocol.NumCommands {
		if c != protocol.Extra {
			t.Add("command_"+c.String(), r.pool.Commands[c])
		}
	}
	for i, v := range catalog.All {
		if v.Local { // like a command that is answered here
			t.Add("command_"+v.Name, r.pool.Verbs.Verbs[i].Calls)
		}
	}
	t.counts("", status.PoolCounters[:], r.pool.Verbs.Pool[:])
	t.Add("verbs_waiting", r.pool.Verbs.Waiting)
	t.Add("move_unswept_servers", r.pool.Unswept)
	t.Add("near_values", r.pool.Near.Values)
	t.Add("near_bytes", r.pool.Near.Bytes)
	t.Add("held_now", r.pool.Held)
	t.Add("read_cache_structures", r.pool.Verbs.Views.Structures)
	t.Add("read_cache_bytes", r.pool.Verbs.Views.Bytes)
	t.Add("read_cache_hits", r.pool.Verbs.Views.Hits)
	t.Add("read_cache_outdated", r.pool.Verbs.Views.Outdated)
	t.Add("read_cache_too_large", r.pool.Verbs.Views.TooLarge)
	t.ofProxy(&r.Counts, status.RefusedKeys, status.ServerErrors)
	t.upstreams(&r.pool)
	t.asProxy(r)
}

// ofProxy adds counters of the whole proxy, from the first to the last.
func (t *statText) ofProxy(c *status.Counts, first, last status.Counter) {
	t.counts("", status.Counters[first:last+1], c[first:last+1])
}

// counts adds those counters that are shown in stats.
func (t *statText) counts(prefix string, shown []status.Shown, counts []uint64) {
	for i, n := range counts {
		if name := shown[i].Stat; name != "" {
			t.Add(prefix+name, n)
		}
	}
}

// asProxy adds the statistics by which memcached's own proxy is known, as far as they mean
// something here. Exporters look for proxy_backend_total.
func (t *statText) asProxy(r *told) {
	var requests uint64
	for k := range r.pool.Meter.Results {
		requests += r.pool.Meter.Results[k].Sum()
	}
	var failed, pending int
	var lost uint64
	for _, u := range r.pool.Upstreams {
		pending += u.Pending
		lost += u.Counts[status.Refused] + u.Counts[status.Timeouts]
		if u.State == upstream.Down {
			failed++
		}
	}
	t.Add("proxy_conn_requests", requests)
	t.Add("proxy_conn_errors", lost)
	t.Add("proxy_conn_oom", r.Counts[status.GivenUp]+r.Counts[status.CutOff])
	t.Add("proxy_req_active", pending)
	t.Add("proxy_backend_total", len(r.pool.Upstreams))
	t.Add("proxy_backend_failed", failed)
}

// upstreams adds the sums over all upstreams.
func (t *statText) upstreams(r *Pool) {
	var all upstream.Stats
	for i := range r.Upstreams {
		all.Add(&r.Upstreams[i].Stats)
	}
	t.Add("upstreams", len(r.Upstreams))
	t.counts("upstream_", status.UpstreamCounters[:], all.Counts[:status.Refused+1])
}

// verbs adds what each verb has done.
func (t *statText) verbs(r *told) {
	for i, v := range catalog.All {
		if v.Local {
			continue
		}
		t.Add("verb_"+v.Name, r.pool.Verbs.Verbs[i].Calls)
		t.Add("verb_"+v.Name+"_round_trips", r.pool.Verbs.Verbs[i].Trips)
	}
}

// process adds the statistics of the process.
func (t *statText) process(r *told) {
	now := time.Now()
	t.Add("pid", os.Getpid())
	t.Add("uptime", int(now.Sub(r.Started).Seconds()))
	t.Add("time", now.Unix())
	t.Add("version", r.lowestVersion())
	t.Add("memverbs_version", r.Process.Version)
	t.Add("pointer_size", 32<<(^uint(0)>>63))
	var spent syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &spent) == nil {
		t.Add("rusage_user", seconds(spent.Utime))
		t.Add("rusage_system", seconds(spent.Stime))
	}
}

func seconds(t syscall.Timeval) string { return fmt.Sprintf("%d.%06d", t.Sec, t.Usec) }

// items adds the outcomes of clients' requests, by memcached's names.
func (t *statText) items(r *Pool) {
	t.Add("cmd_get", r.Hits[tally.Get]+r.Misses[tally.Get])
	t.Add("cmd_set", r.Sets)
	t.Add("cmd_flush", r.Commands[protocol.FlushAll])
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

// lowestVersion returns the lowest version among the upstreams of the client's pools.
func (r *told) lowestVersion() string {
	var remotes []*upstream.Remote
	for _, u := range r.pool.Upstreams {
		remotes = append(remotes, u.Remote)
	}
	return upstream.LowestVersion(remotes)
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}
