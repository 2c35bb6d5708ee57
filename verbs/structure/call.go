package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// call is the part of an [Engine] that all others know: the call of a verb, and how it asks for the items of its
// structure.
type call struct {
	*verbs.Call
	env  Env
	Kind *format.Kind // the kind of the verb

	// Of is the key of the other structure if the engine works on a structure that is a part of
	// another one, such as the index of a table: all its items are on the upstream that owns that
	// key. It is nil otherwise.
	Of []byte
}

// owner returns the key by which the structure under key is placed.
func (c *call) owner(key []byte) []byte {
	if c.Of != nil {
		return c.Of
	}
	return key
}

// Ask is [verbs.Call.Ask] for an item of a structure that the engine works on.
func (c *call) Ask(op verbs.Op) verbs.Reply {
	c.Ops = append(c.Ops[:0], op)
	return c.AskAll(c.Ops)[0]
}

// AskAll is [verbs.Call.AskAll] for items of structures that the engine works on.
func (c *call) AskAll(ops []verbs.Op) []verbs.Reply {
	if c.Of != nil {
		for i := range ops {
			ops[i].Of = c.Of
		}
	}
	return c.Call.AskAll(ops)
}

// hold asks the proxy to hold back other calls' appends to the head under key, or ends that.
func (c *call) hold(key []byte, on bool) { c.env.Hold(c.owner(key), key, on) }

// noteLost reports that the structure under key is lost, unless it is a part of another structure:
// then the verb on that structure reports the loss.
func (c *call) noteLost(key []byte) {
	if c.Of == nil {
		c.env.NoteLost(key, c.Shown(key), c.Kind.Name)
	}
}

// known returns the value and the version that the head under key had when its view was made. It has no CAS if there is no view.
func (c *call) known(key []byte) (r verbs.Reply) {
	if v := c.viewOf(key); v != nil && v.Standing != views.Outdated {
		r = verbs.Reply{Status: verbs.Hit, Data: v.Value(), Copied: true, CAS: v.CAS, Epoch: v.Epoch, Size: v.Size, Indirect: v.Indirect}
	}
	return r
}

// catchUp extends the view of the structure under key by what was appended, as r has read the head, if there is such a view.
func (c *call) catchUp(key []byte, r *verbs.Reply) {
	if v := c.viewOf(key); v != nil && !v.InUse() && !v.Matches(r) {
		c.env.Views().CatchUp(v, r, c.Pace.Freely(), c.env.Now())
	}
}

// fetchAgain fetches the head under key. It only probes it if it still has the version of known, and then returns the value of that.
func (c *call) fetchAgain(key []byte, known verbs.Reply) verbs.Reply {
	if known.CAS != 0 && !known.Indirect && len(known.Data) == known.Size {
		r := c.Ask(verbs.Op{Kind: verbs.Probe, Key: key})
		if r.Status != verbs.Hit {
			return r
		}
		if r = unchanged(known, r); r.Status == verbs.Hit {
			return r
		}
	}
	return c.Ask(verbs.Op{Kind: verbs.Fetch, Key: key})
}

// unchanged returns probe with the value of known, a copy of what was read of the same head before; or an empty reply if the head
// has changed since.
func unchanged(known, probe verbs.Reply) (r verbs.Reply) {
	if probe.Status == verbs.Hit && !known.Indirect && format.VersionOf(&probe) == format.VersionOf(&known) {
		r = probe
		r.Data, r.Copied = known.Data, true
	}
	return r
}

// viewOf returns the view of the structure under key if it is of the engine's kind,
// else nil.
func (c *call) viewOf(key []byte) *views.View { return c.env.Views().Of(key, c.Kind) }

// advance brings v up to date with the time, see [views.Views.Advance].
func (c *call) advance(v *views.View) bool { return c.env.Views().Advance(v, c.env) }
