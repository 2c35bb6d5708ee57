package structures

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// tasker is a client that puts tasks, or a worker that does them.
type tasker struct {
	t       *testing.T
	random  *rand.Rand
	session session
	roster  *roster
	tally   *tally
}

const flagsOfTasks = "11"

// content returns the content of the task with an id, of any size.
func content(id string) string { return strings.Repeat(id+" ", 1+len(id)*7919%40) }

// ask sends a request. It returns false if its outcome is unknown.
func (w *tasker) ask(request string) (r reply, ok bool) {
	if !w.session.connect() {
		return r, false
	}
	r, err := w.session.exchange(request)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.t.Errorf("%q: neither an answer nor an end of the connection", request)
		return r, false
	case err != nil:
		w.tally.cut.Add(1)
		return r, false
	case strings.HasPrefix(r.line, "SERVER_ERROR"):
		w.tally.refuse(r.line)
		return r, false
	}
	w.tally.answered.Add(1)
	verb, _, _ := strings.Cut(request, " ")
	w.tally.add(w.tally.asked, verb)
	return r, true
}

// put puts or adds a task until that is acknowledged. It is due at once or some time later. If it was put before and
// nobody knows whether it was, the queue may have the task that is to be added.
func (w *tasker) put(queue, id string, later time.Duration, done <-chan struct{}) {
	when, word := time.Now().UnixMilli(), "0"
	if later > 0 {
		when += later.Milliseconds()
		word = fmt.Sprint(when)
	}
	data := content(id)
	for again := false; !over(done); again = true {
		verb := oneOf(w.random, "taskput", "taskadd")
		w.roster.try(id, when)
		r, ok := w.ask(fmt.Sprintf("%s %s %s %s %s %d\r\n%s\r\n", verb, queue, id, word, flagsOfTasks, len(data), data))
		switch {
		case !ok:
			time.Sleep(pause)
		case r.line == "STORED" || r.line == "NOT_STORED" && verb == "taskadd" && again:
			w.roster.acknowledge(id)
			if later > 0 && w.random.IntN(2) == 0 {
				w.hasten(queue, id)
			}
			return
		default:
			w.t.Errorf("%s of %s: %q", verb, id, r.line)
			return
		}
	}
}

// hasten looks at a task, and has it due now, unless it is over before.
func (w *tasker) hasten(queue, id string) {
	r, ok := w.ask(fmt.Sprintf("taskpeek %s %s\r\n", queue, id))
	if ok && len(r.values) > 0 && (r.values[0].data != content(id) || r.values[0].flags != flagsOfTasks) {
		w.t.Errorf("taskpeek of %s: %q", id, r)
	}
	w.roster.hasten(id, time.Now().UnixMilli())
	if r, ok = w.ask(fmt.Sprintf("taskmove %s %s 0\r\n", queue, id)); ok && r.line != "STORED" && r.line != "EXISTS" && r.line != "NOT_FOUND" {
		w.t.Errorf("taskmove of %s: %q", id, r.line)
	}
}

// work takes and does tasks until all are done.
func (w *tasker) work(queues []string, done <-chan struct{}) {
	defer w.session.close()
	for !over(done) {
		if !w.take(oneOf(w.random, queues...), done) {
			time.Sleep(pause)
		}
	}
}

