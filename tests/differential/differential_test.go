package differential

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// seedVariable is the environment variable that makes a run be repeated.
const seedVariable = "MEMVERBS_DIFFERENTIAL_SEED"

const (
	allCommands   = 120_000
	streamLength  = 500
	differentKind = 6 // three versions, behind one upstream and three
)

func seed(t *testing.T) uint64 {
	t.Helper()
	given := os.Getenv(seedVariable)
	if given == "" {
		return rand.Uint64()
	}
	n, err := strconv.ParseUint(given, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", seedVariable, err)
	}
	return n
}

// What memcached answers, the proxy answers.
func TestAnswersAreMemcachedsOwn(t *testing.T) {
	all := compareAll(t, allCommands, (*generator).stream)
	if !t.Failed() {
		checkVariety(t, all, allCommands, variety)
	}
}

// compareAll compares at least so many commands, of streams that make makes, and returns what was
// sent and answered.
func compareAll(t *testing.T, commands int, make func(g *generator, n int) []command) *tally {
	t.Helper()
	seed := seed(t)
	t.Logf("seed %d; to repeat this run set %s=%d", seed, seedVariable, seed)
	all := newTally()
	t.Run("pairs", func(t *testing.T) {
		for i, version := range harness.Versions {
			for _, upstreams := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s behind %d", version, upstreams), func(t *testing.T) {
					t.Parallel()
					p := startPair(t, version, upstreams)
					differ(t, p, rand.New(rand.NewPCG(seed, uint64(10*i+upstreams))), all, commands, make)
				})
			}
		}
	})
	t.Log(all.String())
	return all
}

func startPair(t *testing.T, version string, upstreams int) *pair {
	t.Helper()
	flags := []string{"--timeout", harness.Patience.String()}
	for range upstreams {
		flags = append(flags, "--upstream", startMemcached(t, version).Addr)
	}
	p := &pair{single: upstreams == 1, modern: version != "1.6.18", newest: version == harness.Newest}
	p.addrs = [2]string{startMemcached(t, version).Addr, harness.StartMemverbs(t, flags...).Addr}
	return p
}

// startMemcached starts a memcached with room for all that is stored, and with
// nothing going on in the background: while an item is being moved there,
// counting makes a new one.
func startMemcached(t *testing.T, version string) *harness.Memcached {
	t.Helper()
	return harness.StartMemcached(t, version, "-m", "256", "-o", "no_modern")
}

// differ sends streams to p until there have been enough.
func differ(t *testing.T, p *pair, rng *rand.Rand, all *tally, commands int, make func(g *generator, n int) []command) {
	t.Helper()
	g := &generator{Rand: rng, now: time.Now().Unix(), modern: p.modern, newest: p.newest}
	for sent := 0; sent < commands/differentKind; {
		stream := make(g, streamLength)
		d, err := p.run(stream, all)
		if err != nil {
			t.Fatal(err)
		}
		if d != nil {
			report(t, p, stream, d)
			return
		}
		sent += len(stream)
	}
}

// report shows a difference as briefly as can be found.
func report(t *testing.T, p *pair, stream []command, d *difference) {
	t.Helper()
	stream, d = minimise(p, stream, d)
	var b strings.Builder
	fmt.Fprintf(&b, "another answer than memcached's: %s\nafter\n", d.wrong)
	for _, c := range stream {
		fmt.Fprintf(&b, "    %v\n", &c)
	}
	for s, units := range d.answers {
		fmt.Fprintf(&b, "%v answered the last part\n", sideName(s))
		for _, u := range units {
			fmt.Fprintf(&b, "    %v\n", u)
		}
	}
	t.Error(b.String())
}
