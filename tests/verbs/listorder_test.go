package verbs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What one client pushes and pops in a row takes effect in that order, though some of it is
// appended, some decided on what was read, and some has lost races: another client of another
// proxy changes the lists all the time, by tokens that mean nothing in a list.
func TestPopsOfOneClientAreInOrder(t *testing.T) {
	t.Parallel()
	t.Logf("repeat this with -args -seed=%d", seed())
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "20s")
	random := rand.New(rand.NewPCG(seed(), 2))
	lists := map[string][]string{}
	fill := ""
	for i := range 2 {
		key := fmt.Sprintf("k%d", i)
		for n := range 300 {
			lists[key] = append(lists[key], fmt.Sprintf("before%d", n))
		}
		fill += "rpush " + key + " " + strings.Join(lists[key], " ") + "\r\n"
	}
	c := harness.Dial(t, m.Addr)
	c.Ask(fill, "STORED\r\nSTORED\r\n")
	for range 3 { // from now on it is remembered
		c.Ask("llen k0\r\nllen k1\r\n", "300\r\n300\r\n")
	}
	stop := disturb(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "20s").Addr)
	defer stop()
	var talk []exchange
	for n := range 4_000 {
		talk = append(talk, changeOfList(random, lists, n))
	}
	go write(c, random, talk)
	for i, e := range talk {
		if got := read(t, c, len(e.reply)); got != e.reply {
			t.Fatalf("command %d of seed %d\n%sanswer  %s\ninstead %s", i, seed(), around(talk[:i+1]), brief(e.reply), brief(got+c.Rest()))
		}
	}
	c.InStep()
}

// disturb adds members to the lists, as if they were sets, until the function that it returns is
// called.
func disturb(t *testing.T, addr string) (stop func()) {
	c := harness.Dial(t, addr)
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			default:
				c.Send("sadd k0 x\r\nsadd k1 x\r\n")
				c.Line()
				c.Line()
			}
		}
	}()
	return func() { close(ended); <-done }
}

// changeOfList returns a command about one of the lists, and what it is answered.
func changeOfList(random *rand.Rand, lists map[string][]string, n int) exchange {
	key := fmt.Sprintf("k%d", random.IntN(2))
	list := lists[key]
	verb := []string{"rpush", "rpush", "lpush", "lpop", "lpop", "lpop", "rpop", "rpop", "llen", "lrange"}[random.IntN(10)]
	value := fmt.Sprintf("v%d", n)
	request, reply := verb+" "+key, "STORED"
	switch verb {
	case "rpush":
		request, list = request+" "+value, append(list, value)
	case "lpush":
		request, list = request+" "+value, slices.Insert(list, 0, value)
	case "lpop", "rpop":
		count := min(1+random.IntN(3), len(list))
		request += fmt.Sprintf(" %d", max(count, 1))
		var popped []string
		for range count {
			if verb == "lpop" {
				popped, list = append(popped, list[0]), list[1:]
			} else {
				popped, list = append(popped, list[len(list)-1]), list[:len(list)-1]
			}
		}
		reply = values(key, popped)
	case "llen":
		reply = fmt.Sprint(len(list))
	case "lrange":
		request += " 0 4"
		reply = values(key, list[:min(5, len(list))])
	}
	lists[key] = slices.Clone(list)
	return exchange{request + "\r\n", reply + "\r\n"}
}

// values returns the answer that lists elements of the list under key.
func values(key string, elements []string) string {
	text := strings.Join(elements, " ")
	return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND", key, len(text), text)
}
