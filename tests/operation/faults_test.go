package operation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// startFaulty starts two memcacheds, memverbs in front of them, and traffic.
func startFaulty(t *testing.T) (first *harness.Memcached, r *traffic) {
	t.Helper()
	first = harness.StartMemcached(t, harness.Versions[0])
	second := harness.StartMemcached(t, harness.Versions[1])
	m := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr, "--timeout", "300ms")
	r = startTraffic(t, m.Addr, first.Addr, second.Addr)
	r.awaitServed(0, 500)
	r.awaitServed(1, 500)
	return first, r
}

// checkOthersServed sees that the other upstream goes on serving while the
// first does not, and that nothing else is refused.
func checkOthersServed(t *testing.T, r *traffic) {
	t.Helper()
	r.awaitRefused(0, 20)
	r.awaitServed(1, 500)
	if n := r.refused[1].Load(); n > 0 {
		t.Errorf("%d requests for the upstream that is well were refused", n)
	}
}

func TestUpstreamKilledAndRestarted(t *testing.T) {
	t.Parallel()
	first, r := startFaulty(t)
	for range 3 {
		first.Kill(t)
		checkOthersServed(t, r)
		first.Restart(t)
		r.awaitServed(0, 500)
	}
}

func TestUpstreamStopped(t *testing.T) {
	t.Parallel()
	first, r := startFaulty(t)
	for range 2 {
		first.Freeze(t)
		checkOthersServed(t, r)
		first.Thaw(t)
		r.awaitServed(0, 500)
	}
}

func TestUpstreamMissingAtStart(t *testing.T) {
	t.Parallel()
	first := harness.StartMemcached(t, harness.Versions[0])
	second := harness.StartMemcached(t, harness.Versions[1])
	first.Kill(t)
	m := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr)
	r := startTraffic(t, m.Addr, first.Addr, second.Addr)
	checkOthersServed(t, r)
	first.Restart(t)
	r.awaitServed(0, 500)
}

// Verbs on keys of an upstream that is gone are refused with its name too, and
// those on others are not.
func TestVerbsWhileAnUpstreamIsGone(t *testing.T) {
	t.Parallel()
	first := harness.StartMemcached(t, harness.Versions[0])
	second := harness.StartMemcached(t, harness.Versions[1])
	m := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr)
	layout := harness.LayoutOf(t, []string{first.Addr, second.Addr})
	gone, well := harness.KeyOn(layout, 0, "set"), harness.KeyOn(layout, 1, "set")
	c := harness.Dial(t, m.Addr)
	c.Ask("sadd "+gone+" a\r\nsadd "+well+" a\r\n", "STORED\r\nSTORED\r\n")
	first.Kill(t)
	refused := "SERVER_ERROR upstream " + first.Addr + " "
	for _, verb := range []string{"sadd %s b", "srem %s b", "smembers %s", "sismember %s a", "scard %s", "smembers " + well + " %s"} {
		c.Send(fmt.Sprintf(verb, gone) + "\r\n")
		if line := c.Line(); len(line) <= len(refused) || line[:len(refused)] != refused {
			t.Errorf("%s was answered by %q, expected %s…", fmt.Sprintf(verb, gone), line, refused)
		}
	}
	c.Ask("smembers "+well+"\r\n", "VALUE "+well+" 0 1\r\na\r\nEND\r\n")
	c.InStep()
}

// An upstream that hangs while memverbs starts costs nobody else's time, and its
// own keys' requests wait for as long as it may take to answer.
func TestUpstreamHangsAtStart(t *testing.T) {
	t.Parallel()
	first := harness.StartMemcached(t, harness.Versions[0])
	second := harness.StartMemcached(t, harness.Versions[1])
	first.Freeze(t)
	m := harness.StartMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr, "--timeout", "15s")
	layout := harness.LayoutOf(t, []string{first.Addr, second.Addr})
	hung, well := harness.KeyOn(layout, 0, "set"), harness.KeyOn(layout, 1, "set")
	patient, other := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	patient.Send("sadd " + hung + " a\r\nget " + hung + " " + well + "\r\n")
	other.Ask("get "+well+"\r\n", "END\r\n")
	other.Ask("sadd "+well+" a\r\n", "STORED\r\n")
	first.Thaw(t)
	patient.Expect("STORED\r\nVALUE " + hung + " 0 3\r\n+a \r\nVALUE " + well + " 0 3\r\n+a \r\nEND\r\n")
	patient.InStep()
}

// A value that takes longer than --timeout on a slow link is stored, and what is
// asked behind it is answered. What the link itself buffers, some 200 kB, counts as
// received, and has to be a small part of what the link carries within --timeout.
func TestLargeValueOnASlowLink(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Versions[0], "-I", "4m")
	link := harness.StartLink(t, store.Addr)
	m := harness.StartMemverbs(t, "--upstream", link.Addr, "--loops", "1", "--timeout", "3s", "--max-item-size", "4MB")
	c, other := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	c.Ask("set k 0 0 1\r\nx\r\n", "STORED\r\n")
	link.Add(t, harness.Toxic{Type: "bandwidth", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"rate": 400}}) // kB/s
	const size = 2_000_000
	value := strings.Repeat("v", size)
	for range 2 {
		c.Send(fmt.Sprintf("set large 0 0 %d\r\n%s\r\n", size, value))
		other.Ask("get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
		c.Expect("STORED\r\n")
	}
	link.Mend(t)
	c.Ask("get large\r\n", fmt.Sprintf("VALUE large 0 %d\r\n%s\r\nEND\r\n", size, value))
	if strings.Contains(m.Log(), "upstream is down") {
		t.Errorf("the upstream was given up:\n%s", m.Log())
	}
}
