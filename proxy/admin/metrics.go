package admin

import (
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
)

const (
	maxScrapes    = 4 // at a time
	scrapeTimeout = 10 * time.Second
)

// metrics answers scrapes.
func metrics(l *looker) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(&collector{l}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes, Timeout: scrapeTimeout})
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	m := Metric{"memverbs_" + name, help, labels}
	declare(m)
	return prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)
}

var (
	buildInfo  = desc("build_info", "Always 1; the version of memverbs and of Go.", "version", "goversion")
	configInfo = desc("config_info", "Always 1; proxies of one pool must have the same fingerprint, as they disagree otherwise on where keys are.", "pool", "fingerprint")
	reloaded   = desc("config_last_reload_successful", "Whether the settings were right when they were last read.")
	reloadedAt = desc("config_last_reload_success_timestamp_seconds", "When settings were last read and used.")
	ready      = desc("ready", "Whether the proxy should get clients, as /readyz tells.")

	certificateLeft = desc("certificate_expires_seconds", "Seconds until the certificate in the file expires; negative if it has.", "file")

	commands         = desc("commands_total", "Requests that have ended, by command or verb and by result.", "pool", "command", "result")
	commandDurations = desc("command_duration_seconds", "Time from taking a request from its client's connection until its reply was ready to be sent, by result: an error may be quick because nothing was done.", "pool", "command", "result")
	keys             = desc("keys_total", "Keys of clients' requests, by operation and by whether they were found or stored.", "pool", "operation", "result")

	upstreamUp       = desc("upstream_up", "Whether the upstream is up.", "pool", "upstream")
	upstreamPending  = desc("upstream_pending_requests", "Requests that wait for the upstream's reply.", "pool", "upstream")
	upstreamOutdated = desc("upstream_outdated_keys", "Keys that are remembered because they were changed or deleted while the upstream was away.", "pool", "upstream")
	upstreamTrips    = desc("upstream_round_trip_seconds", "Time from sending a request to the upstream until its reply was received.", "pool", "upstream")

	verbCalls = desc("verb_calls_total", "Calls of a verb, those that ordinary commands carried included.", "pool", "verb")
	verbTrips = desc("verb_round_trips_total", "Round trips to upstreams that calls of a verb took.", "pool", "verb")
	waiting   = desc("verbs_waiting", "Calls of verbs that wait until there is something for them.", "pool")
	lost      = desc("structures_lost_total", "Structures, and tasks of queues, that were lost because an upstream had evicted a part.", "pool", "kind")

	nearValues = desc("near_values", "Values that the process keeps.", "pool")
	nearBytes  = desc("near_bytes", "Memory of the values that the process keeps.", "pool")
	nearAge    = desc("near_age_seconds_total", "Ages of the values that the process has answered with, added up.", "pool")
	unswept    = desc("move_unswept_servers", "Servers whose items are still to be looked at, while plain keys move to other servers; 0 if none do.", "pool")
	settles    = desc("settle_remaining_seconds", "For how long verbs are refused on keys that a change of the servers has moved, until all proxies know.", "pool")
	listAge    = desc("servers_answer_age_seconds", "How long ago what lists the servers gave the last good answer; 0 if the settings do.", "pool")
	heldNow    = desc("held_now", "Gets that wait until another client stores what they miss.", "pool")

	cacheStructures = desc("read_cache_structures", "Structures in the cache.")
	cacheBytes      = desc("read_cache_bytes", "Memory of the cache of structures.")
	cacheLimit      = desc("read_cache_limit_bytes", "Most memory of the cache of structures.")
	cacheTooLarge   = desc("read_cache_too_large_total", "Reads of a structure that takes too much memory to be cached.")
	cacheLookups    = desc("read_cache_lookups_total", "Uses of a cached structure, by whether it was unchanged.", "result")

	memoryUsed  = desc("memory_used_bytes", "Memory for requests and replies in flight, and for the work of verbs.")
	memoryLimit = desc("memory_limit_bytes", "Most memory for requests and replies in flight, and for the work of verbs.")

	connections      = desc("connections", "Connected clients.")
	connectionsLimit = desc("connections_limit", "Most clients that may be connected.")

	slowRequests = desc("slow_requests_total", "Requests that took longer than --slow.")

	counters         = countDescs(status.Counters[:])
	poolCounters     = countDescs(status.PoolCounters[:], "pool")
	upstreamCounters = countDescs(status.UpstreamCounters[:], "pool", "upstream")
)

// countDescs returns the descriptions of counters, nil for those that are no metric.
func countDescs(shown []status.Shown, labels ...string) (list []*prometheus.Desc) {
	for _, c := range shown {
		var d *prometheus.Desc
		switch {
		case c.Metric != "" && c.Label.Name != "":
			d = desc(c.Metric, c.Help, slices.Concat(labels, []string{c.Label.Name})...)
		case c.Metric != "":
			d = desc(c.Metric, c.Help, labels...)
		}
		list = append(list, d)
	}
	return list
}

// collector turns snapshots into metrics. If the proxy does not answer, the scrape fails, so that
// Prometheus considers it down.
type collector struct{ looker *looker }

