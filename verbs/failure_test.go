package verbs

import (
	"fmt"
	"testing"
)

// Whatever operation fails, the client is told why; and one that fails behind
// the answer is no matter.
func TestEveryFailureIsTold(t *testing.T) {
	live := names(150, "+", " ")
	for _, test := range []struct {
		request string
		before  func(w *world)
	}{
		{"sadd k a", func(*world) {}},
		{"sadd k a", func(w *world) { w.put("k", live, 0, 0); w.fill("k") }},
		{"sadd k a", func(w *world) { w.put("k", live+live, 0, 0); w.fill("k") }},
		{"srem k m1", func(*world) {}},
		{"srem k m1", func(w *world) { w.put("k", live, 0, 0); w.fill("k") }},
		{"scard k", func(w *world) { w.put("k", live+live, 0, 0) }},
		{"sismember k m1", func(w *world) { w.put("k", live+live, 0, 0) }},
		{"smembers k l k", func(w *world) { w.put("k", live+live, 0, 0) }},
		{"sunion k l k", func(w *world) { w.put("k", live+live, 0, 0) }},
		{"sinter l k", func(w *world) { w.large() }},
		{"spop k", func(w *world) { w.put("k", live+live, 0, 0) }},
		{"spop k 4", func(w *world) { w.large() }},
		{"srandmember k", func(w *world) { w.large() }},
		{"scompact k", func(w *world) { w.large() }},
		{"scard k", func(w *world) { w.large() }},
		{"sadd k " + live, func(w *world) { w.large() }},
		{"logput l 0 0 3\r\nabc", func(*world) {}},
		{"logput l 0 0 3\r\nabc", func(w *world) { w.fillChunk("l", 10) }},
		{"logput l 0 1700000010000 3\r\nabc", func(*world) {}},
		{"logput l 0 1700000010000 3\r\nabc", func(w *world) { w.putOldRound("l", 170_000_001, "old") }},
		{"logput l 0 1700000010000 3\r\nabc", func(w *world) {
			w.putOldRound("l", 170_000_001, "old")
			w.fill("l:1")
		}},
		{"logfetch l", func(w *world) { w.fillChunk("l", 10) }},
	} {
		onBoth(t, func(t *testing.T, w *world) {
			test.before(w)
			usual := w.send(test.request)
			if w.client.answered < 1 {
				t.Fatalf("%q: answered %q after no operation", test.request, usual)
			}
			for failing := range w.client.done {
				again := newWorld(t)
				again.old = w.old
				test.before(again)
				line := fmt.Sprintf("SERVER_ERROR 10.0.0.%d:11211 went away", failing)
				n, needless := -1, false
				again.instead = func(op Op) (Reply, bool) {
					if n++; n == failing && op.Kind == Probe {
						needless = len(again.client.ops) > 1 // behind the last item that there is
					} else if n == failing && op.Kind == Delete {
						needless = true // nothing points to it any more
					}
					return Reply{Err: line}, n == failing
				}
				got := again.send(test.request)
				if failing >= w.client.answered {
					line = usual[:len(usual)-2]
				}
				if got != line+"\r\n" && !(needless && got == usual) {
					t.Errorf("%q: operation %d failed: answered %.300q, expected %.300q", test.request, failing, got, line)
				}
			}
		})
	}
}

// An upstream may be something else than memcached, and say what memcached
// would not.
func TestSenselessReplies(t *testing.T) {
	for _, request := range []string{
		"sadd k a", "srem k a", "scard k", "sismember k a", "smembers k l",
		"spop k", "srandmember k 2", "scompact k", "sunion k l", "sadd k " + names(20_000, "", " "),
		"logput l 0 0 3\r\nabc", "logput l 0 1700000010000 3\r\nabc", "logfetch l",
	} {
		for _, status := range []Status{Failed, Stored, NotStored, Exists, Missing, Hit} {
			onBoth(t, func(t *testing.T, w *world) {
				w.instead = func(Op) (Reply, bool) { return Reply{Status: status}, true }
				if answer := w.send(request); len(lines(answer)[0]) == 0 {
					t.Errorf("%q: every operation has outcome %d: answered %q", request, status, answer)
				}
			})
		}
	}
}
