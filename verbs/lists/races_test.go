package lists

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rules are the rules of races on lists.
var rules = verbtest.Rules{List: theVerbs, Look: "lrange k", Before: listOf, Right: inSomeOrder, Ends: true, Intent: intended, Random: randomRace}

// listOf returns the state of the list that a log folds to.
func listOf(log string) string {
	list := deque{}.apply(log)
	for i, e := range list {
		if e[0] == '+' {
			list[i] = "+" + e[len("+")+idSize+len("."):]
		}
	}
	return "!" + strings.Join(list, " ")
}

// intended returns the tokens that a call is about to append if nothing has changed, or that push an element with data,
// from its buffer.
func intended(request string, buf []byte) string {
	switch verb := strings.Fields(request)[0]; {
	case verb == "lpop", verb == "rpop", verb == "ltrim", strings.HasSuffix(verb, "put") && strings.HasPrefix(string(buf), "l+"):
		return string(buf)
	}
	return ""
}

// Options with which a head is always too long, so that every append settles; with
// which it is too long with more than a few elements; and with which it never is.
var (
	tiny  = verbs.Options{StructureItemSize: 4}
	small = verbs.Options{StructureItemSize: 34} // settled at 30
	roomy = verbs.Options{StructureItemSize: 1 << 20}
)

var listRaces = []verbtest.Race{
	{Name: "two create", Log: "none", Options: roomy, Clients: [][]string{{"rpush k a"}, {"lpush k b a"}}},
	{Name: "three create", Log: "none", Options: roomy, Clients: [][]string{{"rpush k a"}, {"rpush k a"}, {"lpush k c"}}},
	{Name: "create and pop", Log: "none", Options: roomy, Clients: [][]string{{"rpush k a"}, {"lpop k"}, {"rpop k"}}},
	{Name: "pop both ends", Log: "l>a l>b ", Options: roomy, Clients: [][]string{{"lpop k"}, {"rpop k"}, {"lpop k"}}},
	{Name: "pop and push", Log: "l>a ", Options: roomy, Clients: [][]string{{"lpop k", "rpush k a"}, {"lpop k", "lpush k b"}}},
	{Name: "pop and remove", Log: "l>a l>a ", Options: roomy, Clients: [][]string{{"rpop k", "rpop k"}, {"lrem k 1 a", "rpush k a"}}},
	{Name: "trim and push", Log: "l>a l>b l>c ", Options: roomy, Clients: [][]string{{"ltrim k -2 -1", "rpush k d"}, {"rpush k e", "ltrim k 0 1"}}},
	{Name: "compact and push", Log: "l>a l-a l>b ", Options: roomy, Clients: [][]string{{"lrange k", "rpush k a"}, {"llen k", "lrem k 0 b"}}},
	{Name: "compact and look", Log: "l>a l(a ", Options: roomy, Clients: [][]string{{"rpush k a b"}, {"lrem k 1 a"}, {"lrange k"}}},
	{Name: "settle and look", Log: "l>a l>b ", Options: tiny, Clients: [][]string{{"rpush k c"}, {"lrange k", "llen k", "lrange k 1 1"}}},
	{Name: "settle and remove", Log: "l>a l>b ", Options: tiny, Long: true, Clients: [][]string{{"lrem k 1 a"}, {"lpush k a"}}},
	{Name: "settle and pop", Log: "l>a l>b ", Options: tiny, OnlyNew: true, Long: true, Clients: [][]string{{"lpop k"}, {"rpush k a"}}},
	{Name: "insert and remove", Log: "l>a ", Options: tiny, Clients: [][]string{{"rpush k b c"}, {"lrem k -1 b"}}},
	{Name: "look in slices", Log: "l>a l-b l>c ", Options: tiny, OnlyNew: true, Slice: 1, Clients: [][]string{{"lpush k b"}, {"lrange k"}}},
	{Name: "pop and settle", Log: "l>a l>b l>c l<d l>e ", Options: small, Long: true, OnlyNew: true, Clients: [][]string{{"lpop k"}, {"lpop k 2"}}},
	{Name: "pop both ends by orders", Log: "l>a l>b ", Options: roomy, Orders: true, Clients: [][]string{{"lpop k"}, {"rpop k 2"}, {"lpop k"}}},
	{Name: "order and push", Log: "l>a ", Options: roomy, Orders: true, Clients: [][]string{{"lpop k 2", "rpush k a"}, {"rpop k", "lpush k b"}}},
	{Name: "order and compact", Log: "l>a l-a l>b ", Options: roomy, Orders: true, Clients: [][]string{{"lrange k"}, {"lpop k", "lpop k"}}},
	{Name: "order and settle", Log: "l>a l>b ", Options: tiny, Orders: true, Long: true, OnlyNew: true, Clients: [][]string{{"lpop k"}, {"rpush k a"}}},
	{Name: "order a trim", Log: "l>a l>b l>c ", Options: roomy, Orders: true, Clients: [][]string{{"ltrim k -2 -1"}, {"rpush k d", "lpop k"}}},
	{Name: "pop the last and push", Log: "l>a ", TTL: 1000, Options: roomy, Clients: [][]string{{"lpop k"}, {"@100000 rpush k b", "rpop k"}, {"@300000 lpush k c"}}},
	{Name: "pop from an empty one and push", Log: "l>a l(a ", TTL: 1000, Options: roomy, Clients: [][]string{{"lpop k"}, {"lpop k", "@300000 rpush k a"}}},
	{Name: "trim to nothing and push", Log: "l>a l>b ", TTL: 1000, Options: roomy, Clients: [][]string{{"ltrim k 1 0"}, {"@100000 rpush k a"}, {"rpush k b"}}},
	{Name: "look at an empty one and push", Log: "l>a ", TTL: 1000, Options: roomy, Clients: [][]string{{"lrem k 0 a", "llen k"}, {"lrange k", "@100000 rpush k a"}}},
	{Name: "pop the last by an order and push", Log: "l>a ", TTL: 1000, Options: roomy, Orders: true, Clients: [][]string{{"lpop k", "lpop k"}, {"@100000 rpush k b"}}},
	{Name: "pop all of segments and push", Log: "l>a l>b l>c ", TTL: 1000, Options: small, First: [][]string{{"rpush k d e f", "lpop k"}}, Long: true, OnlyNew: true, Clients: [][]string{{"lpop k 9"}, {"@100000 rpush k d"}}},
	{Name: "two put", Log: "none", Options: roomy, Clients: [][]string{{"rput k 1 1\r\na"}, {"lput k 2 3\r\na b"}, {"lpop k"}}},
	{Name: "put and pop", Log: "l+>element-0001.1001.a~`b ", Options: roomy, Clients: [][]string{{"lpop k", "rput k 1 0\r\n"}, {"lpop k", "lpush k b"}}},
	{Name: "put and settle", Log: "l+>element-0001.1001.a~`b l>b ", Options: tiny, OnlyNew: true, Long: true, Clients: [][]string{{"lput k 1 1\r\n "}, {"rpop k 2"}}},
	{Name: "put and order", Log: "l+>element-0001.1001.a~`b l>a ", Options: roomy, Orders: true, Clients: [][]string{{"lpop k 2", "rput k 1 1\r\na"}, {"rpop k"}}},
	{Name: "put and look", Log: "l+<element-0002.1002. l+-element-0002 ", Options: roomy, Clients: [][]string{{"rput k 1 1\r\na", "ltrim k -1 -1"}, {"lrange k"}}},
	{Name: "trim and push more", Log: "l>a l>b l>c l>d l>e l>f l>g ", Options: small, Long: true, OnlyNew: true, Clients: [][]string{{"ltrim k 2 4"}, {"rpush k i"}}},
}

