package plain

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// countedCommands are commands with K for a key, V for a block of data after
// the line, and CAS for the id that the item has, or for one that no item has.
var countedCommands = strings.Split(`get K
get K K K K
gets K K
gat 0 K
gats 0 K K K
touch K 0
touch K -1 noreply
set K 0 0 V
set K 5 300 V
set K 0 -1 V
set K 0 0 V noreply
add K 0 0 V
replace K 0 0 V
append K 0 0 V noreply
prepend K 0 0 V
cas K 0 0 V CAS
cas K 0 0 V CAS noreply
incr K 3
incr K 3 noreply
decr K 2
delete K
delete K noreply
mg K
mg K v
mg K k q
mg K v t f s c O1
mg K T0
mg K v T0 q
mg K N30
mg K v N30 T30
mg K R30
mg K E77
mg K T-1
ms K V
ms K V q
ms K V ME
ms K V MA
ms K V MA N0
ms K V MP q
ms K V MR
ms K V MS T0
ms K V CCAS
ms K V CCAS q
ms K V CCAS I
ms K V CCAS MR
ms K V CCAS MA
ms K V CCAS ME
ms K V CCAS ms
ms K V E9
ma K
ma K q
ma K D7 v
ma K MI
ma K M+ t
ma K MD q
ma K M- D3
ma K CCAS
ma K CCAS MD
md K
md K q
md K CCAS
md K I
md K I T30
md K I CCAS
md K T30 I q
md K x
me K
verbosity 1
flush_all
flush_all noreply
mg K v v
mg K !
ms K V MX
ms K nonsense
ma K MX
ma K Dx
md K Cx
incr K x
gat x K
touch K x
set K 0 0 3000000 V
bogus K`, "\n")

// countedKey returns one of a few keys, so that there are hits.
func countedKey(rng *rand.Rand) string { return fmt.Sprintf("key%d", rng.IntN(9)) }

// countedMix sends n random commands to both.
func countedMix(t *testing.T, rng *rand.Rand, n int, clients ...*harness.Client) {
	t.Helper()
	for range n {
		template := countedCommands[rng.IntN(len(countedCommands))]
		if strings.HasPrefix(template, "flush_all") && rng.IntN(4) > 0 {
			continue
		}
		line := template
		for strings.Contains(line, "K") {
			line = strings.Replace(line, "K", countedKey(rng), 1)
		}
		data := []string{"1", "22", "text", "998"}[rng.IntN(4)]
		fresh := rng.IntN(3) > 0
		for _, c := range clients {
			c.Send(countedCommand(c, line, data, fresh) + "mn\r\n")
			c.Until("MN")
		}
	}
}

// countedCommand returns the command for one of the servers.
func countedCommand(c *harness.Client, line, data string, fresh bool) string {
	words := strings.Fields(line)
	if strings.Contains(line, "CAS") {
		c.Send("mg " + words[1] + " c\r\n")
		id := "99999999"
		if words := strings.Fields(c.Line()); fresh && words[0] == "HD" {
			id = words[1][1:]
		}
		line = strings.ReplaceAll(line, "CAS", id)
	}
	before, after, stores := strings.Cut(line, "V")
	switch {
	case !stores:
		return line + "\r\n"
	case strings.HasSuffix(before, "3000000 "):
		return strings.TrimSpace(before) + "\r\n" + strings.Repeat("x", 3000000) + "\r\n"
	}
	return fmt.Sprintf("%s%d%s\r\n%s\r\n", before, len(data), after, data)
}

// settleCounts sees that what was silent has been carried out by every server.
func settleCounts(c *harness.Client) {
	var keys strings.Builder
	for n := range 100 {
		fmt.Fprintf(&keys, " settle%d", n)
	}
	c.Ask("get"+keys.String()+"\r\n", "END\r\n")
}

// Whatever is asked, the proxy counts it as the newest memcached does, however
// many of these are behind it; and what verbs ask for is not among it.
func TestRandomCommandsAreCountedAsMemcachedDoes(t *testing.T) {
	t.Parallel()
	still := []string{"-o", "no_modern"} // nothing expires by itself, so what has expired is seen by who asks
	for _, upstreams := range []int{1, 3} {
		t.Run(fmt.Sprintf("behind %d", upstreams), func(t *testing.T) {
			t.Parallel()
			var flags []string
			for range upstreams {
				flags = append(flags, "--upstream", harness.StartMemcached(t, harness.Newest, still...).Addr)
			}
			m, p := harness.StartMemcached(t, harness.Newest, still...), harness.StartMemverbs(t, flags...)
			direct, proxied := harness.Dial(t, m.Addr), harness.Dial(t, p.Addr)
			seed := rand.Uint64()
			countedMix(t, rand.New(rand.NewPCG(seed, 0)), 3000, direct, proxied)
			settleCounts(direct)
			settleCounts(proxied)
			compareCounts(t, seed, m, p, harness.CountedNames+" total_items")
			if upstreams == 1 { // what makes room for an item depends on what else is there
				compareCounts(t, seed, m, p, "get_expired")
			}

			proxied.Send("sadd s a b c\r\nsmembers s\r\nsrem s a\r\nspop s\r\nlogput l 0 0 1\r\nx\r\nlogfetch l\r\nsinter s t\r\nscompact s\r\nmn\r\n")
			proxied.Until("MN")
			compareCounts(t, seed, m, p, harness.CountedNames)
			if n := p.Stats()["verb_operations"]; n == "0" || n == "" {
				t.Errorf("verbs are said to have asked for %q operations", n)
			}
		})
	}
}

