package operation

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// startWithAdmin starts memverbs with an admin server, and returns the URL of the admin server.
func startWithAdmin(t *testing.T, flags ...string) (m *harness.Memverbs, url string) {
	t.Helper()
	m = harness.StartMemverbs(t, append([]string{"--admin", "127.0.0.1:0"}, flags...)...)
	return m, adminOf(m)
}

// adminOf returns the URL of the admin server of a memverbs that has one.
func adminOf(m *harness.Memverbs) string {
	return "http://" + regexp.MustCompile(`admin=(\S+)`).FindStringSubmatch(m.Log())[1]
}

// fetch returns the status and the text of an answer.
func fetch(t *testing.T, url string) (code int, text string) {
	t.Helper()
	answer, err := http.Get(url)
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

// The proxy is ready while an upstream of each pool is up, and healthy in any case.
func TestReadiness(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	_, url := startWithAdmin(t, "--upstream", one.Addr, "--upstream", two.Addr)
	await := func(want string) {
		t.Helper()
		harness.Await(t, want, func() bool {
			code, text := fetch(t, url+"/readyz")
			return strings.Contains(text, want) && (code == http.StatusOK) == (want == "ready\n")
		})
		if code, text := fetch(t, url+"/healthz"); code != http.StatusOK {
			t.Errorf("it is not healthy: %s", text)
		}
	}
	await("ready\n")
	one.Kill(t)
	await("ready\n")
	two.Kill(t)
	await("no upstream of pool main is up")
	one.Restart(t)
	await("ready\n")
}

// An address that can't be used ends the program at its start.
func TestAdminAddressInUse(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Newest)
	status, _, said := runCommand(t, "--listen", "127.0.0.1:0", "--admin", m.Addr)
	if status != 75 || !strings.Contains(said, "--admin: cannot listen on "+m.Addr) || !strings.Contains(said, "address already in use") {
		t.Errorf("status %d: %s", status, said)
	}
	if status, _, said := runCommand(t, "--admin", "9151"); status != 2 || !strings.Contains(said, "use host:port") {
		t.Errorf("status %d: %s", status, said)
	}
}

// The keys that are asked for most are found, in all the ways in which keys are asked for.
func TestHotKeys(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--upstream", harness.StartMemcached(t, harness.Newest).Addr)
	c := harness.Dial(t, m.Addr)
	c.Ask("sadd set a\r\n", "STORED\r\n")
	const rounds = 4000
	for i := range rounds {
		c.Send(fmt.Sprintf("get cold%d hot\r\nmg hot\r\nsismember set a\r\nincr cold%d 1\r\n", i, i))
		for _, want := range []string{"END", "EN", "1", "NOT_FOUND"} {
			if line := c.Line(); line != want {
				t.Fatalf("%q, expected %q", line, want)
			}
		}
	}
	shares := map[string]string{}
	key := ""
	for _, line := range askStats(t, m.Addr, "hotkeys") {
		switch words := strings.Fields(line); {
		case strings.HasSuffix(words[1], "_key"):
			key = words[2]
		case strings.HasSuffix(words[1], "_share"):
			shares[key] = words[2]
		}
	}
	// 5 keys in a round: the hot one twice, and the set.
	if len(shares) != 2 || !strings.HasPrefix(shares["hot"], "0.4") && !strings.HasPrefix(shares["hot"], "0.3") || !strings.HasPrefix(shares["set"], "0.2") && !strings.HasPrefix(shares["set"], "0.1") {
		t.Errorf("%v", shares)
	}
}

// A slow request is logged with what is known of it.
func TestSlowRequests(t *testing.T) {
	t.Parallel()
	one := harness.StartMemcached(t, harness.Newest)
	m, url := startWithAdmin(t, "--upstream", one.Addr, "--slow", "100ms", "--timeout", "300ms")
	c := harness.Dial(t, m.Addr)
	c.Ask("set quick 0 0 1\r\n1\r\n", "STORED\r\n")
	one.Freeze(t)
	other := harness.Dial(t, m.Addr)
	c.Send("get slow:\\\x01<b>\r\n")
	other.Send("smembers set\r\n")
	for _, c := range []*harness.Client{c, other} {
		if line := c.Line(); !strings.Contains(line, "did not answer within") {
			t.Errorf("%q", line)
		}
	}
	one.Thaw(t)
	line := regexp.MustCompile(`msg="slow request" pool=main command=(?:get key=(\S+)|smembers key=set) upstream=(\S+) round_trips=1 took=(\S+) queued=\S+ upstreams=(\S+) proxy=\S+ in_order=0s more=0`)
	harness.Await(t, "the line of the slow request", func() bool { return line.MatchString(m.Log()) })
	found := line.FindStringSubmatch(m.Log())
	if found[1] != `slow:\\\x01<b>` && found[1] != "" || found[2] != one.Addr {
		t.Errorf("%q", found)
	}
	if _, text := fetch(t, url+"/metrics"); !strings.Contains(text, "memverbs_slow_requests_total 2\n") {
		t.Errorf("not both are counted: %s", text)
	}
}

// What waits for all servers has waited for upstreams, and not for the proxy.
func TestSlowRequestsToAllServers(t *testing.T) {
	t.Parallel()
	one := harness.StartMemcached(t, harness.Newest)
	m, url := startWithAdmin(t, "--upstream", one.Addr, "--slow", "100ms", "--timeout", "60s")
	stats, flush := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	for _, c := range []*harness.Client{stats, flush} { // the loops of both are connected then
		c.Ask("get k\r\n", "END\r\n")
	}
	one.Freeze(t)
	flush.Send("flush_all\r\n")
	stats.Send("stats\r\n")
	for stats.Line() != "END" {
	}
	one.Thaw(t)
	if line := flush.Line(); line != "OK" {
		t.Errorf("flush_all: %q", line)
	}
	type told struct {
		Command, Upstream string
		RoundTrips        int
		Took, Upstreams   float64
	}
	var page struct{ Slow []told }
	harness.Await(t, "both requests among the slow ones", func() bool {
		_, text := fetch(t, url+"/status.json")
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		return len(page.Slow) >= 2
	})
	for _, r := range page.Slow {
		want := map[string]string{"stats": "", "flush_all": one.Addr}
		if name, ok := want[r.Command]; !ok || r.Upstream != name || r.RoundTrips != 1 || r.Upstreams < 0.1 || r.Upstreams > r.Took {
			t.Errorf("a slow request: %+v", r)
		}
	}
}

// stats has what exporters for memcached's own proxy look for.
func TestStatsOfMemcachedsProxy(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", one.Addr, "--upstream", two.Addr)
	c := harness.Dial(t, m.Addr)
	for range 5 {
		c.Ask("get a\r\n", "END\r\n")
	}
	two.Kill(t)
	harness.Await(t, "the failure", func() bool { return m.OwnStats()["proxy_backend_failed"] == "1" })
	stats := m.OwnStats()
	if stats["proxy_backend_total"] != "2" || stats["proxy_req_active"] != "0" || stats["proxy_conn_oom"] != "0" || stats["proxy_conn_errors"] == "" {
		t.Errorf("%v", stats)
	}
	if stats["proxy_conn_requests"] < "6" {
		t.Errorf("%s requests", stats["proxy_conn_requests"])
	}
}
