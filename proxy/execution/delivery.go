package execution

import "github.com/memverbs/memverbs/verbs"

// deliver delivers the replies to appends, and proceeds with the queues that are no longer
// held. It is called at the end of the callback, so that no verb is resumed inside another one. It
// reports whether it did anything.
func (a *appends) deliver() bool {
	any := len(a.replies)+len(a.answered)+len(a.freed)+len(a.ready) > 0
	for len(a.replies) > 0 {
		first := a.replies[0]
		a.replies[0], a.replies = appendReply{}, a.replies[1:]
		first.run.take(first.n, first.reply)
	}
	for i := 0; i < len(a.answered); i++ { // answers may be added meanwhile
		a.answered[i].deliver()
		a.answered[i].proceed()
	}
	clear(a.answered)
	a.answered = a.answered[:0]
	for len(a.freed) > 0 {
		takeFirst(&a.freed).proceed()
	}
	for len(a.ready) > 0 {
		r := takeFirst(&a.ready)
		r.carryOut(r.trip.ops)
	}
	return any
}

// deliver passes the reply to all joined executions. Only the first gets Grown, so that only one of
// them compacts.
func (q *appendQueue) deliver() {
	f := &q.flight
	if f.reply.Status == verbs.NotStored {
		for _, this := range f.appends { // before any of these executions goes on
			this.run.setRefused(q.key)
		}
	}
	for _, this := range f.appends {
		this.run.take(this.n, f.reply)
		f.reply.Grown = 0
	}
	f.end()
}
