package verbs

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever others do between any two operations, a call comes to an end, and
// says so.
func TestNothingSpins(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		most := 0
		for seed := range uint64(1500) {
			r := rand.New(rand.NewPCG(seed, 3))
			w.direct = true
			malice := r.IntN(100)
			w.instead = func(op Op) (Reply, bool) {
				if r.IntN(100) < malice {
					w.interfere(r, op)
				}
				return Reply{}, false
			}
			for _, request := range []string{
				"sadd k a b", "srem k a", "smembers k kk", "scard k", "spop k", "scompact k", "sunion k kk", "logput l 0 0 3\r\nabc",
				"logput l 0 1700000009000 3\r\nabc", "logput l 0 1700000010000 3\r\nabc", "logfetch l 1 9223372036854775807",
			} {
				if answer := w.send(request); strings.Contains(answer, "CLIENT_ERROR") {
					t.Fatalf("seed %d: %q: answered %q", seed, request, answer)
				}
				most = max(most, w.client.done)
			}
			w.model = &model{now: w.now, old: w.old, limit: w.limit, items: map[string]*item{}, full: map[string]int{}}
		}
		t.Logf("at most %d operations in one call", most)
	})
}

// Even against somebody who does the most harmful at every step.
func TestContended(t *testing.T) {
	const want = "SERVER_ERROR k is changed by others all the time: given up after many tries; try again"
	w := newWorld(t)
	w.put("k", names(9, "+", " "), 0, 0)
	w.instead = func(op Op) (Reply, bool) { // always full, and never the same
		w.put("k", names(200, "+", " ")+"-a ", 0, 0)
		w.fill("k")
		return Reply{}, false
	}
	w.expect("sadd k abcdef", want)
	w.expect("srem k m1", want)
	w.expect("sadd k "+names(20_000, "", " "), want)

	w.instead = func(op Op) (Reply, bool) { // always another segment
		if string(op.Key) == "k" {
			s := newSegment(w, 0)
			s.parts, s.bytes = 1, 4
			w.put("k", string(s.appendPointer(nil)), 0, 0)
		}
		return Reply{}, false
	}
	w.expect("scard k", want)
	w.expect("smembers k", want)
	w.expect("sadd k "+names(20_000, "", " "), want)

	w.old = true
	w.instead = func(op Op) (Reply, bool) { // there when it is added, gone when it is appended to
		if w.evict("k"); op.Kind == Add {
			w.put("k", "+a ", 0, 0)
		}
		return Reply{}, false
	}
	w.expect("sadd k a", want)

	w.instead = func(op Op) (Reply, bool) { // gone whenever it is looked at
		if op.Kind == Fetch {
			w.evict("l:0")
		}
		return Reply{}, false
	}
	w.expect("logput l 0 0 1\r\nx", strings.Replace(want, "k is", "l:0 is", 1))
}

// interfere does what another client might with the item that op is about.
func (w *world) interfere(r *rand.Rand, op Op) {
	key := string(op.Key)
	now := w.find(key)
	switch r.IntN(5) {
	case 0:
		w.evict(key)
	case 1:
		w.fill(key)
	case 2:
		value := []string{"", "+a ", "+a -a ", "+x +y +z "}[r.IntN(4)]
		if !strings.HasPrefix(key, "k") {
			value = record(start, strings.Repeat("y", r.IntN(3)))
		}
		w.put(key, value, 0, []int64{0, 1, 90}[r.IntN(3)])
	case 3:
		if now != nil {
			w.set(key, now.value, now.flags, now.expires) // another CAS
		}
	case 4:
		if now != nil {
			now.expires = w.seconds() + 1
		}
	}
}
