package front

import (
	"github.com/memverbs/memverbs/proxy/execution"
)

// What a loop does in each turn. An event is first handled in memory. At its end (EndCallback) the
// outputs are written, once for each connection, unless they are gathered until the end of the turn.

// EndCallback implements [transport.LoopOwner]. It lets clients and verbs proceed as far as
// they can, and flushes the outputs.
func (l *Loop) EndCallback() {
	l.proceed()
	if l.work.Any() {
		l.eachExecutor((*execution.Executor).EndCallback)
		l.work.EndCallback()
	}
	if l.Pools.replaced {
		l.removeRetired()
	}
	l.timing.Forget()
}

// proceed lets clients and verbs proceed, and frees memory if it is short.
func (l *Loop) proceed() {
	l.goOn()
	if l.Account.Overdrawn() {
		l.relieve()
		l.goOn()
	}
}

// goOn lets clients and verbs proceed until none of them can.
func (l *Loop) goOn() {
	for l.work.Any() && l.verbsGoOn() || l.queues.Len() > 0 && l.queues.Serve() || len(l.Clients.woken) > 0 || l.net.HasToFlush() || l.batch.HasToDispatch() {
		for len(l.Clients.woken) > 0 {
			c := l.Clients.woken[len(l.Clients.woken)-1]
			l.Clients.woken = l.Clients.woken[:len(l.Clients.woken)-1]
			c.pace.woken = false
			c.Proceed()
		}
		l.batch.Dispatch()
		l.net.Flush()
	}
}

// verbsGoOn is GoOn of the executors of all pools.
func (l *Loop) verbsGoOn() (any bool) {
	l.eachExecutor(func(x *execution.Executor) { any = x.GoOn() || any })
	return any
}

// EndTurn implements [transport.LoopOwner].
func (l *Loop) EndTurn() {
	for _, u := range l.Pools.Members {
		u.EndTurn()
	}
	l.net.WriteOn()
	l.endRests()
	if l.work.Any() {
		l.eachExecutor((*execution.Executor).EndTurn)
	}
}

// onTick checks for time-outs. It reports whether anything waits.
func (l *Loop) onTick() (waiting bool) {
	for _, u := range l.Pools.Members {
		waiting = u.OnTick() || waiting
	}
	l.eachExecutor(func(x *execution.Executor) { waiting = x.OnTick() || waiting })
	for c := range l.Clients.Leaving {
		waiting = true
		c.onTick()
	}
	return waiting
}

// endRests begins a turn of the loop, and lets the clients that have rested proceed.
func (l *Loop) endRests() {
	rested := l.Clients.resting
	l.Clients.resting = nil
	for _, c := range rested {
		l.Clients.effort = 0
		c.pace.effort = int32(clientEffort - min(max(fullEffort/len(rested), 1), clientEffort))
		c.pace.state = c.pace.state.turnEnds()
		c.Proceed()
	}
	l.Clients.effort = 0
}
