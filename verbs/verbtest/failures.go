package verbtest

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// FailEach has every operation of a call on a verb of a list fail, each in a run of its own,
// and sees that the client is told why; one that fails behind the answer is no matter. What
// is there before the call, before makes.
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

// fail makes a call of which one operation fails. It returns the answer, the line that the
// operation fails with, and whether what that does is needless.
func (w *World) fail(request string, failing int) (answer, line string, needless bool) {
	line = fmt.Sprintf("SERVER_ERROR 10.0.0.%d:11211 went away", failing)
	n := -1
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if n++; n == failing && op.Kind == verbs.Probe {
			needless = len(w.Client.ops) > 1 // behind the last item that there is
		} else if n == failing && op.Kind == verbs.Delete {
			needless = true // nothing points to it any more
		}
		return verbs.Reply{Err: line}, n == failing
	}
	return w.Send(request), line + "\r\n", needless
}

// ReplySenselessly makes calls on verbs of a list, to all of whose operations the upstream
// says the same: it may be something else than memcached, and say what memcached would not.
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
