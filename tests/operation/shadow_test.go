package operation

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// shadowed is servers of a pool, a server of its shadow, and the proxy before them.
type shadowed struct {
	*harness.Reloading
	main  [2]*harness.Memcached
	other *harness.Memcached
}

// shadowMemory is the buffer memory of the proxy, in bytes.
const shadowMemory = 32 << 20

// startShadow starts all that. share is that of the keys without a prefix, and routes are further ones.
func startShadow(t *testing.T, share string, routes ...string) *shadowed {
	t.Helper()
	s := &shadowed{other: harness.StartMemcached(t, harness.Versions[1])}
	for i := range s.main {
		s.main[i] = harness.StartMemcached(t, harness.Newest)
	}
	addr := harness.FreeAddr(t)
	s.Reloading = &harness.Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
	s.write(t, addr, append(routes, `"": {pool: main, shadow: other, share: `+share+"}")...)
	s.Memverbs = harness.StartMemverbsWith(t, s.File, addr)
	return s
}

// write writes the file. Besides routes, it has one for all keys with a prefix, which is stripped, and one without a shadow.
func (s *shadowed) write(t *testing.T, addr string, routes ...string) {
	t.Helper()
	text := fmt.Sprintf(`loops: 2
buffer-memory: %d
pools:
  main: {servers: [%q, %q], timeout: 2s, flush: allow}
  other: {servers: [%q], timeout: 20s}
listeners:
  - listen: [%q]
    verb-keys: verb/
    routes:
      "short/": {pool: main, shadow: other, share: 100%%, strip: true}
      "plain/": main
      %s
`, shadowMemory, s.main[0].Addr, s.main[1].Addr, s.other.Addr, addr, strings.Join(routes, "\n      "))
	if err := os.WriteFile(s.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// dial connects a client whose loop can reach the shadow.
func (s *shadowed) dial(t *testing.T) *harness.Client {
	t.Helper()
	c := harness.Dial(t, s.Addr)
	harness.Await(t, "the shadow to be reached", func() bool {
		before := s.OwnStats()["shadow_sent"]
		c.Ask("delete short/none\r\n", "NOT_FOUND\r\n")
		return harness.Difference(s.OwnStats()["shadow_sent"], before) > 0
	})
	return c
}

// All plain commands reach the shadow, in the order of their client, and the client gets the answers of its own pool.
func TestShadow(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%")
	c, other := s.dial(t), harness.Dial(t, s.other.Addr)
	for _, test := range []struct{ request, reply, key, value string }{
		{"set k 5 0 1\r\na\r\n", "STORED\r\n", "k", "a"},
		{"append k 0 0 1\r\nb\r\nprepend k 0 0 1\r\n0\r\n", "STORED\r\nSTORED\r\n", "k", "0ab"},
		{"replace k 0 0 1 noreply\r\n7\r\nincr k 3\r\ndecr k 1 noreply\r\nget k\r\n", "10\r\nVALUE k 0 2\r\n9 \r\nEND\r\n", "k", "9 "},
		{"touch k -1\r\nget k\r\n", "TOUCHED\r\nEND\r\n", "k", ""},
		{"add k 0 0 1\r\nx\r\nadd k 0 0 1\r\ny\r\n", "STORED\r\nNOT_STORED\r\n", "k", "x"},
		{"gat -1 k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n", "k", ""},
		{"set k 0 0 1\r\nx\r\ngats -1 k none\r\n", "", "k", ""},
		{"set k 0 0 1\r\nx\r\ndelete k\r\n", "STORED\r\nDELETED\r\n", "k", ""},
		{"ms k 2 T0 F3 k q\r\nxy\r\nmn\r\n", "MN\r\n", "k", "xy"},
		{"ms k 1 MA\r\nz\r\nmg k s v\r\n", "HD\r\nVA 3 s3\r\nxyz\r\n", "k", "xyz"},
		{"ma n N0 J41 q\r\nma n v\r\n", "VA 2\r\n42\r\n", "n", "42"},
		{"md k q\r\nmd k\r\n", "NF\r\n", "k", ""},
		{"ms a2V5 3 b\r\nabc\r\n", "HD\r\n", "key", "abc"},
		{"set short/k 0 0 1\r\ns\r\nget short/k\r\n", "STORED\r\nVALUE short/k 0 1\r\ns\r\nEND\r\n", "k", "s"},
		{"ms short/k 1\r\nt\r\nmg short/k k v\r\n", "HD\r\nVA 1 kshort/k\r\nt\r\n", "k", "t"},
		{"set plain/k 0 0 1\r\nx\r\nset last 0 0 1\r\nl\r\n", "STORED\r\nSTORED\r\n", "plain/k", ""},
		{"set k 0 0 1048577\r\n" + strings.Repeat("x", 1048577) + "\r\n", "SERVER_ERROR object too large for cache\r\n", "k", ""},
	} {
		if test.reply == "" {
			c.Send(test.request)
			c.Until("END")
		} else {
			c.Ask(test.request, test.reply)
		}
		harness.Await(t, fmt.Sprintf("the shadow to have done %.60q", test.request), func() bool { return has(other, test.key) == test.value })
	}
	c.Ask("get plain/k\r\n", "VALUE plain/k 0 1\r\nx\r\nEND\r\n")
	if value := has(other, "last"); value != "l" {
		t.Errorf("the last key of the shadow is %q", value)
	}
}

// A compare-and-swap that succeeds is a set for the shadow, whose items have a CAS of their own.
func TestShadowOfCAS(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%")
	c, other := s.dial(t), harness.Dial(t, s.other.Addr)
	c.Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	c.Send("gets k\r\n")
	cas := c.Line()[len("VALUE k 0 1 "):]
	c.Expect("a\r\nEND\r\n")
	c.Ask("cas k 0 0 1 "+cas+"\r\nb\r\n", "STORED\r\n")
	harness.Await(t, "the shadow to have the value", func() bool { return has(other, "k") == "b" })
	c.Send("mg k c\r\n")
	cas = strings.TrimPrefix(c.Line(), "HD c")
	c.Ask("ms k 1 C"+cas+" c q\r\nc\r\nmn\r\n", "MN\r\n")
	harness.Await(t, "the shadow to have the value", func() bool { return has(other, "k") == "c" })
}

// Verbs, and what is no request on a key, are not sent to the shadow.
func TestNotShadowed(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%")
	c := s.dial(t)
	c.Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	before := s.OwnStats()["shadow_sent"]
	c.Ask("sadd s a\r\nsmembers s\r\nset verb/sadd/s 0 0 1\r\nb\r\nget verb/smembers/s\r\nme none\r\nmn\r\nlock l t 10\r\n",
		"STORED\r\nVALUE s 0 1\r\na\r\nEND\r\nSTORED\r\nVALUE verb/smembers/s 0 3\r\na b\r\nEND\r\nEN\r\nMN\r\nSTORED\r\n")
	c.Ask("flush_all\r\nget k\r\n", "OK\r\nEND\r\n")
	if sent := harness.Difference(s.OwnStats()["shadow_sent"], before); sent != 1 {
		t.Errorf("%d requests were sent to the shadow, not only the get", sent)
	}
	if value := has(harness.Dial(t, s.other.Addr), "k"); value != "a" {
		t.Errorf("flush_all has reached the shadow, where k is %q", value)
	}
}

// The shadow has the keys of the share, and no others, whichever way they were set.
func TestShareOfKeys(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "30%")
	c, other := s.dial(t), harness.Dial(t, s.other.Addr)
	share, err := shadow.ParseShare("30%")
	if err != nil {
		t.Fatal(err)
	}
	const n = 600
	for i := range n {
		c.Send(fmt.Sprintf("set k%d 0 0 1 noreply\r\nx\r\n", i))
	}
	c.Ask("get k0\r\n", "VALUE k0 0 1\r\nx\r\nEND\r\n")
	has := 0
	for i := range n {
		key := fmt.Sprintf("k%d", i)
		want := "EN"
		if share.Has([]byte(key)) {
			want = "HD"
			has++
		}
		harness.Await(t, key, func() bool {
			other.Send("mg " + key + "\r\n")
			return other.Line() == want
		})
	}
	if has < n/5 || has > n*2/5 {
		t.Errorf("the shadow has %d of %d keys", has, n)
	}
}

// compared is what is told of the answers of a shadow.
type compared struct{ both, onlyMain, onlyShadow, neither, errors int }

// since returns what has been counted since stats were told.
func (s *shadowed) since(before map[string]string) compared {
	now := s.OwnStats()
	of := func(name string) int { return harness.Difference(now[name], before[name]) }
	return compared{of("shadow_hits_both"), of("shadow_hits_only_main"), of("shadow_hits_only_shadow"), of("shadow_misses_both"), of("shadow_errors")}
}

// What both pools find is compared for each key that a client gets.
func TestShadowIsCompared(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%", `"other/": other`)
	c, other := s.dial(t), harness.Dial(t, s.other.Addr)
	c.Ask("set both 0 0 1\r\nx\r\nset main 0 0 1\r\nx\r\nset large 0 0 300000\r\n"+strings.Repeat("x", 300000)+"\r\nset plain/k 0 0 1\r\nx\r\nset other/k 0 0 1\r\nx\r\n",
		"STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n")
	harness.Await(t, "the shadow to have all", func() bool { return has(other, "main") != "" && has(other, "large") != "" })
	other.Ask("delete main\r\nset shadow 0 0 1\r\ny\r\n", "DELETED\r\nSTORED\r\n")
	large := "VALUE large 0 300000\r\n" + strings.Repeat("x", 300000) + "\r\n"
	for _, test := range []struct {
		request, reply string
		want           compared
	}{
		{"get both\r\n", "VALUE both 0 1\r\nx\r\nEND\r\n", compared{both: 1}},
		{"get main\r\n", "VALUE main 0 1\r\nx\r\nEND\r\n", compared{onlyMain: 1}},
		{"get shadow\r\n", "END\r\n", compared{onlyShadow: 1}},
		{"get none\r\n", "END\r\n", compared{neither: 1}},
		{"get large\r\n", large + "END\r\n", compared{both: 1}},
		{"mg large v\r\n", strings.Replace(large, "VALUE large 0", "VA", 1), compared{both: 1}},
		{"mg both v q\r\nmg main\r\nmg shadow v q\r\nmg none v q k\r\nmn\r\n", "VA 1\r\nx\r\nHD\r\nMN\r\n", compared{1, 1, 1, 1, 0}},
		{"gat 0 both\r\n", "VALUE both 0 1\r\nx\r\nEND\r\n", compared{both: 1}},
		{"gat 0 main shadow\r\n", "VALUE main 0 1\r\nx\r\nEND\r\n", compared{onlyMain: 1, onlyShadow: 1}},
		{"get shadow other/k both none plain/k main both large\r\n", "VALUE other/k 0 1\r\nx\r\nVALUE both 0 1\r\nx\r\nVALUE plain/k 0 1\r\nx\r\nVALUE main 0 1\r\nx\r\nVALUE both 0 1\r\nx\r\n" + large + "END\r\n", compared{3, 1, 1, 1, 0}},
		{"get short/both short/none\r\n", "VALUE short/both 0 1\r\nx\r\nEND\r\n", compared{both: 1, neither: 1}},
		{"get" + strings.Repeat(" large", 8) + "\r\n", strings.Repeat(large, 8) + "END\r\n", compared{both: 8}},
		{"get plain/k other/k\r\n", "VALUE plain/k 0 1\r\nx\r\nVALUE other/k 0 1\r\nx\r\nEND\r\n", compared{}},
		{"incr both 1\r\n", "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n", compared{errors: 1}},
	} {
		before := s.OwnStats()
		c.Ask(test.request, test.reply)
		harness.Await(t, fmt.Sprintf("%.60q to be counted as %+v", test.request, test.want), func() bool { return s.since(before) == test.want })
	}
}

// The binary protocol, alone and with several keys at once.
func TestShadowByPackets(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%")
	s.dial(t)
	c, other := packet.Dial(t, s.Addr), harness.Dial(t, s.other.Addr)
	set := packet.Request{Opcode: packet.SetQ, Extras: packet.Words(3, 0), Key: "k", Value: "ab"}
	harness.Await(t, "the shadow to have the value", func() bool {
		c.Send(set, packet.Request{Opcode: packet.Noop})
		c.Expect(packet.Success, "")
		return has(other, "k") == "ab"
	})
	before := s.OwnStats()
	c.Send(packet.Request{Opcode: packet.GetQ, Key: "none"}, packet.Request{Opcode: packet.GetQ, Key: "k"}, packet.Request{Opcode: packet.GetK, Key: "k"})
	c.Expect(packet.Success, "ab")
	c.Expect(packet.Success, "ab")
	want := compared{both: 2, neither: 1}
	harness.Await(t, "the gets to be counted", func() bool { return s.since(before) == want })
	replaced := c.Ask(packet.Request{Opcode: packet.Get, Key: "k"})
	set = packet.Request{Opcode: packet.Set, Extras: packet.Words(3, 0), Key: "k", Value: "cd", CAS: replaced.CAS}
	if a := c.Ask(set); a.Status != packet.Success {
		t.Fatalf("%+v", a)
	}
	harness.Await(t, "the shadow to have the next value", func() bool { return has(other, "k") == "cd" })
	if a := c.Ask(packet.Request{Opcode: packet.Delete, Key: "k"}); a.Status != packet.Success {
		t.Fatalf("%+v", a)
	}
	harness.Await(t, "the shadow to have none", func() bool { return has(other, "k") == "" })
}

// shadowFaults are ways in which a shadow fails.
var shadowFaults = []struct {
	name       string
	begin, end func(*testing.T, *harness.Memcached)
}{
	{"killed", func(t *testing.T, m *harness.Memcached) { m.Kill(t) }, func(t *testing.T, m *harness.Memcached) { m.Restart(t) }},
	{"frozen", func(t *testing.T, m *harness.Memcached) { m.Freeze(t) }, func(t *testing.T, m *harness.Memcached) { m.Thaw(t) }},
}

// A shadow fails while clients set and get: they get their answers, what is not sent is counted, and memory is bounded. When the
// shadow is back, it is sent requests again.
func TestShadowFails(t *testing.T) {
	t.Parallel()
	for _, fault := range shadowFaults {
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			s := startShadow(t, "100%")
			s.dial(t)
			value := strings.Repeat("v", 60_000)
			var clients sync.WaitGroup
			var done atomic.Int64
			var stop atomic.Bool
			for i := range 4 {
				c := harness.Dial(t, s.Addr)
				clients.Go(func() {
					for n := 0; !stop.Load(); n++ {
						c.Ask(fmt.Sprintf("set k%d 0 0 60000\r\n%s\r\nset n%d 0 0 1 noreply\r\n%d\r\n", i, value, i, n%10), "STORED\r\n")
						c.Ask(fmt.Sprintf("get n%d\r\nget n%d none\r\nmg n%d v\r\n", i, i, i),
							fmt.Sprintf("VALUE n%d 0 1\r\n%d\r\nEND\r\nVALUE n%d 0 1\r\n%d\r\nEND\r\nVA 1\r\n%d\r\n", i, n%10, i, n%10, n%10))
						done.Add(1)
					}
				})
			}
			harness.Await(t, "some load", func() bool { return done.Load() > 100 })
			fault.begin(t, s.other)
			begun := done.Load()
			harness.Await(t, "requests that are not sent, and load beside them", func() bool {
				unsent, _ := strconv.Atoi(s.OwnStats()["shadow_unsent"])
				return unsent > 2000 && done.Load() > begun+2000
			})
			fault.end(t, s.other)
			before := s.OwnStats()
			harness.Await(t, "the shadow to find again what it is sent", func() bool { return s.since(before).both > 100 })
			stop.Store(true)
			clients.Wait()
			s.CheckBuffers(t, shadowMemory)
		})
	}
}

