package operation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// askStats returns what a server says to stats what, line by line.
func askStats(t *testing.T, addr, what string) (lines []string) {
	t.Helper()
	c := harness.Dial(t, addr)
	defer c.Close()
	c.Send(strings.TrimSpace("stats "+what) + "\r\n")
	for {
		line := c.Line()
		if line == "END" {
			return lines
		}
		lines = append(lines, line)
	}
}

// unsummed are those of memcached's general statistics that the proxy does not
// have, and why.
var unsummed = map[string]string{
	"libevent":                       "a library of memcached's",
	"response_obj_oom":               "the same",
	"response_obj_count":             "the same",
	"response_obj_bytes":             "the same",
	"read_buf_count":                 "the same",
	"read_buf_bytes":                 "the same",
	"read_buf_bytes_free":            "the same",
	"read_buf_oom":                   "the same",
	"reserved_fds":                   "the same",
	"time_in_listen_disabled_us":     "of the servers' connections",
	"unexpected_napi_ids":            "of the servers' connections",
	"round_robin_fallback":           "of the servers' connections",
	"slab_reassign_last_busy_status": "has no sum",
	"log_worker_dropped":             "of watch, which the proxy refuses",
	"log_worker_written":             "of watch, which the proxy refuses",
	"log_watcher_skipped":            "of watch, which the proxy refuses",
	"log_watcher_sent":               "of watch, which the proxy refuses",
	"log_watchers":                   "of watch, which the proxy refuses",
}

// What only the servers know is the sum over them, and nothing that memcached
// tells is forgotten.
func TestStatsOfServersAreSums(t *testing.T) {
	t.Parallel()
	var stores []*harness.Memcached
	var flags []string
	for range 3 {
		m := harness.StartMemcached(t, harness.Newest, "-m", "8")
		stores, flags = append(stores, m), append(flags, "--upstream", m.Addr)
	}
	p := harness.StartMemverbs(t, flags...)
	c := harness.Dial(t, p.Addr)
	for n := range 300 {
		c.Ask(fmt.Sprintf("set key%d 0 0 100000\r\n%0100000d\r\n", n, n), "STORED\r\n") // more than there is room for
	}
	c.Send("sadd s " + strings.Repeat("member ", 10) + "\r\n")
	c.Expect("STORED\r\n")

	var each []map[string]string
	for _, m := range stores {
		each = append(each, m.Stats())
	}
	all := p.Stats()
	for name := range each[0] {
		switch _, told := all[name]; {
		case unsummed[name] != "" && told:
			t.Errorf("%s is told after all", name)
		case unsummed[name] == "" && !told:
			t.Errorf("%s is not told, and nobody says why", name)
		}
	}
	for _, name := range []string{"bytes", "curr_items", "total_items", "limit_maxbytes", "evictions", "evicted_unfetched", "hash_bytes"} {
		sum := 0
		for _, stats := range each {
			n, _ := strconv.Atoi(stats[name])
			sum += n
		}
		if all[name] != strconv.Itoa(sum) || sum == 0 {
			t.Errorf("%s is %q, and %d in the servers", name, all[name], sum)
		}
	}
	if all["upstreams_unreachable"] != "0" {
		t.Errorf("%q upstreams are said to be unreachable", all["upstreams_unreachable"])
	}
}

// A value that is refused because it is too large is counted as memcached would, and the settings of its
// memory are passed on.
func TestStatsOfWhatIsRefused(t *testing.T) {
	t.Parallel()
	small := harness.StartMemcached(t, harness.Newest, "-I", "16k", "-o", "slab_chunk_max=8")
	p := harness.StartMemverbs(t, "--upstream", small.Addr, "--max-item-size", "32KB")
	c := harness.Dial(t, p.Addr)
	for _, size := range []int{20_000, 40_000} { // more than the server takes, and than the proxy does
		c.Ask(fmt.Sprintf("set k 0 0 %d\r\n%0*d\r\n", size, size, 0), "SERVER_ERROR object too large for cache\r\n")
	}
	stats := p.Stats()
	for name, want := range map[string]string{"store_too_large": "2", "accepting_conns": "1", "connection_structures": stats["curr_connections"], "conn_yields": "0"} {
		if stats[name] != want {
			t.Errorf("%s is %q, expected %s", name, stats[name], want)
		}
	}
	here, there := askStats(t, small.Addr, "settings"), askStats(t, p.Addr, "settings")
	for name := range strings.FieldsSeq("lru_crawler lru_crawler_sleep lru_crawler_tocrawl lru_maintainer_thread lru_segmented hot_lru_pct warm_lru_pct hot_max_factor warm_max_factor") {
		of := func(line string) bool { return strings.HasPrefix(line, "STAT "+name+" ") }
		if i := slices.IndexFunc(here, of); i < 0 || !slices.Contains(there, here[i]) {
			t.Errorf("%s is not told: %q", name, there)
		}
	}
}

