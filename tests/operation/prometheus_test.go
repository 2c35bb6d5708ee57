package operation

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/spawn"
)

// fetched returns the path of a program that a script of this folder gets.
func fetched(t *testing.T, folder, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", ".cache", folder, name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatalf("there is no %s to test with; run \"make needs\", which fetches it (%v)", name, err)
	}
	return path
}

// prometheus is a Prometheus that scrapes one memverbs or several.
type prometheus struct {
	t   *testing.T
	url string
}

// startPrometheus starts a Prometheus with a configuration, to which it adds how often it is to look.
func startPrometheus(t *testing.T, text string) *prometheus {
	t.Helper()
	folder := t.TempDir()
	config := filepath.Join(folder, "prometheus.yml")
	text = "global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}\n" + text
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()
	p, err := spawn.Start("prometheus", fetched(t, "prometheus", "prometheus"), "--config.file", config,
		"--storage.tsdb.path", filepath.Join(folder, "data"), "--web.listen-address", addr, "--log.level", "warn")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Signal(os.Kill)
		harness.Await(t, "the end of Prometheus", func() bool { return !p.Running() })
		if t.Failed() {
			t.Log(p.Said())
		}
	})
	return &prometheus{t, "http://" + addr}
}

// scraping is the configuration of a Prometheus that scrapes the admin servers at these URLs, by the names of the jobs
// that they belong to.
func scraping(jobs map[string][]string) string {
	text := "scrape_configs:\n"
	for job, urls := range jobs {
		targets := strings.ReplaceAll(strings.Join(urls, ", "), "http://", "")
		text += fmt.Sprintf("- {job_name: %s, static_configs: [{targets: [%s]}]}\n", job, targets)
	}
	return text
}

// query returns the values of a query, by the values of the labels named, with spaces
// between. It returns nothing while Prometheus is starting.
func (p *prometheus) query(query string, labels ...string) map[string]string {
	values := map[string]string{}
	var answer struct {
		Result []struct {
			Metric map[string]string
			Value  [2]any
		}
	}
	p.ask("query?query="+url.QueryEscape(query), &answer)
	for _, r := range answer.Result {
		var name []string
		for _, label := range labels {
			name = append(name, r.Metric[label])
		}
		values[strings.Join(name, " ")], _ = r.Value[1].(string)
	}
	return values
}

// ask reads the data of an answer of Prometheus's API into data, or nothing while Prometheus is starting.
func (p *prometheus) ask(what string, data any) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		return
	}
	conn.Close()
	_, text := fetch(p.t, p.url+"/api/v1/"+what)
	_ = json.Unmarshal([]byte(text), &struct{ Data any }{data}) // which fails while it is starting
}

// load is some clients that count what they ask for, and how it is answered.
type load struct {
	mu      sync.Mutex
	results map[string]int // by command and result
	stop    atomic.Bool
	done    atomic.Int64 // requests so far
	clients sync.WaitGroup
}

// startLoad starts clients. They stay connected until the test ends.
func startLoad(t *testing.T, addr string, clients int) *load {
	t.Helper()
	l := &load{results: map[string]int{}}
	for i := range clients {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		l.clients.Go(func() { l.use(t, conn, rand.New(rand.NewPCG(uint64(i), 1))) })
	}
	return l
}

// end waits until the clients have got their last replies. They stay connected.
func (l *load) end() {
	l.stop.Store(true)
	l.clients.Wait()
}

