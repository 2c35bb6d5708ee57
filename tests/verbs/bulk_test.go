package verbs

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Clients that get large values use two connections to a server. What one asks for
// in a row is done and answered in that order all the same, whatever of it goes on
// which connection.
func TestRequestsForLargeAndSmallValuesAreInOrder(t *testing.T) {
	t.Parallel()
	t.Logf("repeat this with -args -seed=%d", seed())
	stores := []*harness.Memcached{harness.StartMemcached(t, "1.6.38", "-m", "256"), harness.StartMemcached(t, "1.6.38", "-m", "256")}
	m := harness.StartMemverbs(t, "--upstream", stores[0].Addr, "--upstream", stores[1].Addr, "--loops", "1", "--timeout", "20s")
	harness.Dial(t, m.Addr).Ask("get a b c d e f g h i j\r\n", "END\r\n")
	before := connectionsOf(stores)
	var clients sync.WaitGroup
	for n := range 3 {
		random := rand.New(rand.NewPCG(seed(), uint64(n)))
		talk := largeAndSmall(random, fmt.Sprintf("client%d-", n), 700)
		c := harness.Dial(t, m.Addr)
		clients.Go(func() { write(c, random, talk) })
		clients.Go(func() {
			for i, e := range talk {
				if got := c.Exactly(len(e.reply)); got != e.reply {
					t.Errorf("command %d of seed %d, %s is answered by %.200s instead of %.200s", i, seed(), brief(e.request), got, e.reply)
					_ = c.Conn().Close()
					return
				}
			}
			c.InStep()
		})
	}
	clients.Wait()
	if after := connectionsOf(stores); after != before+len(stores) {
		t.Errorf("there are %d connections after %d, expected one more to each of %d servers", after, before, len(stores))
	}
}

// Segments of large structures are read on the second connection, so that nobody's
// small requests wait behind them. The head is not.
func TestSegmentsAreReadOnTheSecondConnection(t *testing.T) {
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1")
	stores := []*harness.Memcached{store}
	store.PutSet(t, "headed", 900_000, 0)
	store.PutSet(t, "segmented", 10_000, 5)
	c := harness.Dial(t, m.Addr)
	c.Ask("scard headed\r\n", "4306\r\n")
	before := connectionsOf(stores)
	harness.Await(t, "a second connection", func() bool {
		c.Ask("scard segmented\r\n", "48\r\n")
		return connectionsOf(stores) == before+1
	})
}

func connectionsOf(stores []*harness.Memcached) (sum int) {
	for _, s := range stores {
		n, _ := strconv.Atoi(s.Stats()["curr_connections"])
		sum += n
	}
	return sum
}

// largeAndSmall returns n commands about a few items, and what they are answered.
func largeAndSmall(random *rand.Rand, prefix string, n int) (talk []exchange) {
	items, set := map[string]string{}, 0
	most := 100
	for i := range n {
		if i%100 == 0 { // for a while all values are small, or some are large
			most = []int{100, 20_000, 300_000}[random.IntN(3)]
		}
		key := func() string { return prefix + strconv.Itoa(random.IntN(6)) }
		talk = append(talk, oneOf(random, items, key, &set, prefix+"set", most))
	}
	return talk
}

// oneOf makes up one command.
func oneOf(random *rand.Rand, items map[string]string, key func() string, set *int, name string, most int) exchange {
	k := key()
	text := strings.Repeat(strconv.Itoa(random.IntN(1000))+"-", 1+random.IntN(most)/4)
	values := func(keys ...string) string {
		var b strings.Builder
		for _, k := range keys {
			if v, there := items[k]; there {
				fmt.Fprintf(&b, "VALUE %s 0 %d\r\n%s\r\n", k, len(v), v)
			}
		}
		return b.String() + "END\r\n"
	}
	data := func(command string) string { return fmt.Sprintf("%s %s 0 0 %d", command, k, len(text)) }
	switch random.IntN(12) {
	case 0:
		items[k] = text
		return exchange{data("set") + "\r\n" + text + "\r\n", "STORED\r\n"}
	case 1:
		items[k] = text
		return exchange{data("set") + " noreply\r\n" + text + "\r\n", ""}
	case 2:
		v, there := items[k]
		if !there {
			return exchange{"touch " + k + " 0\r\n", "NOT_FOUND\r\n"}
		}
		if len(v) > 400_000 {
			return exchange{"mg " + k + " s\r\n", fmt.Sprintf("HD s%d\r\n", len(v))}
		}
		items[k] = v + text
		return exchange{data("append") + " noreply\r\n" + text + "\r\n", ""}
	case 3:
		_, there := items[k]
		delete(items, k)
		if there {
			return exchange{"delete " + k + "\r\n", "DELETED\r\n"}
		}
		return exchange{"delete " + k + " noreply\r\n", ""}
	case 4:
		*set++
		return exchange{fmt.Sprintf("sadd %s m%d\r\nscard %s\r\n", name, *set, name), fmt.Sprintf("STORED\r\n%d\r\n", *set)}
	case 5:
		keys := []string{k, key(), key(), key()}
		return exchange{"gat 0 " + strings.Join(keys, " ") + "\r\n", values(keys...)}
	case 6, 7:
		keys := []string{k, key(), key()}
		return exchange{"get " + strings.Join(keys, " ") + "\r\n", values(keys...)}
	case 8:
		v, there := items[k]
		if !there {
			return exchange{"mg " + k + " v q\r\nmn\r\n", "MN\r\n"}
		}
		return exchange{"mg " + k + " v q\r\n", fmt.Sprintf("VA %d\r\n%s\r\n", len(v), v)}
	default:
		return exchange{"get " + k + "\r\n", values(k)}
	}
}
