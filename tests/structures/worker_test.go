package structures

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// worker is a client that does one thing after another to what is in its place.
type worker struct {
	t       *testing.T
	id      int
	place   *place
	random  *rand.Rand
	client  client
	session session
	tally   *tally
	shy     bool // reads until something answers again, so that little stays unanswered
}

func newWorker(t *testing.T, id int, p *place, random *rand.Rand, y *tally) *worker {
	return &worker{t: t, id: id, place: p, random: random, client: p.kind.client(p.kind, id, random), tally: y}
}

// pause is how long a worker waits before it asks again what failed.
const pause = 10 * time.Millisecond

func (w *worker) work(done <-chan struct{}) {
	defer w.session.close()
	for {
		wait := pause
		if w.session.connect() && w.act() {
			wait = w.rest()
		}
		select {
		case <-done:
			return
		case <-time.After(wait):
		}
	}
}

// rest returns how long a worker waits after an answer.
func (w *worker) rest() time.Duration {
	if w.place.kind.rest == 0 {
		return 0
	}
	return time.Duration(w.random.IntN(w.place.kind.rest)) * time.Millisecond
}

// act carries out an action. It returns false if there was no answer.
func (w *worker) act() bool {
	h, n, a := w.place.call(w.id, w.choose())
	answer := w.ask(h, a)
	w.client.learn(a, answer)
	if h.answer(n, answer) {
		w.finish(h)
	}
	w.shy = answer == unanswered
	return !w.shy
}

// finish reads what is there once more when all is quiet, and hands the history over.
func (w *worker) finish(h *history) {
	if w.session.connect() {
		a := action{verb: h.kind.verb(h.kind.look)}
		h.answer(h.last(w.id, a), w.ask(h, a))
	}
	w.place.crowd.leave(h)
}

// choose makes up an action.
func (w *worker) choose() action {
	a := w.client.choose()
	for w.shy && !a.verb.reads {
		a = w.client.choose()
	}
	return a
}

// ask has an action carried out and returns the answer in the words of the
// model.
func (w *worker) ask(h *history, a action) string {
	r, err := w.session.exchange(h.language.request(h.key, a))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.t.Errorf("%s of %s: neither an answer nor an end of the connection", a, h.key)
		fallthrough
	case err != nil:
		w.tally.cut.Add(1)
		return unanswered
	case strings.HasPrefix(r.line, "SERVER_ERROR"):
		w.tally.refuse(r.line)
		return unanswered
	}
	w.tally.answered.Add(1)
	w.tally.add(w.tally.asked, a.verb.name)
	return h.language.understand(a, r)
}
