package sets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// newViewWorld returns a world whose proxy keeps a view of k at the first read.
func newViewWorld(t *testing.T) *verbtest.World {
	w := newWorld(t)
	w.Kept = views.Eager([]byte("k"))
	return w
}

// An unchanged set is not read again. After appends only the head is fetched, after
// settling the head and the new segment.
func TestViewSavesReading(t *testing.T) {
	w := newViewWorld(t)
	all := len(strings.Fields(large(w)))
	segments := len(partKeys(w, "k"))
	w.Expect("scard k", fmt.Sprint(all))
	w.Cost(1 + segments)
	for _, request := range requests(t, readOnly) {
		w.Send(request)
		w.Cost(1 + strings.Count(request, " l")) // of which there is no view
	}
	other := newWorld(t) // through another proxy
	other.Model = w.Model
	other.Expect("sadd k new", "STORED")
	w.Expect("scard k", fmt.Sprint(all+1))
	w.Cost(2)
	w.Expect("scard k", fmt.Sprint(all+1))
	w.Cost(1)
	other.Expect("scompact k", "OK")
	w.Expect("scard k", fmt.Sprint(all+1))
	w.Cost(2 + len(partKeys(w, "k")))
	w.Expect("scard k", fmt.Sprint(all+1))
	w.Cost(1)
	w.Evict("k")
	w.Expect("scard k", "NOT_FOUND")
	if w.Kept.Counts().Structures != 0 {
		t.Error("a view of nothing is kept")
	}
}

// The parts of a set are not read again whenever the clock is put forward or back.
func TestClockJumps(t *testing.T) {
	w := newViewWorld(t)
	w.Settings.StructureItemSize = 40
	w.Expect("sadd k a b c d e f g h i j k l m n o p q r s t u v", "STORED")
	w.Expect("scard k", "22")
	for _, w.Ahead = range []int64{0, 3_600_000, -3_600_000, 0} {
		w.Expect("scard k", "22")
		w.Cost(1)
	}
}

// The view that a leader decides on for several calls is ahead of memcached, and stays so if the append fails. A call
// that had it probed before must not answer from it.
func TestViewAheadIsNotShown(t *testing.T) {
	for _, request := range []string{"smembers k", "sunion k l", "sismember k a b c d", "scard k"} {
		w := newViewWorld(t)
		w.Expect("sadd k a b c d", "STORED")
		w.Expect("scard k", "4")
		caller := func() *verbtest.Caller { return verbtest.NewCaller(t, w, theVerbs) }
		reader, first, leader, led := caller(), caller(), caller(), caller()
		carryOut := func(op verbs.Op) verbs.Reply { return w.Do(t, op) }
		first.Start("spop k")
		leader.Start("spop k") // which leads after the first
		led.Start("spop k")
		first.CarryOut(0, carryOut)
		want := w.Send(request)
		reader.Start(request)
		reader.CarryOut(0, func(op verbs.Op) verbs.Reply {
			r := w.Do(t, op)
			leader.CarryOut(0, carryOut)
			return r
		})
		if !leader.Busy() || w.Kept.Fold("k") != nil {
			t.Fatalf("%s: no call leads, with a view of its own", request)
		}
		leader.CarryOut(0, func(verbs.Op) verbs.Reply { return verbs.Reply{Status: verbs.Failed} })
		for reader.Busy() {
			reader.CarryOut(0, carryOut)
		}
		if reader.Answer != want {
			t.Errorf("%s: %q after a decision that failed, %q before", request, reader.Answer, want)
		}
	}
}

// Calls that lose race after race for a long set don't fold it anew each time, which takes so long that others would always
// have changed it meanwhile: one that decides alone never, and several together only once.
func TestLostRacesKeepTheView(t *testing.T) {
	for _, calls := range []int{1, 3} {
		w := newViewWorld(t)
		w.Put("k", verbtest.Names(verbs.SliceTokens+1, "+", " "), 0, 0)
		w.Expect("scard k", fmt.Sprint(verbs.SliceTokens+1))
		lost, anew := 0, 0
		carryOut := func(op verbs.Op) verbs.Reply {
			if op.Kind == verbs.AppendIf && lost < 10 {
				lost++
				w.Do(t, verbs.Op{Kind: verbs.Append, Key: op.Key, Data: fmt.Appendf(nil, "+n%d ", lost)})
			}
			if op.Kind == verbs.Fetch && w.Kept.Fold("k") == nil {
				anew++
			}
			return w.Do(t, op)
		}
		first := verbtest.NewCaller(t, w, theVerbs)
		first.Start("spop k")
		all := []*verbtest.Caller{}
		for range calls {
			c := verbtest.NewCaller(t, w, theVerbs)
			c.Start("spop k")
			all = append(all, c)
		}
		first.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		for again := true; again; {
			again = false
			for _, c := range all {
				if c.Busy() && !c.Waits() {
					c.CarryOut(0, carryOut)
					again = true
				}
			}
		}
		w.Expect("scard k", fmt.Sprint(verbs.SliceTokens+1-1-calls+lost))
		if lost < 10 || anew > min(calls-1, 1) {
			t.Errorf("%d calls: after %d lost races, the set was folded anew %d times", calls, lost, anew)
		}
	}
}