// A reload adds a shadow, changes its share, and removes it, while clients go on.
func TestShadowIsReloaded(t *testing.T) {
	t.Parallel()
	s := startShadow(t, "100%")
	c, other := s.dial(t), harness.Dial(t, s.other.Addr)
	sends := func(key string) bool {
		t.Helper()
		before := s.OwnStats()["shadow_sent"]
		c.Ask("set "+key+" 0 0 1\r\nx\r\n", "STORED\r\n")
		return harness.Difference(s.OwnStats()["shadow_sent"], before) == 1
	}
	if !sends("a") {
		t.Error("a key is not sent to the shadow")
	}
	s.write(t, s.Addr, `"": main`)
	s.Reload(t, "reloaded")
	if sends("b") {
		t.Error("a key is sent to a shadow that was removed")
	}
	s.write(t, s.Addr, `"": {pool: main, shadow: other, share: 0.001%}`)
	s.Reload(t, "reloaded")
	if sends("c") {
		t.Error("a key is sent to the shadow that is not in its share")
	}
	s.write(t, s.Addr, `"": {pool: main, shadow: other, share: 100%}`)
	s.Reload(t, "reloaded")
	if !sends("d") {
		t.Error("a key is not sent to the shadow that was added")
	}
	harness.Await(t, "the shadow to have the last value", func() bool { return has(other, "d") == "x" })
	if has(other, "a") != "x" || has(other, "b") != "" || has(other, "c") != "" {
		t.Error("the shadow has other keys than it was sent")
	}
}

