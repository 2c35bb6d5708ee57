package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/slow"
	"github.com/memverbs/memverbs/proxy/status"
)

// hostile is a key as a client may make it.
const hostile = "</script><img src=x onerror=alert(1)>\x00\xff\"'\\"

// full returns a snapshot that has something of everything.
func full() *status.Snapshot {
	var h latency.Histogram
	for _, micros := range []uint32{1, 50, 700, 9000, 4_000_000_000} {
		h.Add(micros)
	}
	var quick latency.Histogram
	quick.Add(1)
	quick.Add(1)
	w := hotkeys.NewWindow()
	for range 1000 {
		if !w.Skip(1) {
			w.Take(0, []byte(hostile))
		}
	}
	s := &status.Snapshot{
		Version: "1.2.3", Started: time.Unix(1000, 0), Taken: time.Unix(1060, 0),
		Reload: status.Reload{Failed: true, Succeeded: time.Unix(1000, 0)}, Certificates: []status.Certificate{{File: "cert.pem", Ends: time.Unix(1560, 0)}},
		Slow: status.Slow{Threshold: time.Millisecond, Count: 3, Latest: []slow.Request{{Key: slow.Printable([]byte(hostile)), Took: time.Second}}},
	}
	for _, name := range []string{"one", "two"} {
		p := status.Pool{
			Name: name, Fingerprint: "abc",
			Commands:  []status.Command{{Name: "get", Results: status.Results{status.OK: 5, status.ServerError: 1}, Latency: [status.NumReplied]latency.Histogram{status.OK: h, status.ServerError: quick}}, {Name: "sadd"}},
			Keys:      []status.Keys{{Operation: "get", Hits: 4, Misses: 1}},
			Upstreams: []status.Upstream{{Name: "127.0.0.1:1", State: "up", Counts: status.UpstreamCounts{status.Requests: 5, status.Timeouts: 2, status.Outages: 3}, Latency: h}, {Name: "127.0.0.1:2", State: "down", Reason: "connection refused"}},
			Verbs:     []status.Verb{{Name: "sadd", RoundTrips: 7}}, Lost: map[string]uint64{"set": 2}, Waiting: 7,
		}
		w.AddTo(&p.Hot, 0)
		s.Pools = append(s.Pools, p)
	}
	return s
}

// serve starts a server that shows what source returns, and returns its address.
func serve(t *testing.T, source Source) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(l, []string{"cache1.example", ""}, source, noReload, slog.New(slog.DiscardHandler))
	t.Cleanup(s.Close)
	return s.Addr().String()
}

// noReload is a reload that fails.
func noReload(context.Context) error { return errors.New("line 3 is wrong") }

