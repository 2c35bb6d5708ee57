package admin

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/status"
)

// The JSON that the page reads. Counts are since the start: the page computes the rates and
// latencies of the last seconds from the differences.
type (
	told struct {
		Version     string            `json:"version"`
		Uptime      float64           `json:"uptime"` // seconds
		Now         float64           `json:"now"`    // seconds, by the proxy's clock
		Unready     string            `json:"unready,omitempty"`
		Troubles    []trouble         `json:"troubles"`
		Connections map[string]uint64 `json:"connections"`
		Memory      status.Memory     `json:"memory"`
		ReadCache   status.ReadCache  `json:"readCache"`
		Received    uint64            `json:"received"`
		Sent        uint64            `json:"sent"`
		Threshold   float64           `json:"threshold"` // seconds; 0 if no request is slow
		SlowCount   uint64            `json:"slowCount"`
		Slow        []toldSlow        `json:"slow"`
		Pools       []toldPool        `json:"pools"`

		Certificates []toldCertificate `json:"certificates,omitempty"`
	}
	toldCertificate struct {
		File    string  `json:"file"`
		Expires float64 `json:"expiresSeconds"` // from now
	}
	toldPool struct {
		Name        string         `json:"name"`
		Fingerprint string         `json:"fingerprint"`
		Commands    []toldCommand  `json:"commands"`
		Hits        uint64         `json:"hits"` // of gets, for each key
		Misses      uint64         `json:"misses"`
		Waiting     int            `json:"waiting"`
		Upstreams   []toldUpstream `json:"upstreams"`
		Hot         []toldKey      `json:"hot"`
		Near        status.Near    `json:"near"`
		Held        int            `json:"held"`
		Servers     toldServers    `json:"servers"`

		Counts   map[string]uint64 `json:"counts"`
		Lost     map[string]uint64 `json:"lost"` // structures, by kind
		Settings []status.Setting  `json:"settings"`
		History  []toldPoint       `json:"history"` // the oldest first
	}
	// toldServers is what is known of the list of servers.
	toldServers struct {
		Source   string  `json:"source,omitempty"`
		Answered float64 `json:"answered,omitempty"` // in seconds since 1970
		Error    string  `json:"error,omitempty"`
		Settles  float64 `json:"settlesSeconds,omitempty"` // from now
		Move     string  `json:"move,omitempty"`           // how far plain keys have moved
		Unswept  int     `json:"moveUnsweptServers,omitempty"`
	}
	// toldPoint is what a pool did in some seconds. Rates are per second.
	toldPoint struct {
		At           float64 `json:"at"` // its end, in seconds since 1970
		Requests     float64 `json:"requests"`
		Hits         float64 `json:"hits"`
		Misses       float64 `json:"misses"`
		ClientErrors float64 `json:"clientErrors"`
		ServerErrors float64 `json:"serverErrors"`
		Median       float64 `json:"median"` // seconds; 0 if no request succeeded
		P99          float64 `json:"p99"`
	}
	toldCommand struct {
		Name         string       `json:"name"`
		Count        uint64       `json:"count"`
		ClientErrors uint64       `json:"clientErrors"`
		ServerErrors uint64       `json:"serverErrors"`
		Latency      []toldBucket `json:"latency"`
	}
	toldUpstream struct {
		Name     string       `json:"name"`
		State    string       `json:"state"`
		Reason   string       `json:"reason,omitempty"` // why it is down
		Since    float64      `json:"since,omitempty"`  // when that began, in seconds since 1970
		Version  string       `json:"version"`
		Requests uint64       `json:"requests"`
		Failures uint64       `json:"failures"`
		Pending  int          `json:"pending"`
		Latency  []toldBucket `json:"latency"`
	}
	// toldBucket is the end of a bucket, in microseconds, and its count.
	toldBucket [2]uint64
	toldKey    struct {
		Key   string  `json:"key"`
		Share float64 `json:"share"`
	}
	toldSlow struct {
		At         float64 `json:"at"` // seconds since 1970
		Pool       string  `json:"pool"`
		Command    string  `json:"command"`
		Key        string  `json:"key"`
		Upstream   string  `json:"upstream"`
		RoundTrips int     `json:"roundTrips"`
		Took       float64 `json:"took"` // seconds
		Queued     float64 `json:"queued"`
		Upstreams  float64 `json:"upstreams"`
		Proxy      float64 `json:"proxy"`
		InOrder    float64 `json:"inOrder"`
	}
)

// shownKeys is how many hot keys of a pool the page shows.
const shownKeys = 10

