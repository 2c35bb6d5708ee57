package transport

// At the end of a turn, the loop waits for the next events by itself, and reads the sockets that have some. gnet would first ask epoll
// whether there are any, and as there are none, call Go's scheduler, which then wakes another thread to look for work, before it
// waits. Where a single client asks, that would take more than a tenth of the processor time.

// endTurn is called when the loop has read all sockets. It ends the turn, then waits and serves sockets in further turns, until gnet
// has to go on, or the owner wants another turn.
func (l *Loop) endTurn() {
	for {
		asked := l.asked
		l.turn, l.asked = resting, false
		if asked {
			l.enter()
			l.owner.EndTurn()
			l.owner.EndCallback()
			l.depth--
		}
		if l.awaitEnd(); l.turn != resting {
			return
		}
		l.yield()
		if !l.serveSockets(l.mayWait()) {
			return
		}
	}
}
