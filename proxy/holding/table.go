package holding

import (
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/verbs/waiters/alarms"
)

// Table has what is being made in a process, and the gets that wait for it. It is safe for concurrent use.
type Table struct {
	mu      sync.Mutex
	makings map[Key]*making
	any     atomic.Int64 // how many there are
	alarms  alarms.Alarms[func(now int64)]
	probes  probes
	quota   memory.Quota
	calls   []func() // to be made when the table is unlocked
}

const (
	// quotaShare is the fraction of the budget for requests and replies that a table may take.
	quotaShare = 16
	// makingSize, toldSize and waitSize are about how much memory these take, in bytes, with the requests of those who wait.
	makingSize = 400
	toldSize   = 120
	waitSize   = 800
)

// NewTable returns a table that takes a part of budget.
func NewTable(budget *memory.Budget) *Table {
	return &Table{makings: map[Key]*making{}, quota: memory.NewQuota(budget, quotaShare)}
}

// enter locks the table until leave is called. What is due for gets is called when the result is.
func (t *Table) enter() (leave func()) {
	t.mu.Lock()
	return func() {
		calls := t.calls
		t.calls = nil
		t.mu.Unlock()
		for _, call := range calls {
			call()
		}
	}
}

// Verdict is what becomes of a get that has missed keys.
type Verdict uint8

const (
	Waits Verdict = iota
	Told          // its client gets the misses
	Makes         // the same, and it is the maker of one of the keys
)

// Missed is called when a get of asker has missed keys. The get may wait until a time.
func (t *Table) Missed(asker *Asker, get Get, keys []Key, until, now int64) (Verdict, *Wait) {
	defer t.enter()()
	if awaited := t.awaited(asker, keys, now); len(awaited) > 0 && now < until && t.quota.Take(waitSize) {
		return Waits, t.await(&Wait{get: get, asker: asker, counts: awaited[0].key.Of, on: awaited}, until, now)
	}
	verdict := Told
	for _, k := range keys {
		if t.tell(asker, k, now) {
			verdict = Makes
		}
	}
	return verdict, nil
}

// awaited returns what others make of keys, nothing if nobody makes one of them.
func (t *Table) awaited(asker *Asker, keys []Key, now int64) (awaited []*making) {
	for _, k := range keys {
		e := t.makings[k]
		if e != nil && asker.makes(e) {
			continue
		}
		if e == nil || now >= e.until {
			return nil
		}
		awaited = append(awaited, e)
	}
	return awaited
}

// await begins a wait.
func (t *Table) await(w *Wait, until, now int64) *Wait {
	for _, e := range w.on {
		if e.add(w); e.probing == idle {
			t.probes.plan(e, now)
		}
	}
	w.counts.waiting.Add(1)
	w.alarm.Of = func(now int64) { t.giveUp(w, now) }
	t.alarms.Set(&w.alarm, until)
	return w
}

// tell notes that asker is told that key is missing. It reports whether that makes it the maker.
func (t *Table) tell(asker *Asker, key Key, now int64) (makes bool) {
	e := t.makings[key]
	if e == nil {
		if !t.quota.Take(makingSize + len(key.Text)) {
			return true
		}
		e = &making{key: key, told: map[*Asker]struct{}{}}
		e.alarm.Of = func(now int64) { t.passed(e, now) }
		t.makings[key] = e
		t.any.Add(1)
	}
	if !asker.makes(e) && t.quota.Take(toldSize) {
		if asker.told == nil {
			asker.told = map[*making]struct{}{}
		}
		asker.told[e], e.told[asker] = struct{}{}, struct{}{}
	}
	if now >= e.until {
		e.succession = atOnce
	} else if e.maker != nil {
		return false
	}
	e.maker, e.until = asker, now+key.lasts()
	t.alarms.Set(&e.alarm, e.until)
	return true
}

// Stored is called when a key was stored, or found.
func (t *Table) Stored(key Key) {
	if t.any.Load() == 0 {
		return
	}
	defer t.enter()()
	if e := t.makings[key]; e != nil {
		t.end(e, Stored)
	}
}

// end forgets a making. The gets that wait only for that are over.
func (t *Table) end(e *making, outcome Outcome) {
	delete(t.makings, e.key)
	t.any.Add(-1)
	t.alarms.Unset(&e.alarm)
	for asker := range e.told {
		delete(asker.told, e)
	}
	t.quota.Free(makingSize + len(e.key.Text) + toldSize*len(e.told))
	for _, w := range e.waits {
		if w.waits() && w.loses(e) {
			t.over(w)
			t.calls = append(t.calls, func() { w.get.Over(outcome) })
		}
	}
	e.waits, e.live = nil, 0
}

// loses removes e from what w waits for, and reports whether nothing is left.
func (w *Wait) loses(e *making) bool {
	for i, other := range w.on {
		if other == e && len(w.on) > 1 {
			w.on = append(w.on[:i:i], w.on[i+1:]...)
			return false
		}
	}
	return true
}

// over ends a wait.
func (t *Table) over(w *Wait) {
	for _, e := range w.on {
		e.live--
	}
	w.on = nil
	w.counts.waiting.Add(-1)
	t.alarms.Unset(&w.alarm)
	t.quota.Free(waitSize)
}

// Release ends a wait because its client has sent another command. It returns false if the wait was over. If not, the
// client gets the miss.
func (t *Table) Release(w *Wait, now int64) bool {
	defer t.enter()()
	if !w.waits() {
		return false
	}
	t.release(w, now)
	return true
}

// release ends a wait whose client gets the miss.
func (t *Table) release(w *Wait, now int64) {
	on := w.on
	t.over(w)
	for _, e := range on {
		t.tell(w.asker, e.key, now)
	}
}

// giveUp ends a wait whose client gets the miss, and tells the get.
func (t *Table) giveUp(w *Wait, now int64) {
	t.release(w, now)
	t.calls = append(t.calls, func() { w.get.Over(Missing) })
}

// Leave ends a wait whose client is gone.
func (t *Table) Leave(w *Wait) {
	defer t.enter()()
	if w.waits() {
		t.over(w)
	}
}

// Gone is called when a connection is closed, after its waits have been ended.
func (t *Table) Gone(asker *Asker, now int64) {
	defer t.enter()()
	for e := range asker.told {
		delete(e.told, asker)
		t.quota.Free(toldSize)
		if e.maker == asker {
			t.succeed(e, now)
		}
	}
	asker.told = nil
}

// succeed replaces the maker of e, which is gone.
func (t *Table) succeed(e *making, now int64) {
	e.maker = nil
	if e.succession == inTime {
		return
	}
	e.succession = inTime
	if w := e.first(); w != nil {
		t.giveUp(w, now)
	}
}

// Forget ends everything that concerns keys, whose pool was replaced.
func (t *Table) Forget(keys *Keys) {
	defer t.enter()()
	for _, e := range t.makings {
		if e.key.Of == keys {
			t.end(e, Missing)
		}
	}
}
