package transport

import (
	"runtime"
	"time"
)

// At the end of a turn, the loop waits for the next event by itself. gnet would first ask epoll whether there is one, and as
// there is none, call Go's scheduler, which then wakes another thread to look for work, before it waits. For gets that
// need no upstream, that would take a tenth of the processor time.

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

// yieldEvery is how often a loop lets other goroutines go on. After 10 ms without that, Go's scheduler would interrupt the loop,
// and take much longer to calm down.
const yieldEvery = 5 * time.Millisecond

// yieldingEvery returns how often each of n loops does that: whenever it waits, if no more goroutines than these may run at once.
// What a loop has other goroutines do would otherwise begin only when the scheduler notices that the loop waits.
func yieldingEvery(n int) time.Duration {
	if n >= runtime.GOMAXPROCS(0) {
		return 0
	}
	return yieldEvery
}

// yield lets other goroutines go on, now and then.
func (l *Loop) yield() {
	if now := time.Now(); now.Sub(l.yielded) >= l.yieldEvery {
		l.yielded = now
		runtime.Gosched()
	}
}