// With one server, what it says of its memory is passed on as it is.
func TestStatsOfOneServerAreItsOwn(t *testing.T) {
	t.Parallel()
	for _, version := range append(harness.Versions, harness.Newest) {
		m := harness.StartMemcached(t, version, "-o", "track_sizes,no_lru_maintainer,no_lru_crawler")
		p := harness.StartMemverbs(t, "--upstream", m.Addr)
		fillClasses(t, m.Addr, 1)
		for _, what := range []string{"items", "slabs", "sizes"} {
			here, there := askStats(t, m.Addr, what), askStats(t, p.Addr, what)
			if len(here) < 3 || !slices.Equal(here, there) {
				t.Errorf("memcached %s says to stats %s\n%q, and through the proxy\n%q", version, what, here, there)
			}
		}
	}
}

// fillClasses stores items of some sizes, rounds of each.
func fillClasses(t *testing.T, addr string, rounds int) {
	t.Helper()
	c := harness.Dial(t, addr)
	for _, size := range []int{1, 200, 3000, 40000} {
		for n := range rounds {
			c.Ask(fmt.Sprintf("set %d-%d 0 0 %d\r\n%0*d\r\n", size, n, size, size, 0), "STORED\r\n")
		}
	}
	c.Close()
}

// With several, each class is told once, with what there is of it in all.
func TestStatsOfServersAreMergedByClass(t *testing.T) {
	t.Parallel()
	options := []string{"-o", "track_sizes,no_lru_maintainer,no_lru_crawler"}
	first, second := harness.StartMemcached(t, harness.Newest, options...), harness.StartMemcached(t, harness.Newest, options...)
	p := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr)
	fillClasses(t, first.Addr, 1)
	fillClasses(t, second.Addr, 2)
	c := harness.Dial(t, second.Addr)
	c.Ask("set large 0 0 300000\r\n"+strings.Repeat("x", 300000)+"\r\n", "STORED\r\n") // in a class of its own
	for what, rules := range map[string]map[string]string{
		"items": {}, "sizes": {}, "slabs": {"chunk_size": "same", "chunks_per_page": "same", "active_slabs": "second"},
	} {
		of := func(addr string) map[string]int {
			numbers := map[string]int{}
			for _, line := range askStats(t, addr, what) {
				words := strings.Fields(line)
				if numbers[words[1]] != 0 {
					t.Errorf("stats %s has %s twice", what, words[1])
				}
				numbers[words[1]], _ = strconv.Atoi(words[2])
			}
			return numbers
		}
		one, two, all := of(first.Addr), of(second.Addr), of(p.Addr)
		if len(two) != len(all) || len(two) < 5 {
			t.Errorf("stats %s has %d lines in one server, %d through the proxy", what, len(two), len(all))
		}
		for name, n := range two {
			_, last, _ := strings.Cut(strings.TrimPrefix(name, "items:"), ":")
			if last == "" {
				last = name
			}
			want := one[name] + n
			switch {
			case strings.HasPrefix(last, "age"):
				want = max(one[name], n)
			case rules[last] != "":
				want = n
			}
			if all[name] != want && !strings.HasPrefix(last, "age") {
				t.Errorf("%s is %d and %d, and %d through the proxy", name, one[name], n, all[name])
			}
		}
	}
}

// collectd reads 4096 bytes of an answer to stats and fails if it is not over then, so the
// verbs have an answer of their own.
func TestStatsAreShortEnoughForCollectd(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t)
	size := 0
	for _, line := range askStats(t, m.Addr, "") {
		size += len(line + "\r\n")
	}
	if size < 1000 || size > 3500 { // so that numbers can become long
		t.Errorf("%d bytes", size)
	}
	c := harness.Dial(t, m.Addr)
	c.Ask("sadd k a\r\n", "STORED\r\n")
	lines := askStats(t, m.Addr, "verbs")
	for _, want := range []string{"STAT verb_sadd 1", "STAT verb_sadd_round_trips 1", "STAT verb_lrange 0"} {
		if !slices.Contains(lines, want) {
			t.Errorf("stats verbs has no %q: %q", want, lines)
		}
	}
}

