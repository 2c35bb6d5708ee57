package holding

// lasting says for how many times as long as gets wait it is remembered that a value is being made, if nobody stores it.
const lasting = 10

// Next returns when [Table.Pass] is to be called next; false if nothing is due.
func (t *Table) Next() (at int64, any bool) {
	defer t.enter()()
	if len(t.alarms) > 0 {
		at, any = t.alarms[0].At, true
	}
	if len(t.probes) > 0 && (!any || t.probes[0].at < at) {
		at, any = t.probes[0].at, true
	}
	return at, any
}

// Pass does what is due.
func (t *Table) Pass(now int64) {
	defer t.enter()()
	for a := t.alarms.Passed(now); a != nil; a = t.alarms.Passed(now) {
		a.Of(now)
	}
	for e := t.probes.next(now); e != nil; e = t.probes.next(now) {
		if w := e.first(); w == nil {
			e.probing = idle
		} else {
			e.probing = asked
			t.calls = append(t.calls, func() { w.get.Probe(e.key) })
		}
	}
}

// passed is called when the maker's time is over, and again when e is to be forgotten.
func (t *Table) passed(e *making, now int64) {
	forgets := e.until + (lasting-1)*e.key.lasts()
	if w := e.first(); w != nil {
		t.giveUp(w, now)
	} else if now < forgets {
		t.alarms.Set(&e.alarm, forgets)
	} else {
		t.end(e, Missing)
	}
}

// Probed is called when a probe has not found the key, or could not be made.
func (t *Table) Probed(key Key, now int64) {
	defer t.enter()()
	if e := t.makings[key]; e == nil || e.probing != asked {
		return
	} else if e.probing = idle; e.live > 0 {
		t.probes.plan(e, now)
	}
}
