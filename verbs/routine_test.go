package verbs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestAnswerIsTakenOnce(t *testing.T) {
	w := newWorld(t)
	w.Settings.CompactDirtiness = 0
	w.Put("k", "+a -a ", 0, 0)
	r := verbs.NewRoutine(w)
	defer r.Close()
	req, spoil := verbtest.Parse(t, theVerbs, "scard k")
	ops := r.Start(theVerbs.Of(req), req)
	spoil()
	if answer, ok := r.Answer(); ok || len(ops) != 1 {
		t.Fatalf("answered %q, asks for %d operations", answer, len(ops))
	}
	r.Replies[0] = w.Do(t, ops[0])
	ops = r.Resume()
	answer, ok := r.Answer()
	if !ok || string(answer) != "0\r\n" || len(ops) != 1 {
		t.Fatalf("answered %q, %v, asks for %d operations", answer, ok, len(ops))
	}
	if again, ok := r.Answer(); ok {
		t.Errorf("answered %q again", again)
	}
	r.Replies[0] = w.Do(t, ops[0])
	if ops := r.Resume(); len(ops) != 0 || string(answer) != "0\r\n" {
		t.Errorf("asks for %d operations; the answer is %q now", len(ops), answer)
	}
	if again, ok := r.Answer(); ok {
		t.Errorf("answered %q again", again)
	}
}

// A verb that panics fails only its call, and the routine stays usable.
func TestPanicIsAnswered(t *testing.T) {
	w := newWorld(t)
	r := verbs.NewRoutine(w)
	defer r.Close()
	for _, answered := range []bool{false, true} {
		defective := &verbs.Verb{Run: verbs.Coroutine(func(c *verbs.Call) {
			if answered {
				c.Say("STORED")
			}
			c.Ask(verbs.Op{Kind: verbs.Probe, Key: []byte("k")})
			panic("a defect")
		})}
		r.Start(defective, &protocol.Request{})
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
	req, _ := verbtest.Parse(t, theVerbs, "scard k")
	r.Replies[0] = w.Do(t, r.Start(theVerbs.Of(req), req)[0])
	r.Resume()
	if answer, _ := r.Answer(); string(answer) != "NOT_FOUND\r\n" || r.Account().Panic != "" {
		t.Errorf("answered %q, %+v", answer, r.Account())
	}
}

func TestClose(t *testing.T) {
	w := newWorld(t)
	verbs.NewRoutine(w).Close() // before any call
	for _, request := range []string{"sadd k a", "smembers k l", "logput l 0 0 1\r\nx", "logfetch l"} {
		r := verbs.NewRoutine(w)
		req, _ := verbtest.Parse(t, theVerbs, request)
		if ops := r.Start(theVerbs.Of(req), req); len(ops) == 0 {
			t.Fatalf("%q: asks for nothing", request)
		}
		r.Close() // during a call
		if answer, ok := r.Answer(); ok || r.Account().Panic != "" {
			t.Errorf("%q: answered %q, %+v", request, answer, r.Account())
		}
		r.Close()
	}
}

// The memory of a large call is not kept for the next.
func TestRoutineForgetsLargeCalls(t *testing.T) {
	w := newWorld(t)
	w.Direct = true
	w.Limit = 8 << 20
	w.Clock += 1000 // past the start of the chunk
	w.Expect(fmt.Sprintf("logput l 0 0 %d\r\n%s", 2<<20, strings.Repeat("x", 2<<20)), "STORED")
	w.Send("logfetch l")
	w.Send("sadd k " + verbtest.Names(200_000, "", " "))
	w.Send("smembers k")
	w.Send("scard l")
	w.Send("scard l")
	if kept := verbs.KeptByCall(w.Client.Routine); kept > 3*verbs.KeptScratch {
		t.Errorf("%d bytes kept", kept)
	}
}

func TestAppendCreatesMayChange(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		w.Old = i%2 == 0
		w.Expect("sadd k a", "STORED")
		w.Expect("logput l 0 0 1\r\nx", "STORED")
		w.Evict("k")
		w.Evict("l:0")
	}
}
