package verbs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What one client changes in a row is changed in that order and answered in that
// order, though some of it is appended, some joined, some too long to be
// appended, and some has to wait until an item that is full is rewritten.
func TestChangesOfOneClientAreInOrder(t *testing.T) {
	t.Parallel()
	t.Logf("repeat this with -args -seed=%d", seed())
	for version, flags := range map[string][]string{
		"1.6.18": nil, // with small items it crashes
		"1.6.38": {"-I", "4k", "-o", "slab_chunk_max=2"},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, version, flags...)
			m := harness.StartMemverbs(t, "--upstream", store.Addr, "--structure-item-size", "4KB", "--compact-dirtiness", "20", "--timeout", "20s")
			random := rand.New(rand.NewPCG(seed(), 1))
			talk := changes(random, 3_000)
			c := harness.Dial(t, m.Addr)
			go write(c, random, talk)
			for i, e := range talk {
				if got := read(t, c, len(e.reply)); got != e.reply {
					t.Fatalf("command %d of seed %d\n%sanswer  %s\ninstead %s", i, seed(), around(talk[:i+1]), brief(e.reply), brief(got+c.Rest()))
				}
			}
			c.InStep()
		})
	}
}

// changes returns n commands about two sets, and what they are answered.
func changes(random *rand.Rand, n int) (talk []exchange) {
	sets := map[string][]string{}
	for range n {
		key := fmt.Sprintf("k%d", random.IntN(2))
		verb := []string{"sadd", "sadd", "sadd", "sadd", "srem", "srem", "sismember", "scard", "smembers", "delete"}[random.IntN(10)]
		if verb == "delete" && random.IntN(20) > 0 {
			verb = "sadd"
		}
		var names []string
		most := 3
		if random.IntN(10) == 0 {
			most = 900
		}
		for range 1 + random.IntN(most) {
			names = append(names, fmt.Sprintf("m%06d", random.IntN(1500)))
		}
		request := verb + " " + key
		if verb[:2] == "sa" || verb[:2] == "sr" || verb == "sismember" {
			request += " " + strings.Join(names, " ")
		}
		reply := ask(sets, verb, key, names)
		talk = append(talk, exchange{request + "\r\n", reply + "\r\n"})
	}
	return talk
}

// ask does to one of the sets what the verb says.
func ask(sets map[string][]string, verb, key string, names []string) string {
	set, there := sets[key]
	switch {
	case verb == "smembers" && !there:
		return "END"
	case verb == "smembers":
		text := strings.Join(set, " ")
		return fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND", key, len(text), text)
	case verb != "sadd" && !there:
		return "NOT_FOUND"
	}
	answer := "STORED"
	switch verb {
	case "scard":
		return fmt.Sprint(len(set))
	case "delete":
		delete(sets, key)
		return "DELETED"
	case "sismember":
		var is []string
		for _, name := range names {
			is = append(is, map[bool]string{true: "1", false: "0"}[slices.Contains(set, name)])
		}
		return strings.Join(is, " ")
	case "sadd":
		for _, name := range names {
			if !slices.Contains(set, name) {
				set = append(set, name)
			}
		}
	case "srem":
		set = slices.DeleteFunc(set, func(name string) bool { return slices.Contains(names, name) })
	}
	sets[key] = set
	return answer
}

// Additions of one client of which the first finds no room where the second would
// are made in their order all the same, when there is room.
func TestAdditionsToFullSetAreInOrder(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--timeout", "20s")
	c := harness.Dial(t, m.Addr)
	fill := func(key string, room int) {
		line := ""
		for size := 1<<20 - room; line != "STORED"; size -= 16 {
			c.Send(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, size, strings.Repeat("+a ", size/3+1)[:size-1]+" "))
			line = c.Line()
		}
	}
	list := func(letter string, n int) string {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("%s%098d", letter, i))
		}
		return strings.Join(names, " ")
	}
	for i, lengths := range [][]int{{300, 30}, {3, 1, 1}, {1, 2, 250, 1, 90, 1}} {
		key := fmt.Sprintf("k%d", i)
		fill(key, 10_000)
		requests, replies, members := "", "", "a"
		for n, length := range lengths {
			names := list(string(rune('b'+n)), length)
			requests += "sadd " + key + " " + names + "\r\n"
			replies += "STORED\r\n"
			members += " " + names
		}
		c.Ask(requests, replies)
		c.Ask("smembers "+key+"\r\n", fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, len(members), members))
	}
}