// A reload takes a POST, and no page of another site can ask for it, whatever its name resolves to.
func TestReload(t *testing.T) {
	addr := serveFull(t)
	for _, c := range []struct {
		method, site, host string
		code               int
		says               string
	}{
		{http.MethodGet, "", "", http.StatusMethodNotAllowed, "only POST"},
		{http.MethodPost, "cross-site", "", http.StatusForbidden, "cross-origin"},
		{http.MethodPost, "", "", http.StatusInternalServerError, "line 3 is wrong"},
		{http.MethodPost, "same-origin", "evil.example:9151", http.StatusForbidden, `the host "evil.example" is not trusted`},
		{http.MethodPost, "", "evil.example", http.StatusForbidden, "use an address, localhost, the name"},
		{http.MethodPost, "", "127.0.0.1.evil.example", http.StatusForbidden, "not trusted"},
		{http.MethodPost, "", "LocalHost:9151", http.StatusInternalServerError, "line 3 is wrong"},
		{http.MethodPost, "", "cache1.Example:9151", http.StatusInternalServerError, "line 3 is wrong"},
		{http.MethodPost, "", "10.0.0.1", http.StatusInternalServerError, "line 3 is wrong"},
		{http.MethodPost, "", "[::1]:9151", http.StatusInternalServerError, "line 3 is wrong"},
		{http.MethodPost, "", "[::1]", http.StatusInternalServerError, "line 3 is wrong"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+addr+"/-/reload", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host // if it is empty, that of the URL
		if c.site != "" {
			req.Header.Set("Sec-Fetch-Site", c.site)
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != c.code || !strings.Contains(string(text), c.says) {
			t.Errorf("%s from site %q to host %q: %d %s", c.method, c.site, c.host, answer.StatusCode, text)
		}
	}
}

// No path answers a request for a host that somebody else may have resolved to this server, so that no
// page of another site reads keys.
func TestForeignHosts(t *testing.T) {
	addr := serveFull(t)
	for _, path := range []string{"/", "/status.json", "/metrics", "/healthz", "/readyz", "/nothing", "/debug/pprof/"} {
		for host, trusted := range map[string]bool{
			"evil.example": false, "evil.example:9151": false, "localhost.evil.example": false, "127.0.0.1.nip.io": false, "x": false,
			"localhost": true, "localhost:1": true, "localhost.": true, "127.0.0.1:9151": true, "[::1]": true, "CACHE1.example:80": true, "cache1.example.": true,
		} {
			request := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
			if answer := raw(t, addr, request); strings.HasPrefix(answer, "HTTP/1.1 403 ") == trusted || !trusted && strings.Contains(answer, "script") {
				t.Errorf("%s of host %s: %.60q", path, host, answer)
			}
		}
	}
	if answer := raw(t, addr, "GET /healthz HTTP/1.0\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.0 200 ") {
		t.Errorf("a check that names no host: %.60q", answer)
	}
}

// raw returns what a request is answered with until the connection ends.
func raw(t *testing.T, addr, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, request)
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func serveFull(t *testing.T) string {
	t.Helper()
	return serve(t, func(context.Context) (*status.Snapshot, error) { return full(), nil })
}

func get(t *testing.T, addr, path string) (code int, text string) {
	t.Helper()
	answer, err := http.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestMetrics(t *testing.T) {
	addr := serveFull(t)
	code, text := get(t, addr, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, text)
	}
	for _, want := range []string{
		`memverbs_commands_total{command="get",pool="one",result="ok"} 5`,
		`memverbs_commands_total{command="get",pool="two",result="server_error"} 1`,
		`memverbs_command_duration_seconds_bucket{command="get",pool="one",result="ok",le="3.2e-05"} 1`,
		`memverbs_command_duration_seconds_bucket{command="get",pool="one",result="ok",le="0.000128"} 2`,
		`memverbs_command_duration_seconds_count{command="get",pool="one",result="ok"} 5`,
		`memverbs_command_duration_seconds_count{command="get",pool="one",result="server_error"} 2`,
		`memverbs_upstream_outages_total{pool="one",upstream="127.0.0.1:1"} 3`,
		`memverbs_read_cache_bytes 0`,
		`memverbs_upstream_up{pool="one",upstream="127.0.0.1:1"} 1`,
		`memverbs_upstream_up{pool="one",upstream="127.0.0.1:2"} 0`,
		`memverbs_upstream_failures_total{pool="one",reason="timeout",upstream="127.0.0.1:1"} 2`,
		`memverbs_verb_round_trips_total{pool="two",verb="sadd"} 7`,
		`memverbs_verbs_waiting{pool="two"} 7`,
		`memverbs_structures_lost_total{kind="set",pool="one"} 2`,
		`memverbs_config_info{fingerprint="abc",pool="one"} 1`,
		`memverbs_config_last_reload_successful 0`,
		`memverbs_certificate_expires_seconds{file="cert.pem"} 500`,
		`memverbs_keys_total{operation="get",pool="one",result="miss"} 1`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("there is no %s", want)
		}
	}
}

// The state tells why a server is down, and when certificates end.
func TestState(t *testing.T) {
	_, text := get(t, serveFull(t), "/status.json")
	for _, want := range []string{
		`{"name":"127.0.0.1:1","state":"up","version":"","requests":5,`,
		`{"name":"127.0.0.1:2","state":"down","reason":"connection refused",`,
		`"certificates":[{"file":"cert.pem","expiresSeconds":500}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in %s", want, text)
		}
	}
}

// Whatever is collected is as the descriptions say, and nothing is collected twice.
func TestMetricsAreConsistent(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(&collector{&looker{source: func(context.Context) (*status.Snapshot, error) { return full(), nil }}})
	if families, err := registry.Gather(); err != nil || len(families) < 30 {
		t.Errorf("%d families, %v", len(families), err)
	}
}

// What clients have written is escaped wherever it may be shown.
func TestKeysAreEscaped(t *testing.T) {
	addr := serveFull(t)
	code, text := get(t, addr, "/status.json")
	var told struct {
		Pools []struct{ Hot []struct{ Key string } }
		Slow  []struct{ Key string }
	}
	if err := json.Unmarshal([]byte(text), &told); err != nil || code != http.StatusOK {
		t.Fatalf("%d %v: %s", code, err, text)
	}
	want := `</script><img src=x onerror=alert(1)>\x00\xff"'\\`
	if told.Slow[0].Key != want || told.Pools[0].Hot[0].Key != want {
		t.Errorf("%q and %q, expected %q", told.Slow[0].Key, told.Pools[0].Hot[0].Key, want)
	}
	if strings.ContainsAny(text, "<>\x00") || !utf8.ValidString(text) {
		t.Errorf("it is not escaped: %q", text)
	}
	if _, text := get(t, addr, "/metrics"); strings.Contains(text, "onerror") {
		t.Error("the metrics have a key")
	}
}

// The page may run its own script only, and never makes HTML of text.
func TestPolicy(t *testing.T) {
	answer, err := http.Get("http://" + serveFull(t) + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	csp := answer.Header.Get("Content-Security-Policy")
	if strings.Contains(csp, "unsafe") || !strings.HasPrefix(csp, "default-src 'none'") || strings.Count(csp, "'sha256-") != 2 {
		t.Errorf("the policy is %q", csp)
	}
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "<script src", "onclick="} {
		if strings.Contains(string(page), bad) {
			t.Errorf("the page has %s", bad)
		}
	}
}

func TestHealthAndReadiness(t *testing.T) {
	for _, test := range []struct {
		unready       string
		err           error
		health, ready int
	}{
		{"", nil, 200, 200}, {"the proxy is shutting down", nil, 200, 503}, {"", errors.New("event loop 1 does not answer"), 503, 503},
	} {
		addr := serve(t, func(context.Context) (*status.Snapshot, error) {
			if test.err != nil {
				return nil, test.err
			}
			return &status.Snapshot{Unready: test.unready}, nil
		})
		health, _ := get(t, addr, "/healthz")
		readiness, text := get(t, addr, "/readyz")
		if health != test.health || readiness != test.ready || !strings.Contains(text, test.unready) {
			t.Errorf("%+v: %d, %d %q", test, health, readiness, text)
		}
		if metrics, _ := get(t, addr, "/metrics"); (metrics == 200) != (test.err == nil) {
			t.Errorf("%+v: metrics %d", test, metrics)
		}
	}
}

// Hostile requests are refused, and don't get in the way of others.
func TestHostileRequests(t *testing.T) {
	addr := serveFull(t)
	for request, want := range map[string]string{
		"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n":                    "405",
		"DELETE /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n":                                "405",
		"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n":                          "400 404 307",
		"GET /debug/pprof/ HTTP/1.1\r\nHost: localhost\r\n\r\n":                              "404",
		"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<16) + "\r\n\r\n": "431",
		"get key\r\n\r\n": "400",
		"HEAD /status.json HTTP/1.1\r\nHost: localhost\r\n\r\n": "200",
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, request)
		line, err := bufio.NewReader(conn).ReadString('\n')
		if words := strings.Fields(line); err != nil || len(words) < 2 || !strings.Contains(want, words[1]) {
			t.Errorf("%.40q is answered by %q, %v", request, line, err)
		}
		conn.Close()
	}
}

// However many look, the proxy is asked a few times a second, and connections are limited.
func TestManyLookers(t *testing.T) {
	var asked atomic.Int64
	addr := serve(t, func(context.Context) (*status.Snapshot, error) { asked.Add(1); return full(), nil })
	start := time.Now()
	for range 200 {
		get(t, addr, "/healthz")
	}
	const recorded = 1 // by the history, whose next step comes later
	if n, most := asked.Load(), recorded+2+int64(time.Since(start)/freshness); n > most {
		t.Errorf("the proxy was asked %d times, expected at most %d", n, most)
	}
	var idle []net.Conn
	defer func() {
		for _, c := range idle {
			c.Close()
		}
	}()
	for range maxConnections {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		idle = append(idle, conn)
	}
	http.DefaultClient.CloseIdleConnections()
	for _, c := range idle[:2] {
		c.Close()
	}
	if code, _ := get(t, addr, "/healthz"); code != http.StatusOK {
		t.Errorf("%d while others are connected", code)
	}
}
