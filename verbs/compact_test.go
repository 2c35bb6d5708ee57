package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// names returns the words m0 to m<n-1>, each with prefix and suffix.
func names(n int, prefix, suffix string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sm%d%s", prefix, i, suffix)
	}
	return b.String()
}

func TestReadsCompact(t *testing.T) {
	for _, read := range []struct{ request, answer string }{
		{"scard k", "1"},
		{"sismember k a x", "1 0"},
		{"smembers k", "VALUE k 0 1\r\na\r\nEND"},
	} {
		onBoth(t, func(t *testing.T, w *world) {
			w.options.CompactDirtiness = 3
			w.put("k", "+a +b -b +a ", 5, 100) // three dead tokens
			w.expect(read.request, read.answer)
			w.cost(1)
			w.holds("k", "+a +b -b +a ")
			w.expect("srem k x", "STORED")

			w.now += 40_000
			w.expect(read.request, read.answer)
			w.cost(2)
			if w.client.answered != 1 {
				t.Errorf("answered after %d operations", w.client.answered)
			}
			w.holds("k", "+a ")
			if i := w.find("k"); i.flags != 5 || i.expires-w.seconds() != 60 {
				t.Errorf("flags %d, %d s left", i.flags, i.expires-w.seconds())
			}
			if account := w.client.routine.Account(); account.Tried != 1 || account.Won != 1 || account.Trips != 2 {
				t.Errorf("%+v", account)
			}
			w.expect(read.request, read.answer)
			w.cost(1)
		})
	}
}

func TestCompactionKeepsTimeToLive(t *testing.T) {
	const month = 30 * 24 * 60 * 60
	for _, seconds := range []int64{1, 2, month - 1, month, month + 1, 10 * month, 100 * month} {
		w := newWorld(t)
		w.options.CompactDirtiness = 0
		w.tick = 700
		w.put("k", "+a +b -b ", 0, w.seconds()+seconds)
		w.find("k").expires = w.seconds() + seconds
		w.expect("scard k", "1")
		w.holds("k", "+a ")
		// As a point in time it goes by the proxy's clock, which may be a second ahead.
		if left := w.find("k").expires - w.seconds(); left != seconds && (seconds <= month || left != seconds+1) {
			t.Errorf("%d s left of %d", left, seconds)
		}
	}
	w := newWorld(t)
	w.options.CompactDirtiness = 0
	w.put("k", "+a +b -b ", 0, 0)
	w.expect("scard k", "1")
	if i := w.find("k"); i.expires != never || len(i.value) != 3 {
		t.Errorf("%+v", i)
	}
}

// memcached never says that an item has 0 seconds left, but its like may; the
// item could not be given 0 seconds again.
func TestNoCompactionWithoutTimeToLive(t *testing.T) {
	w := newWorld(t)
	w.options.CompactDirtiness = 0
	w.put("k", "+a +b -b ", 0, 50)
	w.instead = func(op Op) (Reply, bool) {
		r := w.do(t, op)
		r.TTL = 0
		return r, true
	}
	w.expect("scard k", "1")
	w.cost(1)
	w.expect("smembers k", "VALUE k 0 1", "a", "END")
	w.cost(1)
}

func TestSmembersCompactsEverySet(t *testing.T) {
	w := newWorld(t)
	w.options.CompactDirtiness = 1
	w.put("k", "+a -a +a ", 0, 0)
	w.put("l", "+a ", 0, 0)
	w.put("m", "-c -d -e", 1, 0)
	w.expect("smembers k l m k n", "VALUE k 0 1", "a", "VALUE l 0 1", "a", "VALUE m 0 0", "", "VALUE k 0 1", "a", "END")
	w.holds("k", "+a ")
	w.holds("m", "")
	if account := w.client.routine.Account(); account.Tried != 3 || account.Won != 2 || account.Trips != 2 {
		t.Errorf("%+v", account)
	}
	if w.client.answered != 5 {
		t.Errorf("answered after %d operations", w.client.answered)
	}
}

func TestFullSetIsCompactedToAdd(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 1000
		w.put("k", names(90, "+", " ")+names(90, "-", " ")+"+a +b "+names(10, "-", " "), 3, 80)
		w.limit = len(w.value("k")) // what is there fits just so
		w.expect("sadd k c d", "STORED")
		w.expect("smembers k", "VALUE k 0 7", "a b c d", "END")
		if i := w.find("k"); i.flags != 3 || i.expires-w.seconds() != 80 || len(i.value) > 20 {
			t.Errorf("%+v", i)
		}
		if account := w.client.routine.Account(); account.Tried != 0 {
			t.Errorf("%+v", account)
		}
	})
}

// A set that was in the way when appending failed may be another when it is
// looked at: then it is not full.
func TestNotFullAfterAll(t *testing.T) {
	live := names(150, "+", " ")
	for _, request := range []string{"sadd k a", "srem k m1"} {
		onBoth(t, func(t *testing.T, w *world) {
			for before := range 12 { // the operation before which somebody makes room
				w.put("k", live, 0, 0)
				w.fill("k")
				n := 0
				w.instead = func(Op) (Reply, bool) {
					if n == before {
						w.evict("k")
						w.put("k", live, 0, 0)
					}
					n++
					return Reply{}, false
				}
				answer := w.send(request)
				if answer != "STORED\r\n" && n > before {
					t.Errorf("%q: room before operation %d: answered %q", request, before, answer)
				}
			}
		})
	}
}

func TestFullAndNoSet(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		value := strings.Repeat("x", 2000)
		w.put("k", value, 0, 0)
		w.limit = len(value)
		w.expect("sadd k a", "CLIENT_ERROR k does not hold a set")
		w.expect("srem k a", "CLIENT_ERROR k does not hold a set")
		w.holds("k", value)
	})
}
