package verbs_test

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
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
