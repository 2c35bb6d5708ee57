package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/status"
)

// tellers answer the arguments of stats from the reports of all loops. Statistics that
// don't exist here are empty rather than errors, so that monitoring tools don't fail.
var tellers = map[string]func(*told) string{
	"":          tellGeneral,
	"settings":  tellSettings,
	"proxy":     tellProxy,
	"verbs":     tellVerbs,
	"upstreams": tellUpstreams,
	"hotkeys":   tellHotKeys,
	"conns":     tellNothing,
	"extstore":  tellNothing,
}

func tellNothing(*told) string { return "END\r\n" }

// tellGeneral answers plain stats: statistics by memcached's names, including those
// polled from the upstreams. collectd reads only 4096 bytes of it, so the statistics of each verb
// are left to tellVerbs.
func tellGeneral(r *told) string {
	var t statText
	t.proxy(r)
	sums := maps.Clone(r.polled.sums) // clients that ask at the same time share them
	sums["store_too_large"] += r.pool.TooLarge
	sums["store_no_memory"] += r.pool.NoMemory
	sums.Tell(&t.Text)
	t.Add("upstreams_unreachable", r.polled.unreachable)
	return t.End()
}

// tellProxy answers stats proxy: what the proxy knows without polling an upstream.
func tellProxy(r *told) string {
	var t statText
	t.proxy(r)
	t.ofProxy(&r.Counts, status.FullHandshakes, status.FailedHandshakes)
	t.verbs(r)
	return t.End()
}

// tellVerbs answers stats verbs: how often each verb was called, and the round trips it took.
func tellVerbs(r *told) string {
	var t statText
	t.verbs(r)
	return t.End()
}

// shownKeys is how many hot keys are shown.
const shownKeys = 20

// tellHotKeys answers stats hotkeys: the keys that were asked for most in the last minute, the
// hottest first, each with its share of all requested keys of the listener's pools.
func tellHotKeys(r *told) string {
	var t statText
	t.Add("hotkeys_requests", r.pool.Hot.Total)
	for i, k := range r.pool.Hot.Top(shownKeys) {
		t.Add(fmt.Sprintf("hotkey_%d_key", i), slow.Printable([]byte(k.Key)))
		t.Add(fmt.Sprintf("hotkey_%d_share", i), fmt.Sprintf("%.4f", k.Share))
	}
	return t.End()
}

// tellSettings answers stats settings: the settings of memcached that the proxy has too, and the
// memory settings of the first server.
func tellSettings(r *told) string {
	var t statText
	t.Add("maxconns", r.Setup.Config.MaxClients)
	t.Add("num_threads", r.Loops)
	t.Add("item_size_max", r.maxItemSize())
	t.Add("cas_enabled", "yes")
	t.Add("flush_enabled", yesOrNo(r.flushes()))
	t.Add("dump_enabled", "no")
	t.Add("shutdown_command", "no")
	t.Add("binding_protocol", "ascii")
	statistics.TellMemory(&t.Text, r.polled.only)
	return t.End()
}

// tellUpstreams answers stats upstreams: the statistics of each upstream.
func tellUpstreams(r *told) string {
	var t statText
	for i, u := range r.pool.Upstreams {
		prefix := fmt.Sprintf("upstream_%d_", i)
		t.Add(prefix+"address", u.Remote.Name)
		t.Add(prefix+"state", u.State)
		if why := u.Remote.Outage().Reason; why != "" {
			t.Add(prefix+"reason", why)
		}
		t.Add(prefix+"version", u.Version)
		counts, remembered := u.all()
		t.counts(prefix, status.UpstreamCounters[:], counts[:status.Outages])
		t.Add(prefix+"pending", u.Pending)
		t.counts(prefix, status.UpstreamCounters[status.Outages:], counts[status.Outages:status.Cleared])
		t.Add(prefix+"keys_remembered", remembered)
		t.counts(prefix, status.UpstreamCounters[status.Cleared:], counts[status.Cleared:])
	}
	return t.End()
}

// maxItemSize returns the longest value that one of the client's pools takes, in bytes.
func (r *told) maxItemSize() (size int) {
	for _, name := range r.at.Pools() {
		if p := r.Setup.Pool(name); p != nil {
			size = max(size, p.MaxItemSize)
		}
	}
	return size
}

// flushes reports whether the client may send flush_all.
func (r *told) flushes() bool {
	return !slices.ContainsFunc(r.at.Pools(), func(name string) bool {
		p := r.Setup.Pool(name)
		return p != nil && (p.Guard.NoFlush || p.Guard.ReadOnly)
	})
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// OfServers are the arguments whose statistics only the upstreams have.
var OfServers = map[string]bool{"items": true, "slabs": true, "sizes": true}

// Unavailable are the arguments that memcached's configuration can disable, each with the error
// that memcached answers then.
var Unavailable = map[string]string{
	"cachedump": "CLIENT_ERROR stats cachedump not allowed\r\n",
	"detail":    "CLIENT_ERROR stats detail not allowed\r\n",
}

// AsksUpstreams reports whether the upstreams are polled for an argument.
func AsksUpstreams(what string) bool { return what == "" || what == "settings" || OfServers[what] }

// Known reports whether stats has an argument, which may be empty.
func Known(what string) bool {
	return AsksUpstreams(what) || tellers[what] != nil || Unavailable[what] != ""
}

// told is what the answer to stats is made from: the report of all loops, and that on the pools of
// the client's listener.
type told struct {
	*Report
	Process
	pool   Pool
	at     *config.Listener
	polled *Poll // nil unless the upstreams were asked
}

// Answer returns the answer to stats with an argument of tellers. p is what the upstreams have answered, if
// they were asked.
func (r *Report) Answer(to Question, about Process, p *Poll) string {
	at := about.Setup.Listener(to.At)
	return tellers[to.What](&told{r, about, r.together(at), at, p})
}