// A server that is down or hangs is left out, in time, and that is said.
func TestStatsWithoutAServer(t *testing.T) {
	t.Parallel()
	first, second := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr, "--timeout", "300ms")
	fillClasses(t, first.Addr, 1)
	fillClasses(t, second.Addr, 1)
	if n := p.Stats()["curr_items"]; n != "8" {
		t.Fatalf("%q items", n)
	}
	check := func() {
		t.Helper()
		stats := p.Stats()
		if stats["curr_items"] != "4" || stats["upstreams_unreachable"] != "1" || stats["upstreams"] != "2" {
			t.Errorf("%s items, %s of %s upstreams unreachable", stats["curr_items"], stats["upstreams_unreachable"], stats["upstreams"])
		}
		for _, what := range []string{"items", "slabs"} {
			lines := askStats(t, p.Addr, what)
			if n := len(lines); n < 5 || lines[n-1] != "STAT upstreams_unreachable 1" {
				t.Errorf("stats %s: %q", what, lines)
			}
		}
	}
	first.Freeze(t)
	if own := p.OwnStats(); own["upstreams"] != "2" || own["cmd_set"] != "0" || own["curr_items"] != "" {
		t.Errorf("stats proxy: %v", own)
	}
	check()
	first.Thaw(t)
	harness.Await(t, "the server to be asked again", func() bool { return p.Stats()["upstreams_unreachable"] == "0" })
	first.Kill(t)
	check()
	second.Kill(t)
	harness.Await(t, "both to be missed", func() bool { return p.Stats()["upstreams_unreachable"] == "2" })
	lines := askStats(t, p.Addr, "items")
	if lines[len(lines)-1] != "STAT upstreams_unreachable 2" || slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, ":number ") }) {
		t.Errorf("of no server there is %q, expected what they have counted", lines)
	}
}

// The sums of counters don't fall while a server is away, nor when it begins anew, and a server that
// hangs for longer than a second does not keep stats from being answered: gauges are of what is there.
func TestCountersOfAServerThatIsAway(t *testing.T) {
	t.Parallel()
	first, second := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr, "--timeout", "1m", "--loops", "1")
	fillClasses(t, first.Addr, 1)
	fillClasses(t, second.Addr, 1)
	expect := func(total, items, unreachable string) bool {
		stats := p.Stats()
		return stats["total_items"] == total && stats["curr_items"] == items && stats["upstreams_unreachable"] == unreachable
	}
	if !expect("8", "8", "0") {
		t.Fatalf("before the outage: %v", p.Stats())
	}
	first.Freeze(t)
	if !expect("8", "4", "1") { // before the time-out, or this would take a minute
		t.Errorf("of a server that hangs: %v", p.Stats())
	}
	first.Kill(t)
	harness.Await(t, "the server to be missed", func() bool { return strings.Contains(p.Log(), "upstream is down") })
	if !expect("8", "4", "1") {
		t.Errorf("of a server that is down: %v", p.Stats())
	}
	first.Restart(t)
	harness.Await(t, "the server to be back", func() bool { return p.Stats()["upstreams_unreachable"] == "0" })
	fillClasses(t, first.Addr, 1)
	if !expect("12", "8", "0") {
		t.Errorf("of a server that has begun anew: %v", p.Stats())
	}
	harness.Dial(t, p.Addr).Ask("stats reset\r\n", "RESET\r\n")
	if !expect("8", "8", "0") {
		t.Errorf("after stats reset: %v", p.Stats())
	}
}

