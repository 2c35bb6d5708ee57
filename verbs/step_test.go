package verbs_test

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A change that is a single append needs no coroutine. One that needs more continues on
// the coroutine, and does not append twice.
func TestChangesWithoutCoroutine(t *testing.T) {
	for _, test := range []struct {
		request, before, after, answer string
		coroutine                      bool
		operations                     int
	}{
		{"sadd k a b", "", "+a +b ", "STORED", false, 1},
		{"sadd k a", "+b ", "+b +a ", "STORED", false, 1},
		{"srem k a", "+b ", "+b -a ", "STORED", false, 1},
		{"srem k a", "", "", "NOT_FOUND", true, 3},
		{"smembers k", "+b ", "+b ", "VALUE k 0 1\r\nb\r\nEND", true, 1},
	} {
		w := newWorld(t)
		if test.before != "" {
			w.Put("k", test.before, 0, 0)
		}
		w.Chance = func() uint64 { return 1<<64 - 1 } // nothing is done by chance
		if got := w.Send(test.request); got != test.answer+"\r\n" {
			t.Errorf("%s: answered %q", test.request, got)
		}
		if test.after != "" {
			w.Holds("k", test.after)
		}
		w.Cost(test.operations)
		if used := w.Client.Routine.OnCoroutine(); used != test.coroutine {
			t.Errorf("%s: coroutine used: %v", test.request, used)
		}
	}
}

// The upstream's version may change while the append is in flight.
func TestUpstreamChangesDuringAnAppend(t *testing.T) {
	for _, test := range []struct {
		request string
		reply   verbs.Reply
		answer  string
		holds   string
	}{
		{"sadd k a", verbs.Reply{Status: verbs.Stored, Size: 10, Grown: 3}, "STORED\r\n", "+b "},
		{"sadd k a", verbs.Reply{Status: verbs.NotStored}, "STORED\r\n", "+b +a "},
		{"srem k b", verbs.Reply{Status: verbs.NotStored}, "STORED\r\n", "+b -b "},
		{"sadd k a", verbs.Reply{Err: "SERVER_ERROR gone"}, "SERVER_ERROR gone\r\n", "+b "},
	} {
		w := newWorld(t)
		w.Put("k", "+b ", 0, 0)
		w.Chance = func() uint64 { return 0 } // everything is done that depends on chance
		c := w.Client
		c.Start(test.request)
		w.Old = true
		c.CarryOut(0, func(verbs.Op) verbs.Reply { return test.reply })
		for c.Busy() {
			c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
		}
		if c.Answer != test.answer {
			t.Errorf("%s, %v: answered %q", test.request, test.reply, c.Answer)
		}
		w.Holds("k", test.holds)
	}
}

// A verb that is closed before its append is answered does no more.
func TestCloseDuringAnAppend(t *testing.T) {
	w := newWorld(t)
	r := verbs.NewRoutine(w)
	req, _ := verbtest.Parse(t, theVerbs, "sadd k a")
	if ops := r.Start(theVerbs.Of(req), req); len(ops) != 1 || req.Verb.Name != "sadd" {
		t.Fatalf("asks for %d operations", len(ops))
	}
	r.Close()
}

// What is read from a view, or decided on one, needs no coroutine either, as long as the view
// holds.
func TestViewsWithoutCoroutine(t *testing.T) {
	for _, test := range []struct{ log, request, answer, after string }{
		{"+a +b ", "scard k", "2", "+a +b "},
		{"+a +b ", "sismember k b c", "1 0", "+a +b "},
		{"+a ", "spop k", "VALUE k 0 1\r\na\r\nEND", "+a -a "},
		{"l>a l>b ", "llen k", "2", "l>a l>b "},
		{"l>a l>b ", "lpop k", "VALUE k 0 1\r\na\r\nEND", "l>a l>b l(a "},
		{"l>a l>b ", "rpop k", "VALUE k 0 1\r\nb\r\nEND", "l>a l>b l)b "},
		{"z=1:a ", "zget k a b", "1 null", "z=1:a "},
		{"z=1:a ", "zcard k", "1", "z=1:a "},
		{"z=1:a z=2:b ", "zrevrange k 0 1 withscores", "VALUE k 0 3\r\nb 2\r\nEND", "z=1:a z=2:b "},
		{"z=1:a ", "zincrby k 2 a", "3", "z=1:a z+2:a "},
	} {
		w := newWorld(t)
		w.Chance = func() uint64 { return 1<<64 - 1 } // nothing is done by chance
		w.Kept = views.Eager([]byte("k"))
		w.Put("k", test.log, 0, 0)
		reading := strings.NewReplacer("spop k", "scard k", "lpop k", "llen k", "rpop k", "llen k", "zincrby k 2 a", "zcard k").Replace(test.request)
		w.Send(reading) // makes the view
		w.Client = verbtest.NewCaller(t, w, theVerbs)
		if got := w.Send(test.request); got != test.answer+"\r\n" {
			t.Errorf("%s: answered %q", test.request, got)
		}
		w.Cost(1)
		w.Holds("k", test.after)
		if w.Client.Routine.OnCoroutine() {
			t.Errorf("%s: coroutine used", test.request)
		}
		w.Put("k", "hello", 0, 0)
		if got := w.Send(test.request); !strings.HasPrefix(got, "CLIENT_ERROR k does not hold a ") {
			t.Errorf("%s of something else: answered %q", test.request, got)
		}
	}
}