func (l *load) use(t *testing.T, conn net.Conn, rng *rand.Rand) {
	mine := map[string]int{}
	for in := bufio.NewReader(conn); !l.stop.Load(); l.done.Add(1) {
		request := loadRequest(rng)
		command, _, _ := strings.Cut(request, " ")
		command = strings.TrimSpace(command)
		if _, err := conn.Write([]byte(request)); err != nil {
			t.Error(err)
			return
		}
		if strings.Contains(request, "noreply") {
			mine[command+" no_reply"]++
			continue
		}
		result, err := resultOf(in)
		if err != nil {
			t.Error(err)
			return
		}
		mine[command+" "+result]++
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for result, n := range mine {
		l.results[result] += n
	}
}

func loadRequest(rng *rand.Rand) string {
	key := func() string { return fmt.Sprint("key", rng.IntN(500)) }
	switch rng.IntN(9) {
	case 0:
		return "set " + key() + " 0 0 5\r\nvalue\r\n"
	case 1:
		return "set " + key() + " 0 0 5 noreply\r\nvalue\r\n"
	case 2:
		return "get " + key() + " " + key() + " " + key() + "\r\n"
	case 3:
		return "delete " + key() + "\r\n"
	case 4:
		return "incr " + key() + " 1\r\n"
	case 5:
		return "mg " + key() + " v\r\n"
	case 6:
		return fmt.Sprintf("sadd set%d member%d\r\n", rng.IntN(50), rng.IntN(50))
	case 7:
		return fmt.Sprintf("smembers set%d\r\n", rng.IntN(50))
	}
	return "get " + key() + "\r\n"
}

// resultOf reads a reply and returns how it counts.
func resultOf(in *bufio.Reader) (string, error) {
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			return "", err
		case strings.HasPrefix(line, "SERVER_ERROR"):
			return "server_error", nil
		case strings.HasPrefix(line, "CLIENT_ERROR"), line == "ERROR\r\n":
			return "client_error", nil
		case strings.HasPrefix(line, "VALUE"), strings.HasPrefix(line, "VA "):
			if _, err := in.ReadString('\n'); err != nil {
				return "", err
			}
			if strings.HasPrefix(line, "VA ") {
				return "ok", nil
			}
		default:
			return "ok", nil
		}
	}
}

// While a server is killed and comes back, Prometheus scrapes the proxy all the time. At the
// end every counter is what the clients have counted.
func TestPrometheusCountsWhatClientsCount(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	m, admin := startWithAdmin(t, "--upstream", one.Addr, "--upstream", two.Addr, "--timeout", "500ms")
	p := startPrometheus(t, scraping(map[string][]string{"memverbs": {admin}}))
	isUp := func(want string) func() bool {
		return func() bool { return p.query("memverbs_upstream_up", "upstream")[two.Addr] == want }
	}
	harness.Await(t, "the first scrape", isUp("1"))
	l := startLoad(t, m.Addr, 8)
	for _, step := range []struct {
		do func(testing.TB)
		up string
	}{{two.Kill, "0"}, {two.Restart, "1"}, {two.Kill, "0"}} {
		before := l.done.Load()
		harness.Await(t, "some requests", func() bool { return l.done.Load() > before+2000 })
		step.do(t)
		harness.Await(t, "upstream_up "+step.up, isUp(step.up))
	}
	l.end()

	var got map[string]string
	agree := func() bool {
		got = p.query("memverbs_commands_total > 0", "command", "result")
		for result, n := range l.results {
			if got[result] != fmt.Sprint(n) {
				return false
			}
		}
		return len(got) == len(l.results)
	}
	defer func() {
		if t.Failed() {
			t.Logf("the clients have counted %v, Prometheus %v", l.results, got)
		}
	}()
	harness.Await(t, "equal counts", agree)
	if l.results["get server_error"] == 0 || l.results["sadd ok"] == 0 || l.results["set no_reply"] == 0 {
		t.Error("something did not occur")
	}
	durations := p.query("sum by (command) (memverbs_command_duration_seconds_count)", "command")
	for command, n := range durations {
		if want := l.results[command+" ok"] + l.results[command+" server_error"] + l.results[command+" client_error"]; n != fmt.Sprint(want) {
			t.Errorf("%s durations of %s, expected %d", n, command, want)
		}
	}
	for _, equal := range []struct{ one, other string }{
		{"sum(memverbs_verb_calls_total)", `sum(memverbs_commands_total{command=~"sadd|smembers"})`},
		{`sum(memverbs_command_duration_seconds_bucket{le="+Inf"})`, "sum(memverbs_command_duration_seconds_count)"},
		{"sum(memverbs_connections)", "vector(8)"},
		{"count(memverbs_config_info)", "vector(1)"},
		{"count(memverbs_structures_lost_total == 0)", "vector(6)"}, // from the start, so that the first loss is an increase
	} {
		if a, b := p.query(equal.one)[""], p.query(equal.other)[""]; a != b || a == "" {
			t.Errorf("%s is %q, %s is %q", equal.one, a, equal.other, b)
		}
	}
	if failed := p.query(`memverbs_upstream_failures_total{reason="refused"}`, "upstream")[two.Addr]; failed == "" || failed == "0" {
		t.Errorf("%q failures of the server that was killed", failed)
	}
	checkMetrics(t, admin)
}

// checkMetrics has promtool check names, types and helps.
func checkMetrics(t *testing.T, admin string) {
	t.Helper()
	_, text := fetch(t, admin+"/metrics")
	check := exec.Command(fetched(t, "prometheus", "promtool"), "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if said, err := check.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("promtool: %v\n%s", err, said)
	}
}
