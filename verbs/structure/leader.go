package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// leader is the part of an [Engine] that makes decisions. The calls of an event loop that decide on the same structure
// wait for each other, see decide.go.
type leader struct {
	*call
	limits  *limits
	clock   *clock
	loader  *loader
	writer  *writer
	settler *settler

	weight weight // of what the call has decided on last
	atOnce atOnce
}

// weight is how many tokens a structure had when a call decided on it.
type weight struct {
	dead, live int
	segmented  bool // the structure had segments, so that it was not to be compacted
}

// weigh notes how many tokens the structure has that the call decides on.
func (l *leader) weigh(fold format.Fold, segments []format.Segment) {
	l.weight = weight{fold.Dead(), fold.Live(), len(segments) > 0}
}

// isLong reports whether the structure has so many tokens that folding its log takes more than a slice.
func (l *leader) isLong(fold format.Fold) bool { return fold.Live()+fold.Dead() > l.Pace.Slice }

// Contended reports whether calls of the event loop have lost races for the call's structure lately.
func (l *leader) Contended() bool { return l.env.Decisions().orders.wanted(l.Key, l.env.Uptime()) }

// NoteContended notes that the call has lost a race for its structure in a way that only the verb knows.
func (l *leader) NoteContended() { l.env.Decisions().orders.note(l.Key, l.env.Uptime()) }

// endLead is called when all[0] stops leading, see [Decisions.done]. Appends are held back until
// the next leader takes them along. Otherwise it would lose a race against the next appends of the
// clients that are answered now.
func (l *leader) endLead(all []*decision) { passOn(l.env, l.owner(l.Key), l.Key, all) }

// passOn is endLead for a structure that is placed by the key of.
func passOn(env Env, of, key []byte, all []*decision) {
	next := env.Decisions().done(key, all)
	if next != nil && !env.Overdue(of, key) {
		next.lead = sheltered
		env.Hold(of, key, true)
	}
}

// holdAsLeader holds back other calls' appends while d leads, unless endLead already does.
func (l *leader) holdAsLeader(d *decision) {
	if d.lead == sheltered {
		d.lead = promoted
	} else {
		l.hold(l.Key, true)
	}
}

// letAppend ends the hold that endLead has begun, unless d itself holds back appends.
func (l *leader) letAppend(d *decision) {
	if d.lead == sheltered {
		d.lead = promoted
		l.hold(l.Key, false)
	}
}

// asLeader calls do, which tidies up by swapping the head of the call's structure. The call leads meanwhile and holds back
// appends. Otherwise these might come without a pause, and do would lose every race against them. If another call of the
// event loop tidies up already, asLeader does nothing: only one could succeed.
func (l *leader) asLeader(do func()) {
	if l.Of != nil {
		do()
		return
	}
	if l.env.Decisions().tidied(l.Key) {
		return
	}
	d := &decision{kind: l.Kind, alone: true}
	if !l.enter(d) {
		l.waitFor(d)
	}
	defer func() { l.endLead([]*decision{d}) }()
	l.holdAsLeader(d)
	defer l.hold(l.Key, false)
	do()
}

// Waits reports whether the call would have to wait if it decided now or gave an order, because other
// calls of the event loop decide on the structure. An order that looks at the structure
// ([Order.Looks]) would see it as it is after the wait.
func (l *leader) Waits() bool { return l.env.Decisions().led(l.Key) }

// enter is [Decisions.join]. From now on the call takes effect before those that join later.
func (l *leader) enter(d *decision) (leads bool) {
	l.Queued = true
	return l.env.Decisions().join(l.Key, d)
}

// waitFor waits until the leader has decided d, or has made it the leader. It drops what the call
// has loaded and releases the memory for that, since the leader may be waiting for memory.
func (l *leader) waitFor(d *decision) {
	l.loader.drop()
	l.KeepReserved(0)
	l.Wait(&d.waiter, func() { l.leave(d) })
}

// leave ends the waiting of a call that was closed.
func (l *leader) leave(d *decision) {
	if d.lead.isPromoted() {
		l.letAppend(d)
		l.endLead([]*decision{d})
	} else {
		l.env.Decisions().leave(l.Key, d)
	}
}

// askFirst carries out first, if it is not nil.
func (l *leader) askFirst(first *First) {
	if first != nil {
		first.Reply, first.Asked = l.Ask(first.Op), true
	}
}

// askAfter carries out op, and before it first, if that is not nil. It returns the reply to op.
func (l *leader) askAfter(first *First, op verbs.Op) verbs.Reply {
	if first == nil {
		return l.Ask(op)
	}
	replies := l.AskAll([]verbs.Op{first.Op, op})
	first.Reply, first.Asked = replies[0], true
	return replies[1]
}