// finish carries out the calls in turn until all have ended.
func finish(t *testing.T, w *verbtest.World, callers ...*verbtest.Caller) {
	for busy := true; busy; {
		busy = false
		for _, c := range callers {
			busy = busy || c.Busy()
			if c.Busy() && !c.Waits() {
				c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
			}
		}
	}
}

// A decision that is made without a coroutine and loses its race is made anew, before those of
// the calls that have come meanwhile.
func TestDecisionAtOnceLosesItsRace(t *testing.T) {
	w := newWorld(t)
	w.Kept = views.Eager([]byte("k"))
	w.Put("k", "l>a l>b l>c ", 0, 0)
	w.Expect("llen k", "3")
	first, second := verbtest.NewCaller(t, w, theVerbs), verbtest.NewCaller(t, w, theVerbs)
	first.Start("lpop k")
	second.Start("lpop k")
	w.Put("k", "l>x l>a l>b l>c ", 0, 0)
	finish(t, w, first, second)
	if first.Answer != "VALUE k 0 1\r\nx\r\nEND\r\n" || second.Answer != "VALUE k 0 1\r\na\r\nEND\r\n" {
		t.Errorf("answered %q and %q", first.Answer, second.Answer)
	}
}

// A call that is closed while its decision is on its way lets others decide.
func TestCloseDuringADecision(t *testing.T) {
	w := newWorld(t)
	w.Kept = views.Eager([]byte("k"))
	w.Put("k", "l>a l>b ", 0, 0)
	w.Expect("llen k", "2")
	closed := verbtest.NewCaller(t, w, theVerbs)
	closed.Start("lpop k")
	w.Client.Start("lpop k")
	if !w.Client.Waits() {
		t.Fatal("two calls decide at the same time")
	}
	closed.Routine.Close()
	if w.Client.Waits() {
		t.Fatal("the other call still waits")
	}
	for w.Client.Busy() {
		w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
	}
	if w.Client.Answer != "VALUE k 0 1\r\na\r\nEND\r\n" {
		t.Errorf("answered %q", w.Client.Answer)
	}
}

// A defect in what runs without a coroutine does not affect others.
func TestPanicWithoutCoroutine(t *testing.T) {
	boom := func() { panic("boom") }
	then := func(*verbs.Call, []verbs.Reply) (next verbs.Step) { boom(); return next }
	for name, v := range map[string]*verbs.Verb{
		"Run":  {Run: func(*verbs.Call) (next verbs.Step) { boom(); return next }},
		"Then": {Run: func(c *verbs.Call) verbs.Step { return c.Asks(then, verbs.Op{Kind: verbs.Probe, Key: c.Key}) }},
	} {
		w := newWorld(t)
		req, _ := verbtest.Parse(t, theVerbs, "scard k")
		r := verbs.NewRoutine(w)
		for ops := r.Start(v, req); len(ops) > 0; ops = r.Resume() {
			r.Replies[0] = w.Do(t, ops[0])
		}
		if answer, ok := r.Answer(); !ok || string(answer) != "SERVER_ERROR internal error\r\n" || !strings.Contains(r.Account().Panic, "boom") {
			t.Errorf("%s: answered %q, panic %.20q", name, answer, r.Account().Panic)
		}
		r.Close()
	}
}

// A view that has caught up with a decision before its reply arrives does not get it twice.
func TestViewCatchesUpBeforeTheReply(t *testing.T) {
	w := newWorld(t)
	w.Kept = views.Eager([]byte("k"))
	w.Put("k", "l>a l>a l>b ", 0, 0)
	w.Expect("llen k", "3")
	c := verbtest.NewCaller(t, w, theVerbs)
	c.Start("lpop k")
	c.CarryOut(0, func(op verbs.Op) verbs.Reply {
		r := w.Do(t, op)
		w.Expect("llen k", "2")
		return r
	})
	w.Expect("llen k", "2")
	w.Expect("lrange k", "VALUE k 0 3", "a b", "END")
}

// Calls on structures of different kinds may decide under one key at the same time.
func TestDecisionsOfDifferentKinds(t *testing.T) {
	w := newWorld(t)
	w.Put("k", "l>a l>b l>c ", 0, 0)
	var callers []*verbtest.Caller
	requests := []string{"lpop k", "spop k", "lpop k", "zincrby k 1 a", "rpop k"}
	for _, request := range requests {
		callers = append(callers, verbtest.NewCaller(t, w, theVerbs))
		callers[len(callers)-1].Start(request)
	}
	finish(t, w, callers...)
	for i, want := range []string{"VALUE k 0 1\r\na\r\nEND\r\n", "CLIENT_ERROR k does not hold a set\r\n", "VALUE k 0 1\r\nb\r\nEND\r\n",
		"CLIENT_ERROR k does not hold a ranking\r\n", "VALUE k 0 1\r\nc\r\nEND\r\n"} {
		if callers[i].Answer != want {
			t.Errorf("%s: answered %q", requests[i], callers[i].Answer)
		}
	}
}