// What clients are refused is counted, for each upstream and in all.
func TestErrorsAreCounted(t *testing.T) {
	t.Parallel()
	first, second := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr, "--timeout", "300ms", "--loops", "1")
	layout := harness.LayoutOf(t, []string{first.Addr, second.Addr})
	key, other := harness.KeyOn(layout, 0, "k"), harness.KeyOn(layout, 1, "k")
	harness.Await(t, "both upstreams to be up", func() bool { return strings.Count(p.Log(), "upstream is up") == 2 })
	c := harness.Dial(t, p.Addr)
	c.Ask("nonsense\r\nset "+other+" 0 0 4\r\ntext\r\nincr "+other+" 1\r\nsmembers "+other+"\r\nincr "+other+" x noreply\r\n",
		"ERROR\r\nSTORED\r\nCLIENT_ERROR cannot increment or decrement non-numeric value\r\nCLIENT_ERROR "+other+" does not hold a set\r\n")
	first.Freeze(t)
	c.Send("get " + key + "\r\n")
	if line := c.Line(); !strings.Contains(line, "did not answer") {
		t.Fatalf("answered by %q", line)
	}
	first.Kill(t)
	harness.Await(t, "the upstream to be down", func() bool {
		probe := harness.Dial(t, p.Addr)
		defer probe.Close()
		probe.Send("stats upstreams\r\n")
		return strings.Contains(probe.Until("END"), "upstream_0_state down")
	})
	c.Ask("stats reset\r\n", "RESET\r\n")
	c.Send("get " + key + "\r\nget " + key + " " + other + "\r\nsadd " + key + " m\r\nset " + key + " 0 0 1 noreply\r\nx\r\nmg " + key + "\r\nflush_all\r\nbad\r\n")
	for range 6 {
		c.Line()
	}
	want := map[string]string{"client_errors": "1", "server_errors": "5", "upstream_refused": "6", "get_misses": "0", "cmd_set": "0"}
	stats := p.Stats()
	for name, n := range want {
		if stats[name] != n {
			t.Errorf("%s is %q, expected %s", name, stats[name], n)
		}
	}
	lines := askStats(t, p.Addr, "upstreams")
	for _, line := range []string{"STAT upstream_0_refused 6", "STAT upstream_1_refused 0"} {
		if !slices.Contains(lines, line) {
			t.Errorf("no %q in %q", line, lines)
		}
	}
}

// A structure of which a part is gone is counted once, and the log tells which.
func TestIncompleteStructuresAreCounted(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", store.Addr, "--structure-item-size", "2KB")
	c := harness.Dial(t, p.Addr)
	for n := range 40 {
		c.Ask(fmt.Sprintf("sadd s member%0200d\r\n", n), "STORED\r\n")
	}
	c.Send("scompact s\r\nget s\r\n")
	var part string
	for line := c.Line(); line != "END"; line = c.Line() {
		if at, ok := strings.CutPrefix(line, "@"); ok {
			id, _, _ := strings.Cut(at, ":")
			part = "s:" + id + ".0"
		}
	}
	c.Ask("delete "+part+"\r\n", "DELETED\r\n")
	c.Ask("smembers s\r\nsmembers s\r\n", "END\r\nEND\r\n")
	if n := p.Stats()["structures_incomplete"]; n != "1" {
		t.Errorf("structures_incomplete is %q", n)
	}
	harness.Await(t, "the log to tell which", func() bool {
		return strings.Contains(p.Log(), "has evicted a part of it\" key=s upstream="+store.Addr+" more=0")
	})
}

// What verbs of another kind have appended is counted when it is dropped, and the log tells
// from what.
func TestForeignTokensAreCounted(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", store.Addr)
	c := harness.Dial(t, p.Addr)
	c.Ask("rpush l a b\r\nsadd l c d\r\nsrem l a\r\nlrange l\r\n", "STORED\r\nSTORED\r\nSTORED\r\nVALUE l 0 3\r\na b\r\nEND\r\n")
	if n := p.Stats()["foreign_tokens_dropped"]; n != "0" {
		t.Errorf("foreign_tokens_dropped is %q before any was dropped", n)
	}
	c.Ask("scompact l\r\nscompact l\r\nget l\r\n", "OK\r\nOK\r\nVALUE l 0 8\r\nl>a l>b \r\nEND\r\n")
	if n := p.Stats()["foreign_tokens_dropped"]; n != "3" {
		t.Errorf("foreign_tokens_dropped is %q, expected 3", n)
	}
	harness.Await(t, "the log to tell from what", func() bool {
		return strings.Contains(p.Log(), "keys of its own\" key=l kind=list tokens=3 upstream="+store.Addr+" more=0")
	})
}

// The store of the proxy itself tells what it has.
func TestStatsOfTheEmbeddedStore(t *testing.T) {
	t.Parallel()
	p := harness.StartMemverbs(t)
	fillClasses(t, p.Addr, 2)
	stats := p.Stats()
	if stats["curr_items"] != "8" || stats["total_items"] != "8" || stats["upstreams_unreachable"] != "0" || stats["evictions"] != "0" || stats["limit_maxbytes"] != "67108864" {
		t.Errorf("%v", stats)
	}
	for _, what := range []string{"items", "slabs", "sizes", "conns"} {
		if lines := askStats(t, p.Addr, what); len(lines) > 0 {
			t.Errorf("stats %s: %q", what, lines)
		}
	}
}
