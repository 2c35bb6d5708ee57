package operation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// kindLoad is what clients do with structures of one kind.
type kindLoad struct {
	name string
	// step does something with the n-th structure.
	step func(k *kindLoad, c *kindClient, random *rand.Rand, n int)
	// check looks at it in the end, when nobody uses it any more.
	check func(k *kindLoad, c *kindClient, n int)

	mu      sync.Mutex
	number  int
	granted map[string]int // how often something was acknowledged that may be acknowledged once, or the sum of what was added
	steps   atomic.Int64
}

const structuresOfKind = 150

// key returns the key of the n-th structure.
func (k *kindLoad) key(n int) string { return fmt.Sprint(k.name, n) }

// next returns a number that nobody has got before.
func (k *kindLoad) next() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.number++
	return k.number
}

// grant counts something that was acknowledged.
func (k *kindLoad) grant(what string, n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.granted[what] += n
}

// grants returns what was granted of the structure of a key, and how often.
func (k *kindLoad) grants(key string) map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := map[string]int{}
	for what, n := range k.granted {
		if rest, is := strings.CutPrefix(what, key+" "); is {
			of[rest] = n
		}
	}
	return of
}

// kindClient is a client that uses structures.
type kindClient struct {
	*harness.Client
	t       *testing.T
	patient bool // asks again while a verb is refused because servers are learned
}

// asks sends a request, and returns the answer, which is one of those given. It is empty if the request was refused because servers are
// learned.
func (c *kindClient) asks(request string, answers ...string) string {
	for {
		c.Send(request + "\r\n")
		line, err := c.ReadLine()
		if err == nil && refusedWhileLearning(line) {
			if c.patient {
				continue
			}
			return ""
		}
		line = strings.TrimSuffix(line, "\r\n")
		if err != nil || len(answers) > 0 && !slices.Contains(answers, line) {
			c.t.Errorf("%q was answered by %q (%v)", request, line, err)
		}
		return line
	}
}

// words returns the words of an answer of one VALUE, which may be missing.
func (c *kindClient) words(request string) (list []string) {
	line := c.asks(request)
	for ; strings.HasPrefix(line, "VALUE "); line = c.Line() {
		list = append(list, strings.Fields(c.Line())...)
	}
	if line != "END" && line != "" {
		c.t.Errorf("%q was answered by %q", request, line)
	}
	return list
}

// sum returns the sum of what was granted.
func sum(granted map[string]int) (sum int) {
	for _, n := range granted {
		sum += n
	}
	return sum
}

// eachOnce checks that what a structure has is what was granted, each once.
func (k *kindLoad) eachOnce(t *testing.T, n int, has []string) {
	t.Helper()
	granted := k.grants(k.key(n))
	for what, times := range granted {
		if times != 1 || !slices.Contains(has, what) {
			t.Errorf("%s: %s was added %d times, and is there: %v", k.key(n), what, times, slices.Contains(has, what))
		}
	}
	if len(has) != len(granted) {
		t.Errorf("%s has %d, expected %d", k.key(n), len(has), len(granted))
	}
}

