package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// ground is the view that a leader decides on. The view is ahead of memcached until the tokens have been
// appended. So no other call uses it meanwhile, unless there is a single decision, which is made without
// a pause.
type ground struct {
	l      *leader
	view   *views.View
	claim  claim          // to the view
	was    format.Version // of the head before anything was decided
	before *views.View    // a view that turned out to be outdated
	sure   bool           // this call has checked that the view agrees with memcached

	tokens   []byte
	last     []byte           // the end of tokens, with which the view is not extended yet
	ends     bool             // the structure is empty after the tokens, so it is deleted instead, see emptied.go
	segments []format.Segment // of the structure
	first    *First           // the leader's, nil if it has none or has no tokens
	company  company          // appends that are taken along, before the decisions
	joined   bool             // there are several calls
}

// find sets the view. Usually that is the kept view, without a check, because the final append
// fails if it is outdated. The structure is loaded instead if there is no usable view, if another
// head may have the view's CAS, or if surely is set. It returns Hit, or why it failed.
func (g *ground) find(surely bool) verbs.Reply {
	v := g.l.viewOf(g.l.Key)
	if v != nil && v.WantsProbe(g.l.env.Uptime()) {
		g.l.loader.probeParts(v)
		v = g.l.viewOf(g.l.Key)
	}
	inUse := false
	if v != nil && v.Standing == views.Outdated && g.before == nil {
		g.before = v
	}
	if g.sure = v == nil || v.InUse() || v.Indirect || surely || g.before != nil || !g.l.advance(v); g.sure {
		s := g.l.loader.loadAfter(g.l.Key, Sampled, g.before)
		switch {
		case s.Reply.Status != verbs.Hit:
			return s.Reply
		case g.l.loader.Read(s) == nil:
			return NotOfKind(g.l.Shown(g.l.Key), g.l.Kind)
		case s.Reply.CAS == 0:
			return unswappable(g.l.Shown(g.l.Key))
		}
		g.l.loader.endLoans()
		v = s.view
		if inUse = v != nil && v.InUse(); inUse {
			g.l.loader.lent.Lend(v) // so that no other call changes its fold while a call decides
		}
		if v == nil || inUse {
			v = views.NewView(&s.Reading, g.l.Kind, s.Fold)
		}
	}
	g.view, g.was, g.claim = v, v.Version, claimTo(v, inUse)
	g.l.env.Views().Drop(v)
	return verbs.Reply{Status: verbs.Hit}
}

// take keeps other calls from using the view.
func (g *ground) take() {
	if g.claim == shared {
		g.l.env.Views().Drop(g.view)
	}
	g.claim = g.claim.take()
}

// choose lets the calls decide, one after another, and collects their tokens. It returns how many
// of them have decided; the others must wait for the next round. It returns 0 if the view can't be
// used any more.
func (g *ground) choose(p *verbs.Pace, all []*decision) int {
	g.tokens, g.last, g.first, g.ends, g.segments = nil, nil, nil, false, g.view.Head.Segments
	spares := g.spares(all[0])
	if !all[0].alone && !spares && !g.takeAlong() {
		return 0
	}
	g.joined = len(all) > 1 || g.company.awaits()
	g.l.weigh(g.view.Fold, g.segments)
	for i, d := range all {
		choice := d.choose(p, g.view.Fold)
		tokens := choice.Tokens
		if i > 0 && !Appended(g.l.env, g.l.Key, len(g.tokens)+len(tokens)) {
			return i
		}
		g.ends = choice.Empties && g.view.Ends
		if i == 0 {
			g.first = d.firstOf(tokens)
		}
		if len(g.tokens) == 0 {
			g.tokens = slices.Clip(tokens)
		} else {
			g.tokens = append(g.tokens, tokens...)
		}
		switch {
		case len(tokens) == 0:
		case i == len(all)-1, spares:
			g.last = tokens
			return i + 1
		case !g.extend(tokens):
			g.claim = g.claim.giveUp()
			return i + 1
		}
	}
	return len(all)
}

// extend adds the tokens of a decision to the view. It returns false if that is impossible, or if
// they are so many that other clients would have to wait.
func (g *ground) extend(tokens []byte) bool {
	if !g.extensible(tokens) {
		return false
	}
	g.take()
	return g.view.Extend(tokens, g.l.env.Now())
}

func (g *ground) extensible(tokens []byte) bool {
	return g.claim.changes() && g.view.EndsInSpace() && len(tokens) <= g.l.Pace.Freely()
}

// takeAlong adds the waiting appends of other calls to the tokens and to the view, so that they
// come before the decisions. It returns false if the view can't be extended by them.
func (g *ground) takeAlong() bool {
	if !g.claim.changes() || g.company == takesNone || !g.view.EndsInSpace() {
		return true
	}
	g.tokens = append(g.tokens, g.l.env.TakeAlong(g.l.owner(g.l.Key), g.l.Key, g.l.limits.HeadLimit(g.l.Key)/takenShare)...)
	if len(g.tokens) > 0 {
		g.take()
		g.company = g.company.took(g.view.Remains(g.tokens) && g.view.Extend(g.tokens, g.l.env.Now()))
	}
	return g.company != takenInVain
}

// takenShare limits the appends that are taken along, in bytes, to the greatest length of a head
// divided by takenShare, so that the tokens of the decisions have room in the same append.
const takenShare = 4

