package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// newViewWorld returns a world whose proxy keeps views of k from the first read on.
func newViewWorld(t *testing.T) *world {
	w := newWorld(t)
	w.views = eagerViews("k")
	return w
}

// An unchanged set is not read again, one to which tokens were appended by one fetch of
// the head, and one whose head was settled by that and the new segment.
func TestViewSavesReading(t *testing.T) {
	w := newViewWorld(t)
	all := len(strings.Fields(w.large()))
	segments := len(w.partKeys("k"))
	w.expect("scard k", fmt.Sprint(all))
	w.cost(1 + segments)
	for _, request := range []string{"scard k", "sismember k m1", "srandmember k", "smembers k"} {
		w.send(request)
		w.cost(1)
	}
	other := newWorld(t) // through another proxy
	other.model = w.model
	other.expect("sadd k new", "STORED")
	w.expect("scard k", fmt.Sprint(all+1))
	w.cost(2)
	w.expect("scard k", fmt.Sprint(all+1))
	w.cost(1)
	other.expect("scompact k", "OK")
	w.expect("scard k", fmt.Sprint(all+1))
	w.cost(2 + len(w.partKeys("k")))
	w.expect("scard k", fmt.Sprint(all+1))
	w.cost(1)
	w.evict("k")
	w.expect("scard k", "NOT_FOUND")
	if w.views.Counts().Structures != 0 {
		t.Error("a view of nothing is kept")
	}
}

// A CAS of 0 says nothing, so what was read then can't be kept.
func TestNoViewWithoutCAS(t *testing.T) {
	w := newViewWorld(t)
	w.instead = func(op Op) (Reply, bool) {
		r := w.do(t, op)
		r.CAS = 0
		return r, true
	}
	w.put("k", "+a +b ", 0, 0)
	w.expect("smembers k", "VALUE k 0 3", "a b", "END")
	w.put("k", "+a +c ", 0, 0)
	w.expect("smembers k", "VALUE k 0 3", "a c", "END")
}

// Other changes than appending are noticed, whatever their size.
func TestViewOfChangedHead(t *testing.T) {
	for _, after := range []string{"+a +c ", "+a +b +c ", "+x +b +c ", "-a +b +b ", "", "+a +b", "hello", "+a +b @0123456789abcdeA:1:3 "} {
		w, fresh := newViewWorld(t), newWorld(t)
		for _, w := range []*world{w, fresh} {
			w.put("k", "+a +b ", 0, 0)
			w.send("smembers k")
			w.put("k", after, 0, 0)
		}
		want := strings.Split(strings.TrimSuffix(fresh.send("smembers k"), "\r\n"), "\r\n")
		w.expect("smembers k", want...)
	}
}

// memcached evicts first what was not read for longest. So the segments of a set that is
// answered from a view are read now and then, and if one is gone, so is the set.
func TestSegmentsOfViewsAreProbed(t *testing.T) {
	for _, request := range []string{"scard k", "smembers k", "spop k"} {
		w := newViewWorld(t)
		w.large()
		w.send("scard k")
		probed := func() (n int) {
			w.instead = func(op Op) (Reply, bool) {
				if string(op.Key) != "k" && (op.Kind == Probe || op.Kind == Fetch) {
					n++
				}
				return Reply{}, false
			}
			w.send(request)
			return n
		}
		if n := probed(); n != 0 {
			t.Errorf("%s: %d parts are read at once again", request, n)
		}
		w.now += partsLast
		if n := probed(); n != len(w.partKeys("k")) {
			t.Errorf("%s: %d parts are read after a minute, of %d", request, n, len(w.partKeys("k")))
		}
		if n := probed(); n != 0 {
			t.Errorf("%s: %d parts are read just after that", request, n)
		}
		w.now += partsLast
		w.evict(w.partKeys("k")[0])
		probed()
		w.expect("scard k", "NOT_FOUND")
		if len(w.lost) != 1 || w.lost[0] != "k" {
			t.Errorf("%s: lost: %q", request, w.lost)
		}
	}
}

// Views take no more memory than they may, and what was not used for longest goes first.
func TestViewsAreBounded(t *testing.T) {
	w := newWorld(t)
	var told int64
	room := NewViewRoom(1<<20, 1, func(used int64) { told = used })
	w.views = NewViews(room)
	for n := range 100 {
		key := fmt.Sprintf("k%d", n)
		w.put(key, names(1+n*50, "+", " "), 0, 0)
		for range 3 {
			w.send("scard " + key)
			w.send("scard k99")
		}
		if used := room.used.Load(); used > 1<<20 || used != w.views.Counts().Bytes {
			t.Fatalf("%d bytes are used, %d are counted", used, w.views.Counts().Bytes)
		}
	}
	if told == 0 {
		t.Error("nobody was told of what is used")
	}
	w.send("scard k99")
	w.cost(1)
	if w.views.byKey["k50"] != nil {
		t.Error("what was not used for longest is still there")
	}
	large := NewViews(NewViewRoom(10_000, 1, func(int64) {}))
	w.views = large
	for range 3 {
		w.send("scard k99")
	}
	if large.Counts().Structures != 0 {
		t.Error("a view of more than half the room is kept")
	}
}

// A loop with less than its share gets room from one with more.
func TestViewsShareRoom(t *testing.T) {
	room := NewViewRoom(1<<20, 2, func(int64) {})
	greedy, late := newWorld(t), newWorld(t)
	greedy.views, late.views = NewViews(room), NewViews(room)
	read := func(w *world, n int) {
		key := fmt.Sprintf("k%d", n)
		w.put(key, names(2000, "+", " ")+" ", 0, 0)
		w.send("scard " + key)
		w.send("scard " + key)
	}
	for n := range 60 {
		read(greedy, n)
	}
	for n := range 60 {
		read(late, n)
		greedy.send(fmt.Sprintf("scard k%d", 59-n%20))
	}
	if used := late.views.Counts().Bytes; used < 1<<18 {
		t.Errorf("the second loop has only %d bytes", used)
	}
}