// A successor sends requests to the shadow, too, even while that is frozen when the process before ends.
func TestShadowAfterTakeover(t *testing.T) {
	t.Parallel()
	s := &shadowed{other: harness.StartMemcached(t, harness.Newest)}
	for i := range s.main {
		s.main[i] = harness.StartMemcached(t, harness.Newest)
	}
	addr := harness.FreeAddr(t)
	s.Reloading = &harness.Reloading{Memverbs: &harness.Memverbs{Addr: addr}, File: filepath.Join(t.TempDir(), "memverbs.yml")}
	s.write(t, addr, `"": {pool: main, shadow: other, share: 100%}`)
	processes := harness.StartSuccession(t, "--config", s.File)
	s.dial(t).Ask("set k 0 0 1\r\na\r\n", "STORED\r\n")
	other := harness.Dial(t, s.other.Addr)
	harness.Await(t, "the shadow to have the value", func() bool { return has(other, "k") == "a" })
	s.other.Freeze(t)
	harness.Dial(t, addr).Ask("set k 0 0 1\r\nb\r\nget k\r\n", "STORED\r\nVALUE k 0 1\r\nb\r\nEND\r\n")
	processes.Succeed(t)
	harness.Dial(t, addr).Ask("set k 0 0 1\r\nc\r\nget k\r\n", "STORED\r\nVALUE k 0 1\r\nc\r\nEND\r\n")
	processes.AwaitStopped(t, 1)
	s.other.Thaw(t)
	s.dial(t).Ask("set k 0 0 1\r\nd\r\n", "STORED\r\n")
	harness.Await(t, "the shadow to have what the successor has sent", func() bool { return has(other, "k") == "d" })
}
