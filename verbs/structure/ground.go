package structure

import "github.com/memverbs/memverbs/verbs"

// ground is what decisions are made on: a view that nobody else uses meanwhile, as it is
// ahead of the structure until what was decided has been appended.
type ground struct {
	*Engine
	view   *view
	was    view  // the same before anything was decided
	before *view // one that has turned out to be wrong
	kept   bool  // the view is one of those that the loop keeps
	fixed  bool  // others use what it folds to, so it can't be changed
	sure   bool  // it was found to be true by this call
	tokens []byte
}

// find finds the view: one that is kept, which may not be true any more, as that shows in
// the end; or, if what is to be decided takes much memory, what there is now. It returns
// Hit, or why there is none.
func (g *ground) find(surely bool) verbs.Reply {
	v := g.viewOf(g.Key)
	if v != nil && v.wantsProbe(g.env.Now()) {
		g.probeParts(v)
		v = g.viewOf(g.Key)
	}
	g.fixed = false
	if g.sure = v == nil || v.users > 0 || surely || g.before != nil; g.sure {
		s := g.loadAfter(g.Key, Sampled, g.before)
		switch {
		case s.Reply.Status != verbs.Hit:
			return s.Reply
		case g.Read(s) == nil:
			return NotOfKind(g.Key, g.Kind)
		case s.Reply.CAS == 0:
			return unswappable(g.Key)
		}
		g.GiveBack()
		v = s.view
		if g.fixed = v != nil && v.users > 0; v == nil || g.fixed {
			v = newView(s, g.Kind, g.env.Now())
		}
	}
	g.kept = !v.gone
	g.env.Views().drop(v)
	g.view, g.was = v, *v
	return verbs.Reply{Status: verbs.Hit}
}

// choose has calls decide, one after another, and collects what they append. It returns
// how many of them could.
func (g *ground) choose(all []*decision) int {
	g.tokens = g.tokens[:0]
	for i, d := range all {
		tokens := d.choose(&g.Pace, g.view.fold)
		if i > 0 && !Appended(g.env, g.Key, len(g.tokens)+len(tokens)) {
			return i
		}
		g.tokens = append(g.tokens, tokens...)
		if len(tokens) == 0 || !g.kept && i == len(all)-1 {
			continue
		}
		if g.fixed || !g.view.endsInSpace() || !g.view.extend(tokens, g.env.Now()) {
			g.kept = false
			return i + 1
		}
	}
	return len(all)
}

// carryOut appends what was chosen, if the head is still what the view is of. It returns
// Stored if that is so, or why not, see [Engine.lead].
func (g *ground) carryOut() verbs.Reply {
	r := verbs.Reply{Status: verbs.Stored, CAS: g.was.cas, Size: g.was.size}
	switch {
	case len(g.tokens) > 0 && !Appended(g.env, g.Key, len(g.tokens)):
		g.kept = false
		r = g.insertTokens()
	case len(g.tokens) > 0:
		r = g.Ask(verbs.Op{Kind: verbs.AppendIf, Key: g.Key, Data: g.tokens, CAS: g.was.cas, Epoch: g.was.epoch})
	case !g.sure:
		r = g.Ask(verbs.Op{Kind: verbs.Probe, Key: g.Key})
		if g.was.holds(&r) {
			r.Status = verbs.Stored
		} else if r.Status != verbs.Failed {
			r.Status = verbs.Exists
		}
	}
	if r.Status != verbs.Stored {
		g.env.Views().note(g.sure, false)
		g.before, g.view = g.view, nil
		return r
	}
	g.env.Views().note(g.sure, true)
	if g.kept && r.CAS != 0 && r.Size == g.was.size+len(g.tokens) {
		g.view.cas, g.view.size, g.view.gone = r.CAS, r.Size, false
		g.env.Views().keep(g.view)
	}
	return r
}

// insertTokens makes a change that is too large to be appended.
func (g *ground) insertTokens() verbs.Reply {
	r := g.Ask(verbs.Op{Kind: verbs.Fetch, Key: g.Key})
	switch {
	case g.was.holds(&r):
		return g.insertInto(r, g.tokens)
	case r.Status == verbs.Failed:
		return r
	}
	return verbs.Reply{Status: verbs.Exists}
}
