package admin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
	"github.com/memverbs/memverbs/proxy/status"
)

// healthy returns a snapshot of a proxy with nothing wrong.
func healthy() *status.Snapshot {
	return &status.Snapshot{
		Taken: time.Unix(2000, 0), Connections: status.Connections{Current: 5, Limit: 10}, Memory: status.Memory{Used: 5, Limit: 100},
		Certificates: []status.Certificate{{File: "cert.pem", Ends: time.Unix(2000, 0).Add(30 * 24 * time.Hour)}},
		Pools:        []status.Pool{{Name: "main", OnDown: "requests for its keys are refused", Upstreams: []status.Upstream{{Name: "a", State: "up"}, {Name: "b", State: "up"}}}},
	}
}

// Each trouble is told with what an operator asks first; a healthy proxy has none.
func TestTroubles(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*status.Snapshot)
		says   []string // of the first one
	}{
		"healthy": {func(*status.Snapshot) {}, nil},
		"a server is down": {func(s *status.Snapshot) {
			s.Reload.Failed = true // less urgent
			s.Pools[0].Upstreams[1] = status.Upstream{Name: hostile, State: "down", Reason: "connection refused", Since: time.Unix(1900, 0), Unserved: 7}
		}, []string{"failure", "down", "main", hostile, "connection refused", "1900", "1 of 2 servers: requests for its keys are refused; 7 requests"}},
		"a server comes back": {func(s *status.Snapshot) {
			s.Pools[0].Upstreams[1].State, s.Pools[0].Upstreams[1].Since = "connecting", time.Unix(1900, 0)
		}, []string{"coming back", "outdated keys"}},
		"the servers are not confirmed": {func(s *status.Snapshot) {
			s.Pools[0].Servers = status.Servers{Source: "dns:cache.test", Answered: time.Unix(1900, 0), Error: "no answer", Refused: true}
		}, []string{"failure", "Servers not confirmed", "main", "no answer", "1900", "verbs are refused", "dns:cache.test"}},
		"the servers are not found": {func(s *status.Snapshot) {
			s.Pools[0].Servers = status.Servers{Source: "dns:cache.test", Answered: time.Unix(1900, 0), Error: "no answer"}
		}, []string{"warning", "can't be found", "main", "no answer", "1900", "dns:cache.test"}},
		"the servers have changed":  {func(s *status.Snapshot) { s.Pools[0].Servers.Settles = 20 * time.Second }, []string{"warning", "have changed", "main", "for 20 s more"}},
		"not ready":                 {func(s *status.Snapshot) { s.Unready = "the proxy is shutting down" }, []string{"failure", "Not ready", "the proxy is shutting down"}},
		"the file is wrong":         {func(s *status.Snapshot) { s.Reload = status.Reload{Failed: true, Succeeded: time.Unix(0, 0)} }, []string{"warning", "1970-01-01 00:00:00 UTC"}},
		"a certificate ends":        {func(s *status.Snapshot) { s.Certificates[0].Ends = time.Unix(2000+3600*5, 0) }, []string{"warning", "in 5 hours", "cert.pem"}},
		"a certificate has ended":   {func(s *status.Snapshot) { s.Certificates[0].Ends = time.Unix(1000, 0) }, []string{"failure", "expired", "1000"}},
		"too many clients":          {func(s *status.Snapshot) { s.Connections.Current = 10 }, []string{"failure", "10 are connected"}},
		"the memory is nearly full": {func(s *status.Snapshot) { s.Memory.Used = 95 }, []string{"warning", "buffer-memory"}},
	} {
		s := healthy()
		test.change(s)
		list := troublesOf(s, &history.History{})
		if len(test.says) == 0 {
			if len(list) != 0 {
				t.Errorf("%s: %+v", name, list)
			}
			continue
		}
		text := ""
		if len(list) > 0 {
			text = fmt.Sprintf("%+v", list[0])
		}
		for _, says := range test.says {
			if !strings.Contains(text, says) {
				t.Errorf("%s: there is no %q in %s", name, says, text)
			}
		}
	}
}

// If clients get errors although no server is down, it is told since when, unless it was a single one. Clients' own errors are no
// trouble.
func TestErrorsAreTrouble(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		requests uint64   // in each step
		failed   []uint64 // in each step
		want     severity
		since    float64
		effect   string
	}{
		"no history":                    {requests: 100},
		"none":                          {requests: 100, failed: []uint64{0, 0}},
		"a single one":                  {requests: 10, failed: []uint64{0, 1, 0}},
		"few at once, of many":          {requests: 10_000, failed: []uint64{0, 9, 0}},
		"few, again":                    {10_000, []uint64{0, 1, 0, 1}, severityWarning, 2010, "0.05 of 1000 requests/s"},
		"one in ten":                    {100, []uint64{0, 10}, severityFailure, 2010, "0.5 of 10 requests/s"},
		"some for two minutes":          {100, []uint64{0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 5}, severityFailure, 2030, "0.17 of 10 requests/s"},
		"over for a minute":             {requests: 100, failed: []uint64{9, 9, 0, 0, 0, 0, 0, 0}},
		"again, after a minute of none": {100, []uint64{9, 9, 0, 0, 0, 0, 0, 0, 9}, severityFailure, 2080, "0.15 of 10 requests/s"},
	} {
		var h history.History
		s := healthy()
		s.Pools[0].Commands = []status.Command{{Name: "get"}}
		results := &s.Pools[0].Commands[0].Results
		s.Taken = time.Unix(2000, 0)
		h.Add(s)
		for _, failed := range test.failed {
			results[status.OK] += test.requests - test.requests/2
			results[status.ClientError] += test.requests / 2
			results[status.ServerError] += failed
			s.Taken = s.Taken.Add(history.Step)
			h.Add(s)
		}
		list := troublesOf(s, &h)
		if len(list) == 0 {
			list = []trouble{{}}
		}
		if got := list[0]; len(list) != 1 || got.Severity != test.want || got.Since != test.since || !strings.HasPrefix(got.Effect, test.effect) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}
