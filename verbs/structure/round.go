package structure

import "github.com/memverbs/memverbs/verbs"

// round is a set of decisions that a call makes as the leader. The first decision is its own.
type round struct {
	e   *Engine
	all []*decision
}

// only leaves all but the first n decisions to a later round.
func (r *round) only(n int) {
	r.e.env.Decisions().putBack(r.e.Key, r.all[n:])
	r.all = r.all[:n]
}

// create creates the structure from the decisions, each of which is made on the result of those
// before it: Stored; NotStored if there is an item under the key now; Exists if there was no memory
// and a retry will wait for it; or Failed.
func (r *round) create() verbs.Reply {
	now := r.e.env.Now()
	fold := r.e.Kind.New()
	fold.Read(&r.e.Pace, nil, now)
	r.e.weigh(fold)
	var log []byte
	for i, d := range r.all {
		tokens := d.choose(&r.e.Pace, fold).Tokens
		if i > 0 && !Appended(r.e.env, r.e.Key, len(log)+len(tokens)) {
			r.only(i)
			break
		}
		log = append(log, tokens...)
		if i+1 < len(r.all) && !fold.Extend(log, now) {
			r.only(i + 1)
			break
		}
	}
	if !Appended(r.e.env, r.e.Key, len(log)) {
		return r.e.insertNew(log)
	}
	return r.e.Ask(verbs.Op{Kind: verbs.Add, Key: r.e.Key, Data: log, Exptime: r.e.Exptime})
}

// errUnfinished answers the waiting calls if their leader is closed.
const errUnfinished = "SERVER_ERROR not finished"

// tell passes the outcome to the others, and makes another call the leader.
func (r *round) tell(outcome verbs.Reply) {
	for _, d := range r.all {
		d.outcome = verbs.Reply{Status: outcome.Status, Err: outcome.Err}
	}
	r.e.endLead(r.all)
}

// race makes the decisions, only if the structure does not change meanwhile. After tries lost races
// it returns Exists, or [verbs.Contended] if the decisions can't be carried out as orders.
func (r *round) race(tries int) verbs.Reply {
	r.e.holdAsLeader(r.all[0])
	defer r.e.hold(r.e.Key, false)
	defer r.e.endLoans()
	g := ground{e: r.e, before: r.e.takeBefore(r.e.Key)}
	defer func() { g.tellTakenAlong(verbs.Reply{Err: errUnfinished}) }()
	for range tries {
		if found := g.find(r.all[0].alone); found.Status != verbs.Hit {
			return found
		}
		decided := g.choose(&g.e.Pace, r.all)
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
			if settled := r.e.Settle(r.e.Key, min(r.e.HeadLimit(r.e.Key), verbs.SurelyTaken)); settled.Status == verbs.Failed {
				return settled
			}
		default:
			return outcome
		}
	}
	if r.all[0].order != nil {
		return verbs.Reply{Status: verbs.Exists}
	}
	return verbs.Contended(r.e.Shown(r.e.Key))
}
