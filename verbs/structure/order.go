package structure

import (
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A call that decides (decide.go) loses a race whenever another proxy appends, and if others append
// all the time it would never win one. After a few lost races it gives an order instead: it appends
// a token that says what to do with the structure as it is at that point of the log, such as
// "remove the first element". It is appended without a condition, so nothing can prevent it. The
// fold carries out the order when it comes to the token, and remembers the result under the order's
// id. The call then reads the structure and finds its answer there.
//
// The log may be rewritten between the append and the read. So the results are written to the new
// log too. They are forgotten when the caller gives its next order, which shows that it has its
// answers, or when [format.OrderLasts] is over.

// order carries out the decisions as orders, as many as can be given together.
func (r *round) order() verbs.Reply {
	use := r.use()
	when, asked, told := r.l.timeOfOrder(r.all[0].order.Remembered)
	if asked && told.Status == verbs.Failed {
		return told
	}
	if !r.all[0].given || asked || r.looks() && !r.hasJustRead() {
		if found := r.l.loader.loadAgain(use); found.Status != verbs.Hit { // the tokens must not be appended to something else
			return found
		}
	}
	batch := Batch{ID: r.l.env.Decisions().orders.next(r.l.env, r.l.Key, when), Pace: &r.l.Pace}
	if r.looks() {
		batch.Fold = r.l.loader.List[0].Fold
	}
	tokens := r.appendOrders(&batch)
	if len(tokens) == 0 { // the orders have looked at the structure, and there is nothing to do
		r.takeAll(&batch.ID)
		r.l.loader.endLoans()
		return verbs.Reply{Status: verbs.Stored}
	}
	r.l.loader.endLoans() // so that the view can be brought up to date
	appended := r.l.settler.AppendExisting(tokens)
	if appended.Status != verbs.Stored {
		return appended
	}
	switch found := r.l.loader.loadAgain(use); {
	case found.Status == verbs.Failed:
		return found
	case found.Status == verbs.Missing || !r.takeAll(&batch.ID):
		return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR it is unknown what this has changed of %s: it was deleted or evicted meanwhile, or that took more than a minute", r.l.Shown(r.l.Key))}
	}
	views := r.l.loader.lent.Unprobed(r.l.env.Uptime())
	r.l.loader.endLoans()
	r.l.loader.probeAll(views)
	return appended
}

// timeOfOrder returns the time for the next order of the call, in milliseconds since 1970. If the order's result is
// remembered for a time, the clock of the structure's upstream is used: with the clock of this proxy, which may be
// wrong, others might forget the result before the call has its answer, or much too late. From time to time the
// upstream has to be asked for its time; then asked is true, and the reply is Hit; Missing if the time could not be
// found out, so that this proxy's clock is used; or Failed.
func (l *leader) timeOfOrder(remembered bool) (now int64, asked bool, r verbs.Reply) {
	all, up := &l.env.Decisions().orders, l.env.Uptime()
	if !remembered {
		return l.env.Now(), false, r
	}
	if at := all.of(l.Key); at.asked != 0 && up-at.asked < clockAsked {
		return up + at.ahead, false, r
	}
	seconds, r := l.clock.roughTime(l.Key)
	if r.Status != verbs.Hit {
		return l.env.Now(), true, r
	}
	all.learn(l.Key, 1000*seconds-l.env.Uptime(), l.env.Uptime())
	return 1000 * seconds, true, r
}

// looks reports whether any of the orders looks at the structure.
func (r *round) looks() bool {
	return slices.ContainsFunc(r.all, func(d *decision) bool { return d.order != nil && d.order.Looks })
}

// use returns what the decisions do with the structure when their orders have been carried out.
func (r *round) use() Use {
	for _, d := range r.all {
		if d.order != nil && d.order.Use != Counted {
			return d.order.Use
		}
	}
	return Counted
}

// hasJustRead reports whether all calls of the loop may choose from what the leader has read: the leader
// has not waited since, and the loop has given no orders for the structure while it was being read.
func (r *round) hasJustRead() bool {
	return !r.all[0].lead.isPromoted() && len(r.l.loader.List) > 0 && r.l.loader.List[0].Fold != nil && !r.l.env.Decisions().orders.givenSince(r.l.loader.List[0].batch, r.l.Key)
}

// takeAll prepares all answers from what was loaded. It returns false if nothing is remembered
// under id.
func (r *round) takeAll(id *format.OrderID) bool {
	from := 0
	r.l.weigh(r.l.loader.List[0].Fold, r.l.loader.List[0].Head.Segments)
	for _, d := range r.all {
		n, ok := d.order.Take(&r.l.Pace, r.l.loader.List[0].Fold, id, from)
		if !ok {
			return false
		}
		from += n
	}
	return true
}

// appendOrders returns the tokens of the orders for the first decisions, and leaves the others to a
// later round.
func (r *round) appendOrders(batch *Batch) (tokens []byte) {
	for i, d := range r.all {
		more := tokens
		if d.order != nil {
			more = d.order.Append(tokens, batch)
		}
		if i > 0 && (d.order == nil || !Appended(r.l.env, r.l.Key, len(more))) {
			r.only(i)
			break
		}
		tokens = more
	}
	return tokens
}
