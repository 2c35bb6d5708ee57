package verbtest

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// FailEach makes each operation of a call fail, one in each run, and checks that the answer
// says why. An operation after the answer may fail without consequences. before prepares the
// world for the call.
func FailEach(t *testing.T, list *verbs.List, request string, before func(w *World)) {
	OnBoth(t, list, func(t *testing.T, w *World) {
		before(w)
		usual := w.Send(request)
		if w.Client.Answered < 1 {
			t.Fatalf("%q: answered %q after no operation", request, usual)
		}
		for failing := range w.Client.Done {
			again := NewWorld(t, list)
			again.Old = w.Old
			before(again)
			got, line, needless := again.fail(request, failing)
			if failing >= w.Client.Answered {
				line = usual
			}
			if got != line && !(needless && got == usual) {
				t.Errorf("%q: operation %d failed: answered %.300q, expected %.300q", request, failing, got, line)
			}
		}
	})
}

// fail makes a call whose operation number failing fails. It returns the answer, the error
// line of the operation, and whether the call can do without that operation.
func (w *World) fail(request string, failing int) (answer, line string, needless bool) {
	line = fmt.Sprintf("SERVER_ERROR 10.0.0.%d:11211 went away", failing)
	n := -1
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if n++; n == failing && op.Kind == verbs.Probe {
			needless = len(w.Client.ops) > 1 // of an item after the last one
		} else if n == failing && op.Kind == verbs.Delete {
			needless = true // of an item that nothing points to any more
		}
		return verbs.Reply{Err: line}, n == failing
	}
	return w.Send(request), line + "\r\n", needless
}

// ReplySenselessly makes calls in which every operation has the same outcome, even one that
// memcached would not return, and checks that each call ends with an answer.
func ReplySenselessly(t *testing.T, list *verbs.List, requests []string) {
	for _, request := range requests {
		for _, status := range []verbs.Status{verbs.Failed, verbs.Stored, verbs.NotStored, verbs.Exists, verbs.Missing, verbs.Hit} {
			OnBoth(t, list, func(t *testing.T, w *World) {
				w.Instead = func(verbs.Op) (verbs.Reply, bool) { return verbs.Reply{Status: status}, true }
				if answer := w.Send(request); len(Lines(answer)[0]) == 0 {
					t.Errorf("%q: every operation has outcome %d: answered %q", request, status, answer)
				}
			})
		}
	}
}
