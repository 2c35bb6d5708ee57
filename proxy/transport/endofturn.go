package transport

// At the end of a turn, the loop waits for the next event by itself. gnet would first ask epoll whether there is one, and as
// there is none, call Go's scheduler, which then wakes another thread to look for work, before it waits. Where a single client asks,
// that would take more than a tenth of the processor time.

// hasRead ends the event that a socket was read. If there was only one in the turn before, as where a single client asks,
// it is probably the only one again. Asking epoll then takes less than awaitEnd.
func (l *Loop) hasRead() {
	l.handled()
	l.read++
	if l.turn == active && l.readBefore <= 1 && l.idle() && !l.poller.ready() {
		l.endTurn()
	} else {
		l.awaitEnd()
	}
}

// endTurn is called when the loop has read all sockets. It ends the turn and waits, unless the owner wants another one.
func (l *Loop) endTurn() {
	asked := l.asked
	l.turn, l.asked, l.read, l.readBefore = resting, false, 0, l.read
	if asked {
		l.enter()
		l.owner.EndTurn()
		l.owner.EndCallback()
		l.depth--
	}
	if l.awaitEnd(); l.turn == resting {
		l.yield()
		if l.mayWait() {
			l.poller.await()
		}
		l.goesOn()
	}
}
