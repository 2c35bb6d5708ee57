package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

var setRaces = []verbtest.Race{
	{Name: "two create", Log: "none", Options: roomy, Clients: [][]string{{"sadd k a"}, {"sadd k b a"}}},
	{Name: "three create", Log: "none", Options: roomy, Clients: [][]string{{"sadd k a"}, {"sadd k b"}, {"sadd k c"}}},
	{Name: "create and remove", Log: "none", Options: roomy, Clients: [][]string{{"sadd k a"}, {"srem k a"}, {"srem k a"}}},
	{Name: "remove, create and look", Log: "none", Options: roomy, Clients: [][]string{{"srem k a", "scard k"}, {"sadd k a", "scard k"}}},
	{Name: "add and compact", Log: "+a -a ", Options: roomy, Clients: [][]string{{"sadd k b", "srem k a"}, {"scard k", "smembers k"}}},
	{Name: "compact both", Log: "+a -a +b ", Options: roomy, Clients: [][]string{{"scard k", "sadd k a"}, {"smembers k", "srem k b"}}},
	{Name: "empty", Log: "+a ", Options: roomy, Clients: [][]string{{"srem k a", "sadd k a"}, {"srem k a", "smembers k"}}},
	{Name: "compact and count", Log: "+a -a ", Options: roomy, Clients: [][]string{{"sadd k a b"}, {"srem k a"}, {"smembers k"}}},
	{Name: "three times three", Log: "+a +b ", Options: verbs.Options{StructureItemSize: 1 << 20, CompactDirtiness: 9}, OnlyNew: true, Clients: [][]string{
		{"sadd k c", "srem k a", "scard k"}, {"srem k c", "sadd k a", "srem k b"}, {"smembers k", "sadd k b", "smembers k"}}},
	{Name: "pop", Log: "+a +b ", Options: roomy, Clients: [][]string{{"spop k"}, {"spop k"}, {"spop k"}}},
	{Name: "pop and remove", Log: "+a +b ", Options: roomy, Clients: [][]string{{"spop k", "spop k"}, {"srem k a", "sadd k a"}}},
	{Name: "new", Log: "none", Options: roomy, Clients: [][]string{{"saddnew k a b"}, {"saddnew k b a"}}},
	{Name: "new and removed", Log: "+a ", Options: roomy, Clients: [][]string{{"saddnew k a", "srem k a"}, {"saddnew k a"}}},
	{Name: "for a time", Log: "~1700000009:a +b ", Options: roomy, Clients: [][]string{{"saddp k b 9", "smembers k"}, {"sadd k a", "smembers k"}}},
	{Name: "for a time, and settle", Log: "~1700000009:a +b ", Options: tiny, Clients: [][]string{{"saddp k b 9"}, {"smembers k"}}},
	{Name: "change", Log: "+a +b ", Options: roomy, Clients: [][]string{{"schange k -a +c"}, {"schange k +a -b", "smembers k"}}},
	{Name: "settle and change all", Log: "+a +b ", Options: tiny, Clients: [][]string{{"schange k -a +c"}, {"smembers k"}}},
	{Name: "compact now", Log: "+a -a +b ", Options: roomy, Clients: [][]string{{"scompact k", "scard k"}, {"sadd k a", "srem k b"}}},
	{Name: "settle and look", Log: "+a +b ", Options: tiny, Clients: [][]string{{"sadd k c"}, {"smembers k", "scard k", "smembers k"}}},
	{Name: "settle and change", Log: "+a +b ", Options: tiny, Long: true, Clients: [][]string{{"srem k a"}, {"sadd k a"}}},
	{Name: "settle both", Log: "+a -b ", Options: tiny, OnlyNew: true, Clients: [][]string{{"srem k a", "sadd k b"}, {"scard k"}}},
	{Name: "insert and change", Log: "+a ", Options: tiny, Clients: [][]string{{"sadd k b c"}, {"srem k b"}}},
	{Name: "look in slices", Log: "+a -b +c ", Options: tiny, OnlyNew: true, Slice: 1, Clients: [][]string{{"sadd k b"}, {"smembers k"}}},
	{Name: "pop from segments", Log: "+a +b +c +d +e +f +g +h ", Options: small, Clients: [][]string{{"spop k", "scompact k"}, {"spop k 2"}}},
	{Name: "compact segments and change", Log: "+a +b +c +d +e +f +g +h -a ", Options: small, Clients: [][]string{{"scompact k", "scard k"}, {"srem k b"}}},
}

func TestEverySchedule(t *testing.T) { verbtest.TryEach(t, &rules, setRaces, 0) }

// Two calls, with every mishap to every single operation.
func TestEveryMishap(t *testing.T) {
	verbtest.TryEach(t, &rules, verbtest.FirstCalls(verbtest.Short(setRaces)), 1)
}