// kindsOfLoad returns a load for each kind that has no test of its own.
func kindsOfLoad() (kinds []*kindLoad) {
	kinds = []*kindLoad{
		{name: "set", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			member := fmt.Sprint("m", random.IntN(200))
			if c.asks("saddnew "+k.key(n)+" "+member, "0", "1") == "1" {
				k.grant(k.key(n)+" "+member, 1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			k.eachOnce(c.t, n, c.words("smembers "+k.key(n)))
		}},
		{name: "expiring", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			member := fmt.Sprint("m", k.next())
			if c.asks("saddp "+k.key(n)+" "+member+" 3600", "STORED") != "" {
				k.grant(k.key(n)+" "+member, 1)
			}
			if random.IntN(2) == 0 {
				c.asks("saddp "+k.key(n)+" gone 1", "STORED")
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			harness.Await(c.t, "a member to expire", func() bool { return c.asks("sismember "+k.key(n)+" gone", "0", "1", "NOT_FOUND") != "1" })
			k.eachOnce(c.t, n, c.words("smembers "+k.key(n)))
		}},
		{name: "table", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			field := fmt.Sprint("f", random.IntN(60))
			if c.asks("hadd "+k.key(n)+" "+field+" 0 0 1\r\nv", "STORED", "NOT_STORED") == "STORED" {
				k.grant(k.key(n)+" "+field, 1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			var fields []string
			for page := []string{""}; len(page) > 0; fields = append(fields, page...) {
				page = c.words(fmt.Sprintf("hkeys %s %d 7", k.key(n), len(fields)))
			}
			k.eachOnce(c.t, n, fields)
		}},
		{name: "counters", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			if c.asks("hincr "+k.key(n)+" f 1 1") != "" {
				k.grant(k.key(n)+" f", 1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			if want := sum(k.grants(k.key(n))); want > 0 {
				if got := c.words("hget " + k.key(n) + " f"); len(got) != 1 || strings.TrimSpace(got[0]) != strconv.Itoa(want) {
					c.t.Errorf("%s has counted %v, expected %d", k.key(n), got, want)
				}
			}
		}},
		{name: "ranking", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			if c.asks("zincrby "+k.key(n)+" 1 m") != "" {
				k.grant(k.key(n)+" m", 1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			if want := sum(k.grants(k.key(n))); want > 0 {
				c.asks("zget "+k.key(n)+" m", strconv.Itoa(want))
			}
		}},
		{name: "deque", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			if random.IntN(2) == 0 {
				element := fmt.Sprint("e", k.next())
				if c.asks(fmt.Sprintf("%s %s 7 %d\r\n%s", []string{"rput", "lput"}[random.IntN(2)], k.key(n), len(element), element), "STORED") != "" {
					k.grant(k.key(n)+" "+element, 1)
				}
				return
			}
			for _, element := range c.words([]string{"rpop ", "lpop "}[random.IntN(2)] + k.key(n)) {
				k.grant(k.key(n)+" "+element, -1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			left := c.words("lrange " + k.key(n) + " 0 -1")
			for element, times := range k.grants(k.key(n)) {
				if times != 0 && times != 1 || (times == 1) != slices.Contains(left, element) {
					c.t.Errorf("%s: %s was pushed %d times more than popped, and is there: %v", k.key(n), element, times, slices.Contains(left, element))
				}
			}
		}},
		{name: "popped", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			if random.IntN(2) == 0 {
				member := fmt.Sprint("m", k.next())
				if c.asks(fmt.Sprintf("zadd %s %d %s", k.key(n), random.IntN(9), member), "STORED") != "" {
					k.grant(k.key(n)+" "+member, 1)
				}
				return
			}
			for i, word := range c.words("zpopmin " + k.key(n)) {
				if i%2 == 0 {
					k.grant(k.key(n)+" "+word, -1)
				}
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			left := c.words("zrange " + k.key(n) + " 0 -1")
			for member, times := range k.grants(k.key(n)) {
				if times != 0 && times != 1 || (times == 1) != slices.Contains(left, member) {
					c.t.Errorf("%s: %s was added %d times more than popped, and is there: %v", k.key(n), member, times, slices.Contains(left, member))
				}
			}
		}},
		{name: "limit", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			if strings.HasPrefix(c.asks("limit "+k.key(n)+" 5 3600"), "1 ") {
				k.grant(k.key(n)+" allowed", 1)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			allowed := k.grants(k.key(n))["allowed"]
			if allowed > 5 {
				c.t.Errorf("%s has allowed %d", k.key(n), allowed)
			}
			harness.Await(c.t, k.key(n)+" to have taken back what it has not allowed", func() bool {
				return strings.Fields(c.asks("limit " + k.key(n) + " 5 3600 0"))[1] == strconv.Itoa(5-allowed)
			})
			if allowed == 0 {
				return
			}
			if got := c.asks("inspect "+k.key(n)+" 5 3600") + c.Until("END"); !strings.Contains(got, fmt.Sprintf("STAT counted %d\r\n", allowed)) {
				c.t.Errorf("%s has allowed %d, inspect says %q", k.key(n), allowed, got)
			}
		}},
		{name: "semaphore", step: func(k *kindLoad, c *kindClient, random *rand.Rand, n int) {
			token := fmt.Sprint("t", k.next())
			if c.asks("lock "+k.key(n)+" "+token+" 3600 3", "STORED", "NOT_STORED") != "STORED" {
				return
			}
			k.grant(k.key(n)+" holders", 1)
			if holders := k.grants(k.key(n))["holders"]; holders > 3 {
				c.t.Errorf("%s has %d holders", k.key(n), holders)
			}
			k.grant(k.key(n)+" holders", -1)
			if line, err := patiently(c.Client, "unlock "+k.key(n)+" "+token+"\r\n"); line != "DELETED\r\n" {
				c.t.Errorf("unlock was answered by %q (%v)", line, err)
			}
		}, check: func(k *kindLoad, c *kindClient, n int) {
			for i := range 3 {
				c.asks(fmt.Sprintf("lock %s last%d 3600 3", k.key(n), i), "STORED")
			}
			c.asks("lock "+k.key(n)+" more 3600 3", "NOT_STORED")
		}},
	}
	for _, k := range kinds {
		k.granted = map[string]int{}
	}
	return kinds
}

// use has a client use the structures of the kind until that is over.
func (k *kindLoad) use(c *kindClient, over *atomic.Bool) {
	random := rand.New(rand.NewPCG(1, uint64(k.next())))
	for !over.Load() {
		n := int(min(k.steps.Add(1)/50, structuresOfKind-1))
		k.step(k, c, random, random.IntN(n+1))
	}
}

// Processes learn one after another of a third and a fourth server, while clients of all use structures of each kind, of which there are
// new ones all the time. What was acknowledged is there, once, and no structure is at two servers.
func TestKindsWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	l := startLearning(t)
	kinds := kindsOfLoad()
	var over atomic.Bool
	var running sync.WaitGroup
	defer running.Wait()
	defer over.Store(true)
	l.learn(t, func(m *harness.Memverbs) {
		for _, k := range kinds {
			c := &kindClient{Client: harness.Dial(t, m.Addr), t: t}
			running.Go(func() { k.use(c, &over) })
		}
	})
	for _, k := range kinds {
		before := k.steps.Load()
		harness.Await(t, "more to be done with each "+k.name, func() bool { return k.steps.Load() > before+100 })
	}
	over.Store(true)
	running.Wait()
	var keys []string
	c := &kindClient{Client: harness.Dial(t, l.processes[2].Addr), t: t, patient: true}
	for _, k := range kinds {
		for n := range structuresOfKind {
			keys = append(keys, k.key(n))
			k.check(k, c, n)
		}
		t.Logf("%d steps with each %s", k.steps.Load(), k.name)
	}
	l.onlyOnce(t, keys)
}
