package admin

import (
	"encoding/json"
	"net/http"
	"time"

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
		Near        toldNear       `json:"near"`
		Held        int            `json:"held"`
	}
	toldNear struct {
		status.Near
		Counts map[string]uint64 `json:"counts"`
	}
	toldCommand struct {
		Name    string       `json:"name"`
		Count   uint64       `json:"count"`
		Errors  uint64       `json:"errors"`
		Latency []toldBucket `json:"latency"`
	}
	toldUpstream struct {
		Name     string       `json:"name"`
		State    string       `json:"state"`
		Reason   string       `json:"reason,omitempty"` // why it is down
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

func tellStatus(w http.ResponseWriter, s *status.Snapshot) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(tell(s))
}

func tell(s *status.Snapshot) *told {
	t := &told{
		Version: s.Version, Uptime: s.Taken.Sub(s.Started).Seconds(), Now: unixSeconds(s.Taken), Unready: s.Unready,
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
		t.Pools = append(t.Pools, tellPool(&s.Pools[i]))
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

func tellPool(p *status.Pool) toldPool {
	t := toldPool{Name: p.Name, Fingerprint: p.Fingerprint, Waiting: p.Waiting, Commands: []toldCommand{}, Upstreams: []toldUpstream{}, Hot: []toldKey{}}
	for i := range p.Commands {
		c := &p.Commands[i]
		t.Commands = append(t.Commands, toldCommand{c.Name, c.Results.Sum(), c.Results[status.ClientError] + c.Results[status.ServerError], tellLatency(&c.Latency[status.OK])})
	}
	t.Near, t.Held = toldNear{p.Near, map[string]uint64{}}, p.Held
	for i, c := range status.PoolCounters {
		if c.Page != "" {
			t.Near.Counts[c.Page] = p.Counts[i]
		}
	}
	for _, k := range p.Keys {
		if k.Operation == "get" {
			t.Hits, t.Misses = k.Hits, k.Misses
		}
	}
	for i := range p.Upstreams {
		u := &p.Upstreams[i]
		t.Upstreams = append(t.Upstreams, toldUpstream{u.Name, u.State, u.Reason, u.Version, u.Counts[status.Requests], u.Counts.Failures(), u.Pending, tellLatency(&u.Latency)})
	}
	for _, k := range p.Hot.Top(shownKeys) {
		t.Hot = append(t.Hot, toldKey{slow.Printable([]byte(k.Key)), k.Share})
	}
	return t
}

func tellLatency(h *latency.Histogram) []toldBucket {
	list := []toldBucket{}
	for _, b := range h.Buckets() {
		list = append(list, toldBucket{b.End, b.Count})
	}
	return list
}

func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
