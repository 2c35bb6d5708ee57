package structures

import (
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A checker is only as good as its model: here are histories that it must take, and others
// that it must not.

// trial is a history and what is to be said of it.
type trial struct {
	name      string
	expected  porcupine.CheckResult
	forgetful bool
	steps     []step
}

// step is an action, or "vanish", and its answer. Its times are in milliseconds, and it came
// back at 0 if there was none.
type step struct {
	said       string
	call, back int64
	answer     string
}

const (
	right = porcupine.Ok
	wrong = porcupine.Illegal
)

// try has histories of a kind judged.
func try(t *testing.T, k *kind, l language, trials []trial) {
	t.Helper()
	for _, test := range trials {
		h := &history{kind: k, language: l, forgetful: test.forgetful}
		for client, s := range test.steps {
			said := strings.Fields(s.said)
			a := action{verb: vanish}
			if said[0] != vanish.name {
				a = action{verb: k.verb(said[0]), words: said[1:]}
			}
			n := h.enter(client, a)
			h.answer(n, s.answer)
			o := &h.operations[n]
			o.Call, o.Return = s.call*int64(time.Millisecond), s.back*int64(time.Millisecond)
		}
		verdict := porcupine.CheckOperationsTimeout(h.model(), h.toCheck(), thinking)
		if verdict == right && h.wrong(h.toCheck()) != "" {
			verdict = wrong
		}
		if verdict != test.expected {
			t.Errorf("%s: %s %s\n%s", test.name, verdict, h.wrong(h.toCheck()), h)
		}
	}
}