// carryOut appends the tokens, or deletes the structure, if the head still agrees with the view. If there
// is nothing to append, it only checks that. It returns Stored or, see round.race, why it did not
// succeed.
func (g *ground) carryOut() verbs.Reply {
	switch {
	case g.ends:
		r := g.carriedOut(g.l.Ask(g.op()))
		if r.Status == verbs.Stored {
			g.l.writer.remove(g.l.Key, g.segments)
		}
		return r
	case len(g.tokens) > 0 && !Appended(g.l.env, g.l.Key, len(g.tokens)):
		g.l.askFirst(g.first)
		r := g.insertTokens()
		if r.Status == verbs.Stored {
			g.claim = g.claim.giveUp()
		}
		return g.agreed(r)
	case len(g.tokens) == 0 && g.sure:
		return g.agreed(verbs.Reply{Status: verbs.Stored, CAS: g.was.CAS, Size: g.was.Size})
	}
	return g.carriedOut(g.l.askAfter(g.first, g.op()))
}

// op returns the operation that carries out the decisions or, if there is nothing to do, checks that
// the head agrees with the view.
func (g *ground) op() verbs.Op {
	switch {
	case g.ends:
		return g.was.Deletion(g.l.Key)
	case len(g.tokens) == 0:
		return verbs.Op{Kind: verbs.Probe, Key: g.l.Key}
	}
	return verbs.Op{Kind: verbs.AppendIf, Key: g.l.Key, Data: g.tokens, CAS: g.was.CAS, Epoch: g.was.Epoch}
}

// carriedOut takes the reply to that operation.
func (g *ground) carriedOut(r verbs.Reply) verbs.Reply {
	if len(g.tokens) == 0 && !g.ends {
		if g.was.Matches(&r) {
			r.Status = verbs.Stored
		} else if r.Status != verbs.Failed {
			r.Status = verbs.Exists
		}
	}
	return g.agreed(r)
}

// grown returns by how many bytes the head has grown by the append.
func (g *ground) grown() int {
	if g.ends {
		return 0
	}
	return len(g.tokens)
}

// agreed brings the view up to date with the time if, according to r, the head has agreed with it.
// It returns r.
func (g *ground) agreed(r verbs.Reply) verbs.Reply {
	g.tellTakenAlong(r)
	if r.Status != verbs.Stored {
		g.note(false)
		g.lost(r)
		return r
	}
	g.note(true)
	if g.claim.keeps() && r.CAS != 0 && r.Size == g.was.Size+len(g.tokens) {
		g.keep(r)
	}
	return r
}

// lost makes the view the one to begin with if the call decides again. It is as good as before unless decisions
// were added to it.
func (g *ground) lost(r verbs.Reply) {
	v, views := g.view, g.l.env.Views()
	if r.Status == verbs.Exists && g.l.isLong(v.Fold) {
		g.l.env.Decisions().orders.noteLong(g.l.Key, g.l.env.Uptime())
	}
	if g.claim == held && g.l.viewOf(g.l.Key) == nil {
		views.Keep(v)
	}
	g.before, g.view = v, nil
}

// spares reports whether nothing may be added to the view before memcached has it. That is so if the calls give no
// orders, and a race for the structure, which takes long to fold, was lost lately. If the next race is lost too, only what
// others have appended has to be added to the view. If decisions had been added to it, the whole log would have to be folded
// after each lost race; others would always have appended again by then, so that no call would ever win.
func (g *ground) spares(first *decision) bool {
	return first.order == nil && g.l.isLong(g.view.Fold) && g.l.env.Decisions().orders.longLost(g.l.Key, g.l.env.Uptime())
}

// note counts whether the view agreed with its structure, unless that was counted when the call loaded the
// structure.
func (g *ground) note(agreed bool) {
	if !g.sure {
		g.l.env.Views().Note(agreed)
	}
}

// keep brings the view up to date with the append, given its reply r, and keeps it. A view that other
// calls could use meanwhile is kept only if it has not changed since.
func (g *ground) keep(r verbs.Reply) {
	v, kept := g.view, g.l.env.Views()
	switch {
	case g.claim == shared && (v.Gone || v.InUse() || v.Version != g.was):
	case len(g.last) > 0 && !(g.extensible(g.last) && v.Extend(g.last, g.l.env.Now())):
		kept.Drop(v)
	default:
		v.CAS, v.Size, v.Standing, v.Joined = r.CAS, r.Size, views.Decided, g.joined
		if g.claim == shared {
			kept.Grown(v)
		} else {
			kept.Keep(v)
		}
	}
}

// tellTakenAlong passes the outcome to the calls whose appends were taken along.
func (g *ground) tellTakenAlong(r verbs.Reply) {
	if g.company.awaits() {
		g.company = g.company.told()
		g.l.env.TookAlong(g.l.owner(g.l.Key), g.l.Key, r)
	}
}

// insertTokens adds tokens that are too long to append.
func (g *ground) insertTokens() verbs.Reply {
	r := g.l.Ask(verbs.Op{Kind: verbs.Fetch, Key: g.l.Key})
	switch {
	case g.was.Matches(&r):
		return g.l.settler.insertInto(r, g.tokens)
	case r.Status == verbs.Failed:
		return r
	}
	return verbs.Reply{Status: verbs.Exists}
}
