package structures

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// roster is what is known of the tasks of a test. It judges what a queue does with them.
type roster struct {
	mu     sync.Mutex
	chores map[string]*chore // by the ids of tasks
	stamps map[string]bool   // that were given
	left   int               // chores that are acknowledged and not done
	done   int               // tasks that are done
	runs   map[string]int    // how often something happened to a task that is not the rule
}

func newRoster() *roster {
	return &roster{chores: map[string]*chore{}, stamps: map[string]bool{}, runs: map[string]int{}}
}

// chore is what is known of a task.
type chore struct {
	when         int64 // it must not be handed out before, in milliseconds since 1970
	tries        int   // how often it was put, with at most one acknowledged
	acknowledged bool
	done         bool
	moved        bool // others may change when it is due
	last         *run
	attempts     map[string]*run // the latest of each put
	ends         int             // attempts whose workers are saying that the task is done
	told         int             // attempts whose workers have been told whether they have ended it
}

// run is an attempt at a task.
type run struct {
	chore *chore
	put   string
	n     int   // which attempt at that put it is
	until int64 // it is certainly held until then, in milliseconds since 1970, unless it was let go
	state state
}

// state is what a worker has made of an attempt.
type state int

const (
	working  state = iota
	hanging        // it will never be heard of again
	off            // was put off, or perhaps was
	ending         // was perhaps ended
	finished       // was ended
)

// Why a task is done again.
const (
	becauseHoldWasOver = "done again as the hold was over"
	becauseLate        = "done again as the hold was over before the answer came"
	becauseDoneUnknown = "done again as nobody knows whether it was ended"
	becausePutUnknown  = "done again as it was put again, for nobody knew whether it was"
)

// try enters that a task is put which is due at a time.
func (r *roster) try(id string, when int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.chores[id]
	if c == nil {
		c = &chore{when: when, attempts: map[string]*run{}}
		r.chores[id] = c
	}
	c.tries++
}

// hasten enters that a task is perhaps due at a time, if that is sooner.
func (r *roster) hasten(id string, when int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.chores[id]
	c.when, c.moved = min(c.when, when), true
}

// acknowledge enters that a task was put.
func (r *roster) acknowledge(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.chores[id]
	if c.acknowledged = true; !c.done {
		r.left++
	}
}

// unfinished returns how many tasks are acknowledged and not done.
func (r *roster) unfinished() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// begin enters that a task was handed out to one who had asked for it to be held for so many
// seconds, and finds what is wrong with that.
func (r *roster) begin(id, stamp string, asked time.Time, seconds int) (*run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now().UnixMilli()
	put, attempt, _ := strings.Cut(stamp, ".")
	n, err := strconv.Atoi(attempt)
	c := r.chores[id]
	switch {
	case err != nil || n < 1:
		return nil, fmt.Errorf("a task has the stamp %q", stamp)
	case c == nil:
		return nil, fmt.Errorf("task %q was never put", id)
	case r.stamps[stamp]:
		return nil, fmt.Errorf("the stamp %q of task %q was given twice", stamp, id)
	case now < c.when:
		return nil, fmt.Errorf("task %q is due at %d and was handed out at %d", id, c.when, now)
	}
	r.stamps[stamp] = true
	before := c.attempts[put]
	if before != nil && before.n < n && before.state <= hanging && now < before.until {
		return nil, fmt.Errorf("task %q was handed out at %d as %q though attempt %d holds it until %d", id, now, stamp, before.n, before.until)
	}
	if before == nil && n > 1 || before != nil && n > before.n+1 {
		r.runs["handed out to somebody who was not there any more, or taken over to be ended"]++
	}
	if c.last != nil {
		why, err := c.again(put, n)
		if err != nil {
			return nil, fmt.Errorf("task %q, stamp %q: %w", id, stamp, err)
		}
		r.runs[why]++
	}
	c.last = &run{chore: c, put: put, n: n, until: asked.UnixMilli() + 1000*int64(seconds)}
	if before == nil || before.n < n {
		c.attempts[put] = c.last
	}
	return c.last, nil
}

// again returns why a task is handed out once more, as attempt n at a put.
func (c *chore) again(put string, n int) (why string, err error) {
	switch before := c.attempts[put]; {
	case before != nil && before.n < n && before.state == finished:
		return "", fmt.Errorf("it is done again though attempt %d has ended it", before.n)
	case before == nil && c.tries > 1:
		return becausePutUnknown, nil
	case before == nil:
		return "", fmt.Errorf("it was put once, as %s", c.last.put)
	case before.n > n:
		return becauseLate, nil
	case before.state == off:
		return "done later as it was put off", nil
	case before.state == ending:
		return becauseDoneUnknown, nil
	}
	return becauseHoldWasOver, nil
}

// complete enters that a task is done, as the worker knows, and about to be ended.
func (r *roster) complete(a *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.state = ending
	a.chore.ends++
	if !a.chore.done {
		a.chore.done = true
		r.done++
		if a.chore.acknowledged {
			r.left--
		}
	}
}

// told enters that the worker of an attempt does not say any more that the task is done.
func (r *roster) told(a *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.chore.ends--
	a.chore.told++
}

// toldSoFar returns for how many attempts at the task of a the worker has been told whether it has ended the task.
func (r *roster) toldSoFar(a *run) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return a.chore.told
}

// becomes enters what a worker has made of an attempt.
func (r *roster) becomes(a *run, s state) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.state = s
}

// prolong enters that a task is certainly held for so many seconds from a time on.
func (r *roster) prolong(a *run, asked time.Time, seconds int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.until = asked.UnixMilli() + 1000*int64(seconds)
}

// putOff enters that a task is not due before a time.
func (r *roster) putOff(a *run, when int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.chore.tries == 1 && !a.chore.moved {
		a.chore.when = max(a.chore.when, when)
	}
}

// passed reports whether another attempt at the same put is known.
func (r *roster) passed(a *run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return a.chore.attempts[a.put].n > a.n
}

// holds reports whether the attempt certainly holds the task now, and has held it since toldSoFar returned told: nobody else
// can have changed anything. The worker of an earlier attempt that has asked before, and is answered late, may be told that
// it has ended the task which this one has.
func (r *roster) holds(a *run, told int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	others := a.chore.ends
	if a.state == ending {
		others--
	}
	return a.chore.tries == 1 && others == 0 && a.chore.told == told && time.Now().UnixMilli() < a.until
}

// leftover finds what is wrong with a task that a queue still has when all are done.
func (r *roster) leftover(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c := r.chores[id]; {
	case c == nil:
		return fmt.Errorf("task %q was never put", id)
	case c.done && c.tries == 1 && c.last.state == finished:
		return fmt.Errorf("task %q is left though %s.%d has ended it", id, c.last.put, c.last.n)
	}
	return nil
}

// String is the summary.
func (r *roster) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	again := 0
	for _, c := range r.chores {
		again += cmp.Compare(c.tries, 1)
	}
	fmt.Fprintf(&b, "%d tasks, %d done, %d of them put more than once, %d stamps", len(r.chores), r.done, again, len(r.stamps))
	for _, what := range slices.Sorted(maps.Keys(r.runs)) {
		fmt.Fprintf(&b, "\n%6d  %s", r.runs[what], what)
	}
	return b.String()
}

// missing returns some of the tasks that are acknowledged and not done.
func (r *roster) missing(most int) (ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, c := range r.chores {
		if c.acknowledged && !c.done && len(ids) < most {
			ids = append(ids, id)
		}
	}
	return ids
}