// A CAS of 0 means none, so no view can be kept.
func TestNoViewWithoutCAS(t *testing.T) {
	w := newViewWorld(t)
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	w.Put("k", "+a +b ", 0, 0)
	w.Expect("smembers k", "VALUE k 0 3", "a b", "END")
	w.Put("k", "+a +c ", 0, 0)
	w.Expect("smembers k", "VALUE k 0 3", "a c", "END")
}

// Changes other than appends are noticed, even if the size stays the same.
func TestViewOfChangedHead(t *testing.T) {
	for _, after := range []string{"+a +c ", "+a +b +c ", "+x +b +c ", "-a +b +b ", "", "+a +b", "hello", "+a +b @0123456789abcdeA:1:3 "} {
		w, fresh := newViewWorld(t), newWorld(t)
		for _, w := range []*verbtest.World{w, fresh} {
			w.Put("k", "+a +b ", 0, 0)
			w.Send("smembers k")
			w.Put("k", after, 0, 0)
		}
		want := strings.Split(strings.TrimSuffix(fresh.Send("smembers k"), "\r\n"), "\r\n")
		w.Expect("smembers k", want...)
	}
}

// So is a restart of memcached, after which an item of the same size can have the same CAS.
func TestViewEndsWithARestart(t *testing.T) {
	for request, want := range map[string]string{"smembers k": "VALUE k 0 3\r\na c\r\nEND\r\n", "sismember k b c": "0 1\r\n", "scard k": "2\r\n"} {
		w := newViewWorld(t)
		w.Expect("sadd k a b", "STORED")
		probe := func() verbs.Reply { return w.Do(t, verbs.Op{Kind: verbs.Probe, Key: []byte("k")}) }
		before := probe()
		w.Expect("scard k", "2")
		w.Restart()
		w.Put("k", "+a +c ", 0, 0)
		if after := probe(); after.CAS != before.CAS || after.Size != before.Size {
			t.Fatalf("%+v is now %+v", before, after)
		}
		if got := w.Send(request); got != want {
			t.Errorf("%s: %q, expected %q", request, got, want)
		}
	}
}

// And so is one behind another proxy, which shows no restart: there the whole head is compared.
func TestViewEndsWithARestartBehindAProxy(t *testing.T) {
	for request, want := range map[string]string{
		"smembers k": "VALUE k 0 3\r\na c\r\nEND\r\n", "sismember k b c": "0 1\r\n", "scard k": "2\r\n", "sunion k l": "VALUE k 0 3\r\na c\r\nEND\r\n",
		"sinter k k": "VALUE k 0 3\r\na c\r\nEND\r\n", "srandmember k 1": "VALUE k 0 1\r\nc\r\nEND\r\n", "spop k 1": "VALUE k 0 1\r\nc\r\nEND\r\n", "scompact k": "OK\r\n",
	} {
		w := newViewWorld(t)
		w.Behind = true
		w.Expect("sadd k a b", "STORED")
		w.Expect("scard k", "2")
		w.Expect("sismember k b", "1")
		if w.Kept.Fold("k") == nil {
			t.Error("no view is kept")
		}
		w.Restart()
		w.Put("k", "+a +c ", 0, 0)
		if strings.Contains(want, " 1\r\nc") { // one at random
			w.Restart()
			w.Put("k", "+c -a ", 0, 0)
		}
		if got := w.Send(request); got != want {
			t.Errorf("%s: %q, expected %q", request, got, want)
		}
	}
}

// What was compared need not be read or folded again.
func TestViewBehindAProxySavesReading(t *testing.T) {
	w := newViewWorld(t)
	w.Behind = true
	all := len(strings.Fields(large(w)))
	w.Expect("scard k", fmt.Sprint(all))
	fold := w.Kept.Fold("k")
	for _, request := range requests(t, readOnly) {
		w.Send(request)
		w.Cost(1 + strings.Count(request, " l"))
	}
	w.Expect("sadd k new", "STORED")
	w.Expect("scard k", fmt.Sprint(all+1))
	w.Cost(1)
	if w.Kept.Fold("k") != fold {
		t.Error("it was folded again")
	}
	w.Send("spop k")
	w.Expect("scard k", fmt.Sprint(all))
	w.Cost(1)
	if counts := w.Kept.Counts(); counts.Hits == 0 || w.Kept.Fold("k") != fold {
		t.Errorf("after a decision it was folded again: %+v", counts)
	}
}