// take takes a few tasks and does them. It returns false if there were none, or no answer.
func (w *tasker) take(queue string, done <-chan struct{}) bool {
	seconds, asked := 1+w.random.IntN(2), time.Now()
	request, most := fmt.Sprintf("tasktake %s %d %d", queue, seconds, 1+w.random.IntN(4)), 0
	if w.random.IntN(4) == 0 {
		most = 1 + w.random.IntN(2)
		request += fmt.Sprintf(" most %d", most)
	}
	if w.random.IntN(4) == 0 {
		request += fmt.Sprintf(" wait %d", 1+w.random.IntN(100))
	}
	request += "\r\n"
	if w.random.IntN(200) == 0 && w.session.connect() { // it dies when it has asked
		w.session.conn.Write([]byte(request))
		w.session.close()
		return true
	}
	r, ok := w.ask(request)
	if !ok || len(r.values) == 0 {
		if ok && r.line != "END" {
			w.t.Errorf("%q: %q", request, r.line)
		}
		return false
	}
	runs := make([]*run, len(r.values))
	for i, v := range r.values {
		if v.data != content(v.name) || v.flags != flagsOfTasks {
			w.t.Errorf("task %s was handed out with the flags %s and the content %q", v.name, v.flags, v.data)
		}
		if _, n, _ := strings.Cut(v.stamp, "."); most > 0 && n > fmt.Sprint(most) {
			w.t.Errorf("%q: task %s was handed out with the stamp %s", request, v.name, v.stamp)
		}
		var err error
		if runs[i], err = w.roster.begin(v.name, v.stamp, asked, seconds); err != nil {
			w.t.Error(err)
			return true
		}
	}
	for i, v := range r.values {
		w.do(queue, v.stamp, runs[i], done)
	}
	return true
}

// do does a task, hangs, holds the task on, or puts it off.
func (w *tasker) do(queue, stamp string, a *run, done <-chan struct{}) {
	switch n := w.random.IntN(100); {
	case n < 3:
		w.roster.becomes(a, hanging)
		return
	case n < 6:
		w.putOff(queue, stamp, a)
		return
	case n < 10:
		w.keep(queue, stamp, a)
	}
	w.end(queue, stamp, a, done)
}

// keep holds a task on for a second. Until that is answered, it may be held for less than before.
func (w *tasker) keep(queue, stamp string, a *run) {
	asked := time.Now()
	w.roster.prolong(a, asked, 0)
	if good, _ := w.say("taskkeep %s %s 1\r\n", queue, stamp, "STORED", a, false); good {
		w.roster.prolong(a, asked, 1)
	}
}

// putOff gives a task back for some time.
func (w *tasker) putOff(queue, stamp string, a *run) {
	when := time.Now().Add(time.Duration(w.random.IntN(500)) * time.Millisecond).UnixMilli()
	w.roster.becomes(a, off)
	if good, _ := w.say("taskretry %s %s "+fmt.Sprint(when)+"\r\n", queue, stamp, "STORED", a, false); good {
		w.roster.putOff(a, when)
	}
}

// end says that a task is done until that is certain.
func (w *tasker) end(queue, stamp string, a *run, done <-chan struct{}) {
	w.roster.complete(a)
	defer w.roster.told(a)
	for again := false; !over(done); again = true {
		good, certain := w.say("taskdone %s %s\r\n", queue, stamp, "DELETED", a, again)
		if good {
			w.roster.becomes(a, finished)
		}
		if certain {
			return
		}
		time.Sleep(pause)
	}
}

// say asks for something about an attempt, in a request with a queue and a stamp, and finds what
// is wrong with the answer: it is good if the attempt is the latest. again says that the same was
// asked for before, and perhaps carried out. certain is false if there is no answer.
func (w *tasker) say(request, queue, stamp, goodAnswer string, a *run, again bool) (good, certain bool) {
	request = fmt.Sprintf(request, queue, stamp)
	passed, told := w.roster.passed(a), w.roster.toldSoFar(a)
	r, ok := w.ask(request)
	if !ok {
		return false, false
	}
	switch good = r.line == goodAnswer; {
	case good && passed:
		w.t.Errorf("%q: %q, though another attempt had been handed out before", request, r.line)
	case !good && r.line != "NOT_FOUND" && r.line != "EXISTS":
		w.t.Errorf("%q: %q", request, r.line)
	case !good && !again && w.roster.holds(a, told):
		w.t.Errorf("%q: %q, though the attempt holds the task", request, r.line)
	}
	return good, true
}

// over reports whether a channel is closed.
func over(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
