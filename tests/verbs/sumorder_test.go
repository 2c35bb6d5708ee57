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

// What one client adds to scores in a row takes effect in that order, though some of it is
// answered with sums, which are decided on what was read, and some is just appended, and the
// ranking is deleted and created in between. Other clients do the same to members of their own.
func TestSumsOfOneClientAreInOrder(t *testing.T) {
	t.Parallel()
	t.Logf("repeat this with -args -seed=%d", seed())
	store := harness.StartMemcached(t, "1.6.38")
	for _, disturbed := range []bool{false, true} {
		m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "20s", "--loops", "2", "--structure-item-size", "16KB")
		stop := func() {}
		if disturbed { // so that races are lost, and orders given
			harness.Dial(t, m.Addr).Ask("zadd k0 1 x\r\nzadd k1 1 x\r\n", "STORED\r\nSTORED\r\n")
			stop = disturb(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "20s").Addr)
		}
		var all sync.WaitGroup
		for who := range uint64(4) {
			c := harness.Dial(t, m.Addr)
			random := rand.New(rand.NewPCG(seed(), who))
			scores := map[string]map[string]int{}
			var talk []exchange
			for range 2_000 {
				talk = append(talk, changeOfScores(random, scores, int(who)))
			}
			all.Go(func() {
				go write(c, random, talk)
				for i, e := range talk {
					if got := read(t, c, len(e.reply)); got != e.reply {
						t.Errorf("command %d of client %d, seed %d\n%sanswer  %s\ninstead %s", i, who, seed(), around(talk[:i+1]), brief(e.reply), brief(got+c.Rest()))
						return
					}
				}
				c.InStep()
			})
		}
		all.Wait()
		stop()
		harness.Dial(t, m.Addr).Ask("flush_all\r\n", "OK\r\n")
	}
}

// What one client adds in a row is decided together, also if the ranking is read anew each time: to read it
// for each would take as many times longer.
func TestSumsOfOneClientAreDecidedTogether(t *testing.T) {
	t.Parallel()
	const members, sums = 30_000, 100
	m := harness.StartMemverbs(t, "--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--loops", "1", "--read-cache", "0")
	c := harness.Dial(t, m.Addr)
	var pairs, answers strings.Builder
	for i := range members {
		fmt.Fprintf(&pairs, " %d member%d", i, i)
	}
	c.Ask("zadd k"+pairs.String()+"\r\n", "STORED\r\n")
	c.Ask("zincrby k -1 member7\r\n", "6\r\n") // from now on, the client's verbs are known to read much
	for i := range sums {
		fmt.Fprintf(&answers, "%d\r\n", 7+i)
	}
	c.Ask(strings.Repeat("zincrby k 1 member7\r\n", sums), answers.String())
	trips, err := strconv.Atoi(m.VerbStats()["verb_zincrby_round_trips"])
	if err != nil || trips > sums {
		t.Errorf("%d sums took %d round trips, %v", sums, trips, err)
	}
}

// changeOfScores returns a command about a ranking, and what it is answered. The rankings k0 and k1
// have members of all clients, and there is one more of each client.
func changeOfScores(random *rand.Rand, rankings map[string]map[string]int, who int) exchange {
	own := fmt.Sprintf("own%d", who)
	key := []string{"k0", "k1", own}[random.IntN(3)]
	if rankings[key] == nil {
		rankings[key] = map[string]int{}
	}
	ranking := rankings[key]
	member := func() string { return fmt.Sprintf("m%d.%d", who, random.IntN(5)) }
	switch random.IntN(12) {
	case 0:
		m, n := member(), random.IntN(100)
		ranking[m] = n
		return exchange{fmt.Sprintf("zadd %s %d %s\r\n", key, n, m), "STORED\r\n"}
	case 1:
		m := member()
		ranking[m]++
		return exchange{fmt.Sprintf("zincrby %s 1 %s noreply\r\n", key, m), ""}
	case 2:
		if delete(rankings, own); random.IntN(3) > 0 {
			return exchange{"delete " + own + " noreply\r\nzincrbyp " + own + " 0 x 1000\r\nzrem " + own + " x\r\n", "0\r\nSTORED\r\n"}
		}
		return exchange{"delete " + own + " noreply\r\n", ""}
	case 3:
		m, n := member(), random.IntN(100)
		ranking[m] += n
		return exchange{fmt.Sprintf("zincrbyp %s %d %s 1000\r\n", key, n, m), fmt.Sprintf("%d\r\n", ranking[m])}
	}
	words, sums := "", []string{}
	for range 1 + random.IntN(2) {
		m, n := member(), random.IntN(100)-20
		ranking[m] += n
		words += fmt.Sprintf(" %d %s", n, m)
		sums = append(sums, fmt.Sprint(ranking[m]))
	}
	return exchange{"zincrby " + key + words + "\r\n", strings.Join(sums, " ") + "\r\n"}
}
