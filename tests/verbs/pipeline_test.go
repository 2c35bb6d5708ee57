package verbs

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

var seedFlag = flag.Uint64("seed", 0, "of the random commands; 0 picks one")

// seed returns the seed of this test run.
var seed = sync.OnceValue(func() uint64 {
	if *seedFlag != 0 {
		return *seedFlag
	}
	return uint64(time.Now().UnixNano())
})

// Ten thousand commands of all sorts go over one connection, as fast as they
// are taken and in pieces of any size, while the answers come back. They are
// about few keys, so that most meet others on their way; and the keys live on
// both upstreams, so that an answer may have to wait for one to an earlier
// command.
func TestALongPipelineIsAnsweredAsAModelAnswers(t *testing.T) {
	t.Parallel()
	testPipeline(t, talker.command, false)
}

// The same, while sets are rewritten between one command and the next.
func TestCompactionDoesNotShowInALongPipeline(t *testing.T) {
	t.Parallel()
	testPipeline(t, talker.commandBlindToLogs, true)
}

func testPipeline(t *testing.T, next func(talker) exchange, compaction bool, flags ...string) {
	t.Helper()
	dirtiness := "1000000"
	if compaction {
		dirtiness = "1"
	}
	t.Logf("repeat this with -args -seed=%d", seed())
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		random := rand.New(rand.NewPCG(seed(), 0))
		talk := makeTalk(random, 5_000, next)
		c := harness.Dial(t, s.Addr)
		go write(c, random, talk)
		for i, e := range talk {
			if got := read(t, c, len(e.reply)); got != e.reply {
				t.Fatalf("command %d of seed %d\n%sanswer  %s\ninstead %s",
					i, seed(), around(talk[:i+1]), brief(e.reply), brief(got+c.Rest()))
			}
		}
		c.InStep()
		if won := s.Memverbs.Stats()["compactions_won"]; (won != "0") != compaction {
			t.Errorf("%s compactions", won)
		}
		for _, m := range s.Memcacheds {
			if stored := m.Stats()["cmd_set"]; stored == "0" {
				t.Errorf("memcached on %s had no part in it", m.Addr)
			}
		}
	}, append(flags, "--compact-dirtiness", dirtiness, "--timeout", "20s")...)
}

// read reads as many bytes as an answer should have.
func read(t *testing.T, c *harness.Client, n int) string {
	t.Helper()
	if n == 0 {
		return ""
	}
	return c.Exactly(n)
}

// write sends all requests in pieces that begin and end anywhere. If that
// fails, so does reading the answers.
func write(c *harness.Client, random *rand.Rand, talk []exchange) {
	var all strings.Builder
	for _, e := range talk {
		all.WriteString(e.request)
	}
	for rest := all.String(); rest != ""; {
		n := min(len(rest), 1+random.IntN(1<<random.IntN(16)))
		if _, err := c.Conn().Write([]byte(rest[:n])); err != nil {
			return
		}
		rest = rest[n:]
	}
}

// around shows the last commands, the one that failed among them.
func around(talk []exchange) string {
	var text strings.Builder
	for _, e := range talk[max(0, len(talk)-10):] {
		fmt.Fprintf(&text, "        %s\n", brief(e.request))
	}
	return text.String()
}

func brief(text string) string {
	if len(text) > 200 {
		return fmt.Sprintf("%q… (%d bytes)", text[:200], len(text))
	}
	return fmt.Sprintf("%q", text)
}
