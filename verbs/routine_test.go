package verbs

import (
	"strings"
	"testing"
)

func TestHelp(t *testing.T) {
	w := newWorld(t)
	got := lines(w.send("help"))
	if len(got) != 15 || got[14] != "END" {
		t.Errorf("%q", got)
	}
	for i, v := range All {
		if got[i] != strings.TrimSpace(v.Name+" "+v.Usage) {
			t.Errorf("%s is told as %q", v.Name, got[i])
		}
	}
	w.cost(0)
}

func TestAnswerIsTakenOnce(t *testing.T) {
	w := newWorld(t)
	w.options.CompactDirtiness = 0
	w.put("k", "+a -a ", 0, 0)
	r := NewRoutine(w)
	defer r.Close()
	req, spoil := parse(t, "scard k")
	ops := r.Start(req)
	spoil()
	if answer, ok := r.Answer(); ok || len(ops) != 1 {
		t.Fatalf("answered %q, asks for %d operations", answer, len(ops))
	}
	r.Replies[0] = w.do(t, ops[0])
	ops = r.Resume()
	answer, ok := r.Answer()
	if !ok || string(answer) != "0\r\n" || len(ops) != 1 {
		t.Fatalf("answered %q, %v, asks for %d operations", answer, ok, len(ops))
	}
	if again, ok := r.Answer(); ok {
		t.Errorf("answered %q again", again)
	}
	r.Replies[0] = w.do(t, ops[0])
	if ops := r.Resume(); len(ops) != 0 || string(answer) != "0\r\n" {
		t.Errorf("asks for %d operations; the answer is %q now", len(ops), answer)
	}
	if again, ok := r.Answer(); ok {
		t.Errorf("answered %q again", again)
	}
}

// A verb that panics costs its call, and the routine can go on.
func TestPanicIsAnswered(t *testing.T) {
	defer func(before Verb) { help = before }(help)
	w := newWorld(t)
	r := NewRoutine(w)
	defer r.Close()
	for _, answered := range []bool{false, true} {
		help.run = func(c *Call) {
			if answered {
				c.say("STORED")
			}
			c.ask(Op{Kind: Probe, Key: []byte("k")})
			panic("a defect")
		}
		req, _ := parse(t, "help")
		r.Start(req)
		before, _ := r.Answer()
		ops := r.Resume()
		after, ok := r.Answer()
		want := "SERVER_ERROR internal error\r\n"
		if answered {
			want = "STORED\r\n"
		}
		if got := string(before) + string(after); got != want || ok == answered || len(ops) > 0 {
			t.Errorf("answered %q, expected %q", got, want)
		}
		if account := r.Account(); !strings.HasPrefix(account.Panic, "a defect\n") || !strings.Contains(account.Panic, "routine_test.go") {
			t.Errorf("%+v", account)
		}
	}
	req, _ := parse(t, "scard k")
	r.Replies[0] = w.do(t, r.Start(req)[0])
	r.Resume()
	if answer, _ := r.Answer(); string(answer) != "NOT_FOUND\r\n" || r.Account().Panic != "" {
		t.Errorf("answered %q, %+v", answer, r.Account())
	}
}

func TestClose(t *testing.T) {
	w := newWorld(t)
	NewRoutine(w).Close() // before any call
	for _, request := range []string{"sadd k a", "smembers k l", "logput l 0 0 1\r\nx", "logfetch l"} {
		r := NewRoutine(w)
		req, _ := parse(t, request)
		if ops := r.Start(req); len(ops) == 0 {
			t.Fatalf("%q: asks for nothing", request)
		}
		r.Close() // in the middle
		if answer, ok := r.Answer(); ok || r.Account().Panic != "" {
			t.Errorf("%q: answered %q, %+v", request, answer, r.Account())
		}
		r.Close()
	}
}

// What one large call needed is not kept for the next.
func TestRoutineForgetsLargeCalls(t *testing.T) {
	w := newWorld(t)
	w.direct = true
	w.limit = 8 << 20
	w.now += settling
	w.putLog("l", 0, strings.Repeat("x", 2<<20), "STORED")
	w.send("logfetch l")
	w.send("sadd k " + names(200_000, "", " "))
	w.send("smembers k")
	w.send("scard l")
	w.send("scard l")
	c := &w.client.routine.call
	if kept := cap(c.args) + cap(c.answer) + cap(c.buf); kept > 3*keptScratch {
		t.Errorf("%d bytes kept", kept)
	}
}

func TestAppendCreatesMayChange(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		w.old = i%2 == 0
		w.expect("sadd k a", "STORED")
		w.putLog("l", 0, "x", "STORED")
		w.evict("k")
		w.evict("l:0")
	}
}
