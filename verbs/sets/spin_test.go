package sets

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Whatever others do between any two operations, every call ends with an answer.
func TestNothingSpins(t *testing.T) {
	requests := []string{"sadd k a b", "srem k a", "smembers k kk", "scard k", "spop k", "scompact k", "sunion k kk"}
	verbtest.Interfere(t, theVerbs, requests, func(r *rand.Rand, _ string) string {
		return []string{"", "+a ", "+a -a ", "+x +y +z "}[r.IntN(4)]
	})
}

// The same if another client does the worst at every step.
func TestContended(t *testing.T) {
	verbtest.Long(t)
	const want = "SERVER_ERROR k is changed by others all the time: given up after many tries; try again"
	w := newWorld(t)
	w.Put("k", verbtest.Names(9, "+", " "), 0, 0)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) { // always full, and always changed
		w.Put("k", verbtest.Names(200, "+", " ")+"-a ", 0, 0)
		w.Fill("k")
		return verbs.Reply{}, false
	}
	w.Expect("sadd k abcdef", want)
	w.Expect("srem k m1", want)
	w.Expect("sadd k "+verbtest.Names(20_000, "", " "), want)

	n := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) { // always another segment
		if string(op.Key) == "k" {
			n++
			w.Put("k", fmt.Sprintf("@%016d:1:4 ", n), 0, 0)
		}
		return verbs.Reply{}, false
	}
	w.Expect("scard k", want)
	w.Expect("smembers k", want)
	w.Expect("sadd k "+verbtest.Names(20_000, "", " "), want)

	w.Old = true
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) { // exists for an add, missing for an append
		if w.Evict("k"); op.Kind == verbs.Add {
			w.Put("k", "+a ", 0, 0)
		}
		return verbs.Reply{}, false
	}
	w.Expect("sadd k a", want)
}
