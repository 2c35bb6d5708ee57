package verbs

import "testing"

// A change that is one append needs no coroutine; one that is more goes on in
// one, and the append is done once.
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
			w.put("k", test.before, 0, 0)
		}
		w.random = func() uint64 { return 1<<64 - 1 } // nothing by chance
		if got := w.send(test.request); got != test.answer+"\r\n" {
			t.Errorf("%s: answered %q", test.request, got)
		}
		if test.after != "" {
			w.holds("k", test.after)
		}
		w.cost(test.operations)
		if used := w.client.routine.next != nil; used != test.coroutine {
			t.Errorf("%s: coroutine used: %v", test.request, used)
		}
	}
}

// The upstream may have become another while the append was under way.
func TestUpstreamChangesDuringAnAppend(t *testing.T) {
	for _, test := range []struct {
		request string
		reply   Reply
		answer  string
		holds   string
	}{
		{"sadd k a", Reply{Status: Stored, Size: 10, Grown: 3}, "STORED\r\n", "+b "},
		{"sadd k a", Reply{Status: NotStored}, "STORED\r\n", "+b +a "},
		{"srem k b", Reply{Status: NotStored}, "STORED\r\n", "+b -b "},
		{"sadd k a", Reply{Err: "SERVER_ERROR gone"}, "SERVER_ERROR gone\r\n", "+b "},
	} {
		w := newWorld(t)
		w.put("k", "+b ", 0, 0)
		w.random = func() uint64 { return 0 } // whatever may happen by chance does
		c := w.client
		c.start(test.request)
		w.old = true
		c.carryOut(0, func(Op) Reply { return test.reply })
		for c.busy() {
			c.carryOut(0, func(op Op) Reply { return w.do(t, op) })
		}
		if c.answer != test.answer {
			t.Errorf("%s, %v: answered %q", test.request, test.reply, c.answer)
		}
		w.holds("k", test.holds)
	}
}

// A verb that is closed before its append is answered leaves nothing behind.
func TestCloseDuringAnAppend(t *testing.T) {
	w := newWorld(t)
	r := NewRoutine(w)
	req, _ := parse(t, "sadd k a")
	if ops := r.Start(req); len(ops) != 1 || req.Verb != &sadd.Verb {
		t.Fatalf("asks for %d operations", len(ops))
	}
	r.Close()
}
