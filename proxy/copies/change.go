package copies

// Change is the order of a change. The lead is changed when all others that are up have answered, and its client is answered
// after that.
//
//	others ──all have answered──▶ lead ──▶ answers
//	   └──one may or may not have changed, and is still used──▶ fails
type Change struct {
	Lead    int // the copy that is changed last
	Others  Set // those that are changed, or deleted, before it
	Away    Set // those that are down: the key is outdated there
	kind    Kind
	waiting Set // of the others
	changed Set // those that have answered
	unclear bool
}

// Result is what became of the change of one copy.
type Result uint8

const (
	Replied Result = iota // the server has replied
	Lost                  // it is not known, and the server is not used before the key was deleted there
	Unclear               // it is not known, and the server is used
)

// Step is what follows for a change.
type Step uint8

const (
	Waits   Step = iota // for other copies
	Leads               // the lead is to be changed
	Answers             // the client gets the reply of the first copy that has replied
	Fails               // the client gets the error of the copy that was told last, or of one that was unclear
)

// NewChange returns the change of a kind to so many copies, of which some are up, the first one for the kind [Alone].
func NewChange(kind Kind, n int, up Set) Change {
	lead := up.First()
	return Change{Lead: lead, Others: up.Without(lead), Away: allOf(n) &^ up, kind: kind, waiting: up.Without(lead)}
}

// Next returns what follows from the answers of the others so far.
func (c *Change) Next() Step {
	switch {
	case c.waiting != 0:
		return Waits
	case c.unclear:
		return Fails
	}
	return Leads
}

// Told is called when one of the others has answered, or will not.
func (c *Change) Told(copy int, r Result) Step {
	c.waiting = c.waiting.Without(copy)
	switch r {
	case Replied:
		c.changed = c.changed.With(copy)
	case Unclear:
		c.unclear = true
	}
	return c.Next()
}

// LeadTold is called when the lead has answered, or will not.
func (c *Change) LeadTold(r Result) Step {
	switch {
	case r == Replied:
		c.changed = c.changed.With(c.Lead)
	case r == Unclear || c.kind == Alone || c.changed == 0:
		return Fails
	}
	return Answers
}