// Describe implements [prometheus.Collector]. It sends no descriptions, because the labels of the
// metrics depend on the configuration; so the registry does not check them beforehand.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	s, err := c.looker.look()
	if err != nil {
		to <- prometheus.NewInvalidMetric(ready, err)
		return
	}
	e := emitter(to)
	e.process(s)
	for i := range s.Pools {
		e.pool(&s.Pools[i], s.Taken)
	}
}

// emitter emits metrics.
type emitter chan<- prometheus.Metric

func (e emitter) counter(d *prometheus.Desc, n uint64, labels ...string) {
	e <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
}

// counts emits the counters that are metrics.
func (e emitter) counts(descs []*prometheus.Desc, shown []status.Shown, counts []uint64, labels ...string) {
	for i, n := range counts {
		switch label := shown[i].Label; {
		case descs[i] == nil:
		case label.Name != "":
			e.counter(descs[i], n, slices.Concat(labels, []string{label.Value})...)
		default:
			e.counter(descs[i], n, labels...)
		}
	}
}

func (e emitter) gauge(d *prometheus.Desc, n float64, labels ...string) {
	e <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, n, labels...)
}

func (e emitter) histogram(d *prometheus.Desc, h *latency.Histogram, labels ...string) {
	e <- prometheus.MustNewConstHistogram(d, h.Count(), h.Seconds(), h.Cumulative(), labels...)
}

func (e emitter) process(s *status.Snapshot) {
	e.gauge(buildInfo, 1, s.Version, runtime.Version())
	e.gauge(ready, number(s.Unready == ""))
	e.gauge(reloaded, number(!s.Reload.Failed))
	e.gauge(reloadedAt, float64(s.Reload.Succeeded.Unix()))
	for _, c := range s.Certificates {
		e.gauge(certificateLeft, c.Ends.Sub(s.Taken).Seconds(), c.File)
	}
	e.gauge(cacheStructures, float64(s.ReadCache.Structures))
	e.gauge(cacheBytes, float64(s.ReadCache.Bytes))
	e.gauge(cacheLimit, float64(s.ReadCache.Limit))
	e.counter(cacheLookups, s.ReadCache.Hits, "unchanged")
	e.counter(cacheLookups, s.ReadCache.Outdated, "outdated")
	e.counter(cacheTooLarge, s.ReadCache.TooLarge)
	e.gauge(memoryUsed, float64(s.Memory.Used))
	e.gauge(memoryLimit, float64(s.Memory.Limit))
	e.gauge(connections, float64(s.Connections.Current))
	e.gauge(connectionsLimit, float64(s.Connections.Limit))
	e.counts(counters, status.Counters[:], s.Counts[:])
	e.counter(slowRequests, s.Slow.Count)
}

func (e emitter) pool(p *status.Pool, taken time.Time) {
	e.gauge(configInfo, 1, p.Name, p.Fingerprint)
	for i := range p.Commands {
		e.command(p.Name, &p.Commands[i])
	}
	for _, k := range p.Keys {
		e.counter(keys, k.Hits, p.Name, k.Operation, "hit")
		e.counter(keys, k.Misses, p.Name, k.Operation, "miss")
	}
	for i := range p.Upstreams {
		e.upstream(p.Name, &p.Upstreams[i])
	}
	for _, v := range p.Verbs {
		e.counter(verbCalls, v.Calls, p.Name, v.Name)
		e.counter(verbTrips, v.RoundTrips, p.Name, v.Name)
	}
	e.gauge(waiting, float64(p.Waiting), p.Name)
	e.counts(poolCounters, status.PoolCounters[:], p.Counts[:], p.Name)
	e.gauge(nearValues, float64(p.Near.Values), p.Name)
	e.gauge(heldNow, float64(p.Held), p.Name)
	e.gauge(settles, p.Servers.Settles.Seconds(), p.Name)
	e.gauge(unswept, float64(p.Servers.Move.Unswept), p.Name)
	age := 0.0
	if p.Servers.Source != "" {
		age = taken.Sub(p.Servers.Answered).Seconds()
	}
	e.gauge(listAge, age, p.Name)
	e.gauge(nearBytes, float64(p.Near.Bytes), p.Name)
	e <- prometheus.MustNewConstMetric(nearAge, prometheus.CounterValue, float64(p.Counts[status.NearAge])/1e6, p.Name)
	for kind, n := range p.Lost {
		e.counter(lost, n, p.Name, kind)
	}
}

func (e emitter) command(pool string, c *status.Command) {
	for how, n := range c.Results {
		e.counter(commands, n, pool, c.Name, status.Ending(how).String())
	}
	for how := range c.Latency {
		if h := &c.Latency[how]; h.Count() > 0 {
			e.histogram(commandDurations, h, pool, c.Name, status.Ending(how).String())
		}
	}
}

func (e emitter) upstream(pool string, u *status.Upstream) {
	e.gauge(upstreamUp, number(u.State == "up"), pool, u.Name)
	e.counts(upstreamCounters, status.UpstreamCounters[:], u.Counts[:], pool, u.Name)
	e.gauge(upstreamPending, float64(u.Pending), pool, u.Name)
	e.gauge(upstreamOutdated, float64(u.Outdated), pool, u.Name)
	e.histogram(upstreamTrips, &u.Latency, pool, u.Name)
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
