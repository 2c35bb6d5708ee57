package waiters

import "github.com/memverbs/memverbs/verbs/waiters/alarms"

// Table is the calls of an event loop that wait for structures of one pool. It is used on that loop only.
type Table struct {
	awaited *Awaited
	now     func() int64
	post    func(func())
	lines   map[lineID]*line
	alarms  alarms.Alarms[due]
	queue   []*line   // that try next
	fresh   []*Waiter // that try next, each by itself
	going   bool
	moments moments
	waiting int
}

// NewTable returns a table without calls. awaited is that of all loops; now returns the time in milliseconds by a clock
// that never jumps; and post calls a function on the loop, later.
func NewTable(awaited *Awaited, now func() int64, post func(func())) *Table {
	return &Table{awaited: awaited, now: now, post: post, lines: map[lineID]*line{}}
}

// Request is what a call waits for.
type Request struct {
	Key []byte // of the structure
	// Class tells apart the calls for one structure of which one may find something when another finds nothing. They
	// wait in lines of their own.
	Class []byte
	// All says that the calls take nothing from each other: each that something was added for finds it, and each is made
	// once more when its time is over.
	All bool
	// Alike is the same for calls of which each may get what another has found; with All, all of them get it.
	Alike []byte
	For   int64 // how long it waits, in milliseconds
}

// Await begins the wait of a call, whose place is w. If no other waits for the same, it is made at once.
func (t *Table) Await(w *Waiter, call Call, of Request) {
	l := t.lineFor(lineID{string(of.Key), string(of.Class), of.All}) // before the call is made, so that no wake-up is lost
	*w = Waiter{call: call, state: waits, asked: t.moments.next(), alike: string(of.Alike)}
	w.alarm.Of.waiter = w
	l.add(w)
	t.waiting++
	t.alarms.Set(&w.alarm, t.now()+of.For)
	switch {
	case of.All:
		t.fresh = append(t.fresh, w)
	case l.first == w:
		l.wake()
	}
	t.GoOn()
}

// lineFor returns the line with that id, a new one if there is none.
func (t *Table) lineFor(id lineID) *line {
	l := t.lines[id]
	if l == nil {
		l = &line{table: t, id: id, gap: firstGap}
		l.alarm.Of.line = l
		t.lines[id] = l
		t.awaited.add(id.key, l)
	}
	return l
}

// Tried takes the result of a call that was made. It returns whose answer this is, and that call does not wait any more:
// nil if nobody's; usually w, but if one like it before it found nothing just now, that one, so that they are served in
// order. With All, it has answered the others alike too.
func (t *Table) Tried(w *Waiter, r Result) (whose *Waiter) {
	l := w.line
	if l.counts(w) {
		l.tries--
	}
	if r.Outcome != Nothing {
		l.gap, whose = firstGap, w
	}
	if l.id.all {
		l.see(w, &r)
	}
	switch {
	case r.Outcome == Found && !l.id.all:
		if whose = l.beforeOrIs(w); whose != w {
			t.again(w)
		}
	case r.Outcome == Nothing:
		if l.dry = true; !l.id.all {
			l.nothing, l.empty = append(l.nothing[:0], r.Answer...), w.tried
		}
		if w.state == triesLast {
			whose = w
		} else {
			w.state = waits
		}
	}
	if whose != nil {
		whose.line.leave(whose)
	}
	l.end()
	if r.In > 0 && l.alarm.IsSet() {
		t.alarms.Set(&l.alarm, min(l.alarm.At, t.now()+r.In))
	}
	return whose
}

// again is called when another call gets what w has found: w waits on, unless its time is over.
func (t *Table) again(w *Waiter) {
	w.line.again = true
	if w.state == triesLast {
		w.line.leave(w)
		w.call.Over(w.line.nothing)
		return
	}
	w.state = waits
}

// over is called when the time of w is over. If no call has found nothing since w asked, the line tries once more.
func (t *Table) over(w *Waiter) {
	switch l := w.line; {
	case w.state == tries:
		w.state = triesLast
	case w.state == waits && l.id.all:
		w.state = wantsLast
		l.lasts++
		t.fresh = append(t.fresh, w)
	case w.state == waits && l.empty < w.asked:
		w.state = wantsLast
		l.lasts++
		l.wake()
	case w.state == waits:
		w.line.leave(w)
		w.call.Over(l.nothing)
	}
}

// Hurry ends the wait of w before its time is over, if it still waits: nothing is taken any more, unless the call is
// just being made.
func (t *Table) Hurry(w *Waiter) {
	switch {
	case w.state == tries:
		w.state = triesLast
	case w.waiting() && w.line.id.all:
		t.over(w)
		t.GoOn()
	case w.waiting():
		w.line.leave(w)
		w.call.Over(w.line.nothing)
	}
}

// Drop ends the wait of w, whose answer nobody needs.
func (t *Table) Drop(w *Waiter) {
	if w.waiting() {
		w.line.leave(w)
		w.call.Over(w.line.nothing)
		return
	}
	t.Hurry(w)
}

// HurryAll ends all waits like Hurry.
func (t *Table) HurryAll() {
	for _, l := range t.lines {
		for w := l.first; w != nil; {
			next := w.next
			t.Hurry(w)
			w = next
		}
	}
}

// due is what an alarm is for: a line tries, or the time of a waiter is over.
type due struct {
	line   *line
	waiter *Waiter // nil for the alarm of a line
}

// Pass does what is due. It is called when the time that Next has returned has come.
func (t *Table) Pass() {
	now := t.now()
	for a := t.alarms.Passed(now); a != nil; a = t.alarms.Passed(now) {
		switch {
		case a.Of.waiter != nil:
			t.over(a.Of.waiter)
		case a.Of.line.first == nil:
			delete(t.lines, a.Of.line.id)
			t.awaited.remove(a.Of.line.id.key, a.Of.line)
		default:
			a.Of.line.wake()
		}
	}
	t.GoOn()
}

// Next returns when something is due, and false if nothing is.
func (t *Table) Next() (at int64, ok bool) {
	if len(t.alarms) == 0 {
		return 0, false
	}
	return t.alarms[0].At, true
}

// GoOn makes the calls whose turn has come.
func (t *Table) GoOn() {
	if t.going {
		return
	}
	t.going = true
	for len(t.fresh)+len(t.queue) > 0 {
		if len(t.fresh) > 0 {
			w := t.fresh[0]
			t.fresh[0], t.fresh = nil, t.fresh[1:]
			if w.waiting() {
				w.line.try(w)
			} else {
				w.line.end()
			}
			continue
		}
		l := t.queue[0]
		t.queue[0], t.queue = nil, t.queue[1:]
		l.begin()
	}
	t.going = false
}

// Waiting returns how many calls wait.
func (t *Table) Waiting() int { return t.waiting }

// Lines returns how many lines there are.
func (t *Table) Lines() int { return len(t.lines) }
