package structure

// Contended reports whether calls of the event loop have lost races for the call's structure lately.
func (e *Engine) Contended() bool { return e.env.Decisions().orders.wanted(e.Key, e.env.Uptime()) }

// NoteContended notes that the call has lost a race for its structure in a way that only the verb knows.
func (e *Engine) NoteContended() { e.env.Decisions().orders.note(e.Key, e.env.Uptime()) }

// The calls of an event loop that decide on the same structure wait for each other, see decide.go.

// endLead is called when all[0] stops leading, see [Decisions.done]. Appends are held back until
// the next leader takes them along. Otherwise it would lose a race against the next appends of the
// clients that are answered now.
func (e *Engine) endLead(all []*decision) {
	next := e.env.Decisions().done(e.Key, all)
	if next != nil && !e.env.Overdue(e.owner(e.Key), e.Key) {
		next.held = true
		e.hold(e.Key, true)
	}
}

// holdAsLeader holds back other calls' appends while d leads, unless endLead already does.
func (e *Engine) holdAsLeader(d *decision) {
	if !d.held {
		e.hold(e.Key, true)
	}
	d.held = false
}

// letAppend ends the hold that endLead has begun, unless d itself holds back appends.
func (e *Engine) letAppend(d *decision) {
	if d.held {
		d.held = false
		e.hold(e.Key, false)
	}
}

// asLeader calls do, which swaps the head of the call's structure. If other calls of the event loop
// decide on that structure, the call leads meanwhile and holds back appends. Otherwise these might
// come without a pause, and do would lose every race against them.
func (e *Engine) asLeader(do func()) {
	if e.Of != nil || !e.env.Decisions().led(e.Key) {
		do()
		return
	}
	d := &decision{kind: e.Kind, alone: true}
	e.enter(d)
	e.waitFor(d)
	defer func() { e.endLead([]*decision{d}) }()
	e.holdAsLeader(d)
	defer e.hold(e.Key, false)
	do()
}

// Waits reports whether the call would have to wait if it decided now or gave an order, because other
// calls of the event loop decide on the structure. An order that looks at the structure
// ([Order.Looks]) would see it as it is after the wait.
func (e *Engine) Waits() bool { return e.env.Decisions().led(e.Key) }

// enter is [Decisions.join]. From now on the call takes effect before those that join later.
func (e *Engine) enter(d *decision) (leads bool) {
	e.Queued = true
	return e.env.Decisions().join(e.Key, d)
}

// waitFor waits until the leader has decided d, or has made it the leader. It drops what the call
// has loaded and releases the memory for that, since the leader may be waiting for memory.
func (e *Engine) waitFor(d *decision) {
	e.drop()
	e.KeepRoom(0)
	woken := false
	defer func() {
		if !woken { // the routine was closed
			e.leave(d)
		}
	}()
	e.Wait(&d.waiter)
	woken = true
}

// leave ends the waiting of a call that was closed.
func (e *Engine) leave(d *decision) {
	if d.leads {
		e.letAppend(d)
		e.endLead([]*decision{d})
	} else {
		e.env.Decisions().leave(e.Key, d)
	}
}