func compareCounts(t *testing.T, seed uint64, m *harness.Memcached, p *harness.Memverbs, names string) {
	t.Helper()
	here, there := m.Stats(), p.Stats()
	for name := range strings.FieldsSeq(names) {
		if here[name] == "0" && name != "cmd_meta" && !strings.HasPrefix(name, "get_") {
			t.Errorf("seed %d: %s is 0, so nothing has been shown", seed, name)
		}
		if here[name] != there[name] || here[name] == "" {
			t.Errorf("seed %d: %s is %q in memcached, %q through the proxy", seed, name, here[name], there[name])
		}
	}
}

// What was flushed counts as such when it is asked for, if it was stored some seconds
// before: what is younger, memcached removes at once.
func TestFlushedItemsAreCountedAsMemcachedDoes(t *testing.T) {
	t.Parallel()
	still := []string{"-o", "no_modern"}
	var flags []string
	for range 3 {
		flags = append(flags, "--upstream", harness.StartMemcached(t, harness.Newest, still...).Addr)
	}
	m, p := harness.StartMemcached(t, harness.Newest, still...), harness.StartMemverbs(t, flags...)
	var clients []*harness.Client
	for _, addr := range []string{m.Addr, p.Addr} {
		c := harness.Dial(t, addr)
		for n := range 9 {
			c.Ask(fmt.Sprintf("set key%d 0 0 1\r\nx\r\n", n), "STORED\r\n")
		}
		clients = append(clients, c)
	}
	stored, err := strconv.Atoi(m.Stats()["time"])
	if err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "three seconds to pass", func() bool {
		now, err := strconv.Atoi(m.Stats()["time"])
		return err == nil && now >= stored+3
	})
	for _, c := range clients {
		c.Ask("flush_all\r\n", "OK\r\n")
		for n := range 9 {
			c.Ask(fmt.Sprintf("get key%d\r\n", n), "END\r\n")
		}
	}
	compareCounts(t, 0, m, p, "get_flushed get_misses cmd_flush")
	if flushed := m.Stats()["get_flushed"]; flushed != "9" {
		t.Errorf("memcached counts %s flushed items, expected 9", flushed)
	}
}

// A key that names a verb counts as any other, whatever the verb asks for.
func TestCarriedVerbsAreCountedAsCommands(t *testing.T) {
	t.Parallel()
	p := harness.StartMemverbs(t, "--verb-keys", "verb/", "--upstream", harness.StartMemcached(t, harness.Newest).Addr)
	c := harness.Dial(t, p.Addr)
	c.Send("set verb/sadd/s 0 0 3\r\na b\r\nms verb/sadd/s 1 q\r\nc\r\nset verb/srem/none 0 0 1\r\na\r\nset verb/sadd/s 0 0 1 noreply\r\na\r\n" +
		"get verb/smembers/s verb/scard/none plain verb/nonsense/s\r\nget verb/smembers/s verb/scard/none plain\r\n" +
		"mg verb/scard/s v\r\nmg verb/scard/none v q\r\ngets verb/scard/s\r\n" +
		"add verb/lock/l 0 30 1\r\na\r\nadd verb/lock/l 0 30 1\r\nb\r\ntouch verb/relock/l/a 60\r\nmg verb/relock/l/b T60\r\n" +
		"delete verb/unlock/l/b\r\nmd verb/unlock/l/b q\r\ndelete verb/unlock/l/a noreply\r\nmn\r\n")
	c.Until("MN")
	harness.Await(t, "the silent delete", func() bool { return p.Stats()["delete_hits"] == "1" })
	stats := p.Stats()
	for name, want := range map[string]string{
		"cmd_set": "6", "cmd_get": "8", "get_hits": "3", "get_misses": "5", "cmd_touch": "1", "touch_hits": "1", "touch_misses": "0",
		"delete_hits": "1", "delete_misses": "2", "client_errors": "1",
	} {
		if stats[name] != want {
			t.Errorf("%s is %q, expected %s", name, stats[name], want)
		}
	}
}
