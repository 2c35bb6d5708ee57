package structures

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// worker is a client that does one thing after another to the set of its place.
type worker struct {
	t       *testing.T
	id      int
	place   *place
	random  *rand.Rand
	session session
	tally   *tally
	shy     bool // reads until something answers again, so that little stays unanswered
}

// pause is how long a worker waits before it asks again what failed.
const pause = 10 * time.Millisecond

func (w *worker) work(done <-chan struct{}) {
	defer w.session.close()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		default:
		}
		if w.session.connect() && w.act() {
			continue
		}
		<-tick.C
	}
}

// act carries out an action. It returns false if there was no answer.
func (w *worker) act() bool {
	h, n, a := w.place.call(w.id, w.choose())
	answer := w.ask(h, a)
	if h.answer(n, answer) {
		w.finish(h)
	}
	w.shy = answer == unanswered
	return !w.shy
}

// finish reads the set once more when all is quiet, and hands the history over.
func (w *worker) finish(h *history) {
	if w.session.connect() {
		a := action{verb: verbNamed("smembers")}
		h.answer(h.last(w.id, a), w.ask(h, a))
	}
	w.place.crowd.leave(h)
}

// choose makes up an action.
func (w *worker) choose() action {
	a := action{verb: w.chooseVerb()}
	for w.shy && !a.verb.reads {
		a.verb = w.chooseVerb()
	}
	if a.verb.most > 0 {
		for range 1 + w.random.IntN(a.verb.most) {
			a.members = append(a.members, names[w.random.IntN(len(names))])
		}
	}
	return a
}

func (w *worker) chooseVerb() *verb {
	all := 0
	for _, v := range w.place.verbs() {
		all += v.share
	}
	n := w.random.IntN(all)
	for _, v := range w.place.verbs() {
		if n -= v.share; n < 0 {
			return v
		}
	}
	panic("the shares are more than all")
}

// ask has an action carried out and returns the answer in the words of the
// model.
func (w *worker) ask(h *history, a action) string {
	line, value, err := w.session.ask(h.alphabet.request(h.key, a))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.t.Errorf("%s of %s: neither an answer nor an end of the connection", a, h.key)
		fallthrough
	case err != nil:
		w.tally.cut.Add(1)
		return unanswered
	case strings.HasPrefix(line, "SERVER_ERROR"):
		w.tally.refuse(line)
		return unanswered
	}
	w.tally.answered.Add(1)
	return h.alphabet.understand(a, line, value)
}
