package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// round is a set of decisions that a call makes as the leader. The first decision is its own.
type round struct {
	l   *leader
	all []*decision
}

// only leaves all but the first n decisions to a later round.
func (r *round) only(n int) {
	r.l.env.Decisions().putBack(r.l.Key, r.all[n:])
	r.all = r.all[:n]
}

// create creates the structure from the decisions, each of which is made on the result of those
// before it: Stored; NotStored if there is an item under the key now; Exists if there was no memory
// and a retry will wait for it; Missing if the decisions add nothing; or Failed.
func (r *round) create() verbs.Reply {
	now := r.l.env.Now()
	fold := r.l.Kind.New()
	fold.Read(&r.l.Pace, nil, now)
	r.l.weigh(fold, nil)
	var log []byte
	var first *First
	for i, d := range r.all {
		tokens := d.choose(&r.l.Pace, fold).Tokens
		if i == 0 {
			first = d.firstOf(tokens)
		}
		if i > 0 && !Appended(r.l.env, r.l.Key, len(log)+len(tokens)) {
			r.only(i)
			break
		}
		log = append(log, tokens...)
		if i+1 < len(r.all) && !fold.Extend(log, now) {
			r.only(i + 1)
			break
		}
	}
	if len(log) == 0 { // nobody adds anything, and an empty item would be of no kind
		return verbs.Reply{Status: verbs.Missing}
	}
	if !Appended(r.l.env, r.l.Key, len(log)) {
		r.l.askFirst(first)
		return r.l.settler.insertNew(log)
	}
	return r.l.askAfter(first, verbs.Op{Kind: verbs.Add, Key: r.l.Key, Data: log, Exptime: r.l.Exptime})
}

// errUnfinished answers the waiting calls if their leader is closed.
const errUnfinished = "SERVER_ERROR not finished"

// tell passes the outcome to the others, and makes another call the leader.
func (r *round) tell(outcome verbs.Reply) {
	for _, d := range r.all {
		d.outcome = verbs.Reply{Status: outcome.Status, Err: outcome.Err}
	}
	r.l.endLead(r.all)
}

// race makes the decisions, only if the structure does not change meanwhile. After tries lost races
// it returns lost.
func (r *round) race(tries int, lost verbs.Reply) verbs.Reply {
	r.l.holdAsLeader(r.all[0])
	defer r.l.hold(r.l.Key, false)
	var before *views.View // what the next race may begin with
	defer func() {
		r.l.loader.endLoans()
		r.l.loader.before = before
	}()
	g := ground{l: r.l, before: r.l.loader.takeBefore(r.l.Key)}
	defer func() { g.tellTakenAlong(verbs.Reply{Err: errUnfinished}) }()
	for range tries {
		if found := g.find(r.all[0].alone); found.Status != verbs.Hit {
			return found
		}
		decided := g.choose(&g.l.Pace, r.all)
		if decided == 0 {
			g.agreed(verbs.Reply{Status: verbs.Exists})
			continue
		}
		r.only(decided)
		switch outcome := g.carryOut(); outcome.Status {
		case verbs.Stored:
			outcome.Grown = g.grown()
			return outcome
		case verbs.Exists:
		case verbs.NotStored, verbs.Missing: // the head is full or gone
			if settled := r.l.settler.Settle(r.l.Key, min(r.l.limits.HeadLimit(r.l.Key), verbs.SurelyTaken)); settled.Status == verbs.Failed {
				return settled
			}
		default:
			return outcome
		}
	}
	before = g.before
	return lost
}
