package structures

import (
	"regexp"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// This version and the last release change the same structures at once, as they do while proxies are replaced, and are
// killed and started again meanwhile.
func TestStructuresAreLinearizableBesideTheLastRelease(t *testing.T) {
	for _, kinds := range [][]*kind{{sets, setsOfGroups}, {lists}, {tables}, {rankings}, {locks}, {limits}} {
		t.Run(kinds[0].name, func(t *testing.T) {
			soak{kinds: kinds, faults: faultsOfTheWay, share: 0.01, second: harness.StartRelease}.run(t, 2*time.Second)
		})
	}
}

func TestTasksAreDoneBesideTheLastRelease(t *testing.T) {
	doTasks(t, atLength(300, 10_000), harness.StartRelease)
}

// What one of the two stores, the other one reads: of kinds that the tests above do not have, too.
func TestReleasesUnderstandEachOther(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"this version first", "the last release first"} {
		t.Run(name, func(t *testing.T) {
			m := harness.StartMemcached(t, harness.Newest)
			flags := []string{"--upstream", m.Addr, "--namespaces", "shop:", "--timeout", "20s", "--connect-timeout", "20s", "--log-chunk", "1h"}
			proxies := []string{harness.StartMemverbs(t, flags...).Addr, harness.StartRelease(t, flags...).Addr}
			first, second := harness.Dial(t, proxies[i]), harness.Dial(t, proxies[1-i])

			first.Ask("logput audit 5 -1000 3\r\na b\r\n", "STORED\r\n")
			second.Ask("logput audit 0 0 1\r\nc\r\n", "STORED\r\n")
			second.Send("logfetch audit 1\r\n")
			expectLines(t, second, `VALUE audit 5 3 \d+`, "a b", `VALUE audit 0 1 \d+`, "c", "END")

			first.Ask("rput inbox 7 4\r\na ~b\r\n", "STORED\r\n")
			second.Ask("lput inbox 0 0\r\n\r\n", "STORED\r\n")
			first.Ask("rpop inbox\r\n", "VALUE inbox 7 4 0\r\na ~b\r\nEND\r\n")
			second.Send("lpop jobs wait 60000\r\n")
			first.Ask("rpush jobs job\r\n", "STORED\r\n")
			expectLines(t, second, "VALUE jobs 0 3", "job", "END")

			first.Ask("saddp online ann 1000\r\n", "STORED\r\n")
			second.Ask("saddnew online ann bob\r\n", "1\r\n")
			first.Ask("smembers online\r\n", "VALUE online 0 7\r\nann bob\r\nEND\r\n")

			first.Ask("set shop:page 3 0 3\r\nold\r\n", "STORED\r\n")
			second.Ask("get shop:page\r\n", "VALUE shop:page 3 3\r\nold\r\nEND\r\n")
			second.Ask("nsflush shop:\r\n", "OK\r\n")
			first.Ask("get shop:page\r\n", "END\r\n")

			first.Ask("lock room ann 1000 2\r\n", "STORED\r\n")
			second.Ask("lock room bob 1000 2\r\n", "STORED\r\n")
			first.Ask("lock room cid 1000 2\r\n", "NOT_STORED\r\n")
			second.Ask("unlock room ann\r\n", "DELETED\r\n")
			first.Ask("lock room cid 1000 2\r\n", "STORED\r\n")

			first.Ask("limit login 2 1000000\r\n", "1 1 0\r\n")
			second.Ask("limit login 2 1000000\r\n", "1 0 0\r\n")
			first.Send("limit login 2 1000000\r\n")
			expectLines(t, first, `0 0 \d+`)
		})
	}
}

// expectLines expects lines of which each matches an expression as a whole.
func expectLines(t *testing.T, c *harness.Client, expressions ...string) {
	t.Helper()
	for _, expression := range expressions {
		if line := c.Line(); !regexp.MustCompile("^" + expression + "$").MatchString(line) {
			t.Fatalf("%q, expected %s", line, expression)
		}
	}
}