// memcached evicts the least recently used items first. So the segments of a set that is
// answered from a view are probed now and then, and if one is missing, the set is lost.
func TestSegmentsOfViewsAreProbed(t *testing.T) {
	for _, request := range requests(t, reading) {
		if request == "scompact k" { // which reads the segments
			continue
		}
		w := newViewWorld(t)
		large(w)
		w.Settings.StructureItemSize = 10_000 // so that nothing is settled
		w.Send("scard k")
		probed := func() (n int) {
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if strings.HasPrefix(string(op.Key), "k:") && (op.Kind == verbs.Probe || op.Kind == verbs.Fetch) {
					n++
				}
				return verbs.Reply{}, false
			}
			w.Send(request)
			return n
		}
		if n := probed(); n != 0 {
			t.Errorf("%s: %d parts are read at once again", request, n)
		}
		w.Clock += 60_000 // ms, the minute that is documented
		if n := probed(); n != len(partKeys(w, "k")) {
			t.Errorf("%s: %d parts are read after a minute, of %d", request, n, len(partKeys(w, "k")))
		}
		if n := probed(); n != 0 {
			t.Errorf("%s: %d parts are read just after that", request, n)
		}
		w.Clock += 60_000 // ms, the minute that is documented
		w.Evict(partKeys(w, "k")[0])
		probed()
		lost := "NOT_FOUND"
		if strings.HasPrefix(request, "saddnew") { // it makes a new one
			lost = "2"
		}
		w.Expect("scard k", lost)
		if len(w.Lost) != 1 || w.Lost[0] != "k" {
			t.Errorf("%s: lost: %q", request, w.Lost)
		}
	}
}

// Views stay within their memory limit, and the least recently used are dropped first.
func TestViewsAreBounded(t *testing.T) {
	w := newWorld(t)
	var told int64
	quota := views.NewQuota(1<<20, func(used int64) { told = used })
	w.Kept = views.New(quota)
	for n := range 100 {
		key := fmt.Sprintf("k%d", n)
		w.Put(key, verbtest.Names(1+n*50, "+", " "), 0, 0)
		for range 3 {
			w.Send("scard " + key)
			w.Send("scard k99")
		}
		if used := quota.Used(); used > 1<<20 || used != w.Kept.Counts().Bytes {
			t.Fatalf("%d bytes are used, %d are counted", used, w.Kept.Counts().Bytes)
		}
	}
	if told == 0 {
		t.Error("nobody was told of what is used")
	}
	w.Send("scard k99")
	w.Cost(1)
	if w.Kept.Keeps("k50") {
		t.Error("what was not used for longest is still there")
	}
	large := views.New(views.NewQuota(10_000, func(int64) {}))
	w.Kept = large
	for range 3 {
		w.Send("scard k99")
	}
	if large.Counts().Structures != 0 {
		t.Error("a view of more than half the quota is kept")
	}
	if n := large.Counts().TooLarge; n != 2 || len(w.Uncached) != 2 || w.Uncached[0] != "k99" { // the first read makes no view
		t.Errorf("%d views were too large, reported of %q", n, w.Uncached)
	}
}

// A loop below its share gets quota from one above it.
func TestViewsShareRoom(t *testing.T) {
	quota := views.NewQuota(1<<20, func(int64) {})
	greedy, late := newWorld(t), newWorld(t)
	greedy.Kept, late.Kept = views.New(quota), views.New(quota)
	read := func(w *verbtest.World, n int) {
		key := fmt.Sprintf("k%d", n)
		w.Put(key, verbtest.Names(2000, "+", " ")+" ", 0, 0)
		w.Send("scard " + key)
		w.Send("scard " + key)
	}
	for n := range 60 {
		read(greedy, n)
	}
	for n := range 60 {
		read(late, n)
		greedy.Send(fmt.Sprintf("scard k%d", 59-n%20))
	}
	if used := late.Kept.Counts().Bytes; used < 1<<18 {
		t.Errorf("the second loop has only %d bytes", used)
	}
}

// A read may make views of some sets while replies of others are valid only until the
// call pauses.
func TestViewsOfManySetsAtOnce(t *testing.T) {
	w := newViewWorld(t)
	w.Client.Routine.Inside().Pace.Slice = 1200
	var keys, want []string
	for n := range 5 * setsAtOnce {
		key, members := fmt.Sprintf("k%d", n), strings.TrimSpace(verbtest.Names(20, fmt.Sprintf("s%d", n), " "))
		w.Put(key, "+"+strings.ReplaceAll(members, " ", " +")+" ", 0, 0)
		keys = append(keys, key)
		want = append(want, fmt.Sprintf("VALUE %s 0 %d", key, len(members)), members)
	}
	for range 4 {
		w.Expect("smembers "+strings.Join(keys, " "), append(want, "END")...)
	}
	if n := w.Kept.Counts().Structures; n < setsAtOnce {
		t.Errorf("views of %d sets are kept", n)
	}
}