// tellStatus answers with the state. The parameter since, in seconds since 1970, leaves out the history up to then.
func tellStatus(h *history.History) func(http.ResponseWriter, *http.Request, *status.Snapshot) {
	return func(w http.ResponseWriter, r *http.Request, s *status.Snapshot) {
		var after time.Time
		if seconds, err := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64); err == nil {
			after = time.Unix(seconds, 0)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(tell(s, h, after))
	}
}

// tell returns the state, with the history after a time.
func tell(s *status.Snapshot, h *history.History, after time.Time) *told {
	t := &told{
		Version: s.Version, Uptime: s.Taken.Sub(s.Started).Seconds(), Now: unixSeconds(s.Taken), Unready: s.Unready, Troubles: troublesOf(s, h),
		Connections: tellConnections(s), Memory: s.Memory, ReadCache: s.ReadCache, Received: s.Counts[status.Received], Sent: s.Counts[status.Sent],
		Threshold: s.Slow.Threshold.Seconds(), SlowCount: s.Slow.Count, Slow: []toldSlow{}, Pools: []toldPool{},
	}
	for _, r := range s.Slow.Latest {
		t.Slow = append(t.Slow, toldSlow{unixSeconds(r.At), r.Pool, r.Command, r.Key, r.Upstream, r.RoundTrips,
			r.Took.Seconds(), r.Queued.Seconds(), r.Upstreams.Seconds(), r.Proxy.Seconds(), r.InOrder.Seconds()})
	}
	for _, c := range s.Certificates {
		t.Certificates = append(t.Certificates, toldCertificate{c.File, c.Ends.Sub(s.Taken).Seconds()})
	}
	for i := range s.Pools {
		t.Pools = append(t.Pools, tellPool(&s.Pools[i], h.Of(s.Pools[i].Name, after)))
	}
	return t
}

func tellConnections(s *status.Snapshot) map[string]uint64 {
	t := map[string]uint64{"current": uint64(s.Connections.Current), "limit": uint64(s.Connections.Limit)}
	for i, c := range status.Counters {
		if c.Page != "" {
			t[c.Page] = s.Counts[i]
		}
	}
	return t
}

func tellPool(p *status.Pool, past []history.Point) toldPool {
	t := toldPool{
		Name: p.Name, Fingerprint: p.Fingerprint, Waiting: p.Waiting, Near: p.Near, Held: p.Held, Lost: p.Lost, Settings: p.Settings,
		Commands: []toldCommand{}, Upstreams: []toldUpstream{}, Hot: []toldKey{}, Counts: map[string]uint64{}, History: tellHistory(past),
	}
	t.Servers = toldServers{Source: p.Servers.Source, Error: p.Servers.Error, Settles: p.Servers.Settles.Seconds(), Move: p.Servers.Move.Phase, Unswept: p.Servers.Move.Unswept}
	if p.Servers.Source != "" {
		t.Servers.Answered = unixSeconds(p.Servers.Answered)
	}
	for i := range p.Commands {
		c := &p.Commands[i]
		t.Commands = append(t.Commands, toldCommand{c.Name, c.Results.Sum(), c.Results[status.ClientError], c.Results[status.ServerError], tellLatency(&c.Latency[status.OK])})
	}
	for i, c := range status.PoolCounters {
		if c.Page != "" {
			t.Counts[c.Page] = p.Counts[i]
		}
	}
	t.Hits, t.Misses = p.Gets()
	for i := range p.Upstreams {
		u := &p.Upstreams[i]
		t.Upstreams = append(t.Upstreams, toldUpstream{u.Name, u.State, u.Reason, unixSeconds(u.Since), u.Version, u.Counts[status.Requests], u.Counts.Failures(), u.Pending, tellLatency(&u.Latency)})
	}
	for _, k := range p.Hot.Top(shownKeys) {
		t.Hot = append(t.Hot, toldKey{slow.Printable([]byte(k.Key)), k.Share})
	}
	return t
}

func tellHistory(past []history.Point) []toldPoint {
	list := []toldPoint{}
	for _, p := range past {
		list = append(list, toldPoint{unixSeconds(p.At), p.Requests, p.Hits, p.Misses, p.ClientErrors, p.ServerErrors, p.Median.Seconds(), p.P99.Seconds()})
	}
	return list
}

func tellLatency(h *latency.Histogram) []toldBucket {
	list := []toldBucket{}
	for _, b := range h.Buckets() {
		list = append(list, toldBucket{b.End, b.Count})
	}
	return list
}

// unixSeconds returns the seconds since 1970, 0 for the zero time.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