func TestEverySchedule(t *testing.T) { verbtest.TryEach(t, &rules, listRaces, 0) }

// Two calls, with every mishap to every single operation.
func TestEveryMishap(t *testing.T) {
	verbtest.TryEach(t, &rules, verbtest.FirstCalls(verbtest.Short(listRaces)), 1)
}

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 10_000) }

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 12, 30, 100, 300)
	race.LetTimePass(r)
	race.Elapse = min(race.Elapse, 20) // orders have not expired
	race.Orders = r.IntN(3) == 0
	pad := race.Pad(r)
	race.Log = []string{"none", "none", "l>a l>b ", "l ", "l<x l>a l>b l>a l)b ", "l>a l(a l<a l>b l-c l>c l>d ", "l+>element-0001.1001.a~`b l>a l+<element-0002.1002. "}[r.IntN(7)]
	if pad != "" {
		race.Log = []string{"none", "l>a" + pad + " l>b" + pad + " "}[r.IntN(2)]
	}
	race.Waits, race.Sharing = r.IntN(2) == 0, r.IntN(2) == 0
	puts := 0
	race.AddCrowd(r, 6, func() string {
		puts++
		return randomRequest(r, pad, puts)
	})
	return race
}

// randomRequest returns a random request. If it puts data, that has the given flags.
func randomRequest(r *rand.Rand, pad string, flags int) string {
	value := func() string { return " " + string(rune('a'+r.IntN(5))) + pad }
	verb := theVerbs.All[r.IntN(len(theVerbs.All))].Name + " k"
	if strings.Contains(verb, "put") && r.IntN(2) == 0 { // or lists would be long, and histories hard to judge
		verb = theVerbs.All[r.IntN(len(theVerbs.All))].Name + " k"
	}
	switch verb {
	case "rpush k", "lpush k":
		for range 1 + r.IntN(3) {
			verb += value()
		}
		return verbtest.Carried(r, verb)
	case "rput k", "lput k":
		data := []string{"", "a", "a b", "~;\r\n+x "}[r.IntN(4)] + strings.ReplaceAll(pad, "..", ". ")
		return verbtest.Carried(r, fmt.Sprintf("%s %d %d\r\n%s", verb, flags, len(data), data))
	case "lrem k":
		return verb + fmt.Sprint(" ", r.IntN(5)-2) + value()
	case "ltrim k":
		return verb + fmt.Sprint(" ", r.IntN(5)-2, " ", r.IntN(6)-2)
	case "lpop k", "rpop k":
		if r.IntN(2) == 0 {
			verb += fmt.Sprint(" ", 1+r.IntN(3))
		}
		if r.IntN(2) == 0 {
			verb += fmt.Sprint(" wait ", 1+r.IntN(60))
		}
		return verb
	case "lrange k":
		if r.IntN(2) == 0 {
			verb += fmt.Sprint(" ", r.IntN(6)-3, " ", r.IntN(6)-3)
		}
		return verb
	case "llen k":
		return verb
	default:
		panic("randomRequest lacks " + verb + ": add its arguments here, and what it does to history_test.go")
	}
}
