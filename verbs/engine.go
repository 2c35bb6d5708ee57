package verbs

// engine carries out what calls ask of structures that are logs, of whatever kind: it
// reads them, changes them, and keeps them short. It remains with its routine, with the
// memory that later calls use again.
type engine struct {
	*Call
	kind *Kind // of which the verb is

	list  []structure // scratch: what was loaded last
	first []byte      // scratch: the head of the first of them
	log   []byte      // scratch: and its segments
	folds []kindFold  // scratch: one for each kind
	lent  []*view     // that the call works on

	scratch Scratch // that was taken and is not used yet
}

type kindFold struct {
	kind *Kind
	fold Fold
}

// Scratch is memory for folding large logs. To get it from the system again and again
// takes longer than to fold.
type Scratch struct {
	kindFold
	log []byte
}

// Size returns how many bytes of memory s is.
func (s *Scratch) Size() int {
	size := cap(s.log)
	if s.fold != nil {
		size += s.fold.Kept()
	}
	return size
}

// engineOf returns the engine of a call that is about structures of a kind.
func engineOf(c *Call, kind *Kind) *engine {
	e, ok := c.keeper.(*engine)
	if !ok {
		e = &engine{Call: c}
		c.keeper = e
	}
	e.kind = kind
	return e
}

// direct reports whether op, which appends to the head, can be all that a call does. See
// [Verb].
func (c *engine) direct(op Op) (Op, bool) {
	c.limit = c.headLimit(c.key)
	return op, len(op.Data) <= c.limit && c.fits(c.key, c.key, op.Data) && c.env.AppendCreates(c.key)
}

// foldOf returns the fold that the call has for structures of a kind.
func (c *engine) foldOf(kind *Kind) Fold {
	for i := range c.folds {
		if c.folds[i].kind == kind {
			return c.folds[i].fold
		}
	}
	f := kind.New()
	c.folds = append(c.folds, kindFold{kind, f})
	return f
}

// replace has the call use another fold for structures of a kind from now on, or a new
// one if that is nil.
func (c *engine) replace(kind *Kind, fold Fold) {
	for i := range c.folds {
		if c.folds[i].kind != kind {
			continue
		}
		if fold != nil {
			c.folds[i].fold = fold
			return
		}
		last := len(c.folds) - 1
		c.folds[i], c.folds[last] = c.folds[last], kindFold{}
		c.folds = c.folds[:last]
		return
	}
}

// foldLog folds a log of a structure of a kind, which has so many tokens at most if it
// is a long one. It returns nil if that is no such log.
func (c *engine) foldLog(kind *Kind, log []byte, tokens int) Fold {
	fold := c.foldOf(kind)
	if tokens > 0 {
		if room := kind.Room(tokens); room > muchMemory && fold.Kept() < room {
			fold = c.larger(kind, fold, 2*room)
		}
		c.pace.rest(tokens)
		fold.Expect(&c.pace, tokens)
	}
	if !fold.Read(&c.pace, log, c.env.Now()) {
		return nil
	}
	return fold
}

// larger returns the fold that was kept for large logs, if that has more memory than the
// call's and no more than most bytes; otherwise the call's.
func (c *engine) larger(kind *Kind, fold Fold, most int) Fold {
	c.takeScratch()
	kept := c.scratch.kindFold
	c.scratch.kindFold = kindFold{}
	if kept.kind != kind || kept.fold.Kept() <= fold.Kept() || kept.fold.Kept() > most {
		return fold
	}
	c.replace(kind, kept.fold)
	return kept.fold
}

// takeScratch takes what was kept for large folds.
func (c *engine) takeScratch() {
	if c.scratch.Size() == 0 {
		c.scratch = c.env.TakeScratch()
	}
}

// keepScratch keeps a fold that is large for other calls.
func (c *engine) keepScratch() {
	of := c.scratch.kindFold
	c.replace(of.kind, nil)
	of.fold.Trim(of.fold.Kept())
	c.env.KeepScratch(c.scratch)
}

// letGo implements [keeper].
func (c *engine) letGo() {
	c.giveBack()
	for i := range c.list {
		c.list[i] = structure{key: c.list[i].key}
	}
	c.first, c.log = nil, nil
	for i := range c.folds {
		c.folds[i].fold.Trim(0)
	}
	c.scratch = Scratch{}
}

// trim implements [keeper].
func (c *engine) trim(keep int) {
	log := c.log
	for _, b := range []*[]byte{&c.first, &c.log} {
		if cap(*b) > keep {
			*b = nil
		}
	}
	for _, of := range c.folds {
		if of.fold.Kept() > max(keep, muchMemory) {
			c.scratch.kindFold = of
			if c.log == nil {
				c.scratch.log = log[:0]
			}
			c.keepScratch()
			break
		}
	}
	c.scratch = Scratch{}
	for i := range c.folds {
		c.folds[i].fold.Trim(keep)
	}
	clear(c.list[:cap(c.list)])
}

// kept implements [keeper].
func (c *engine) kept() int {
	kept := cap(c.first) + cap(c.log)
	for i := range c.folds {
		kept += c.folds[i].fold.Kept()
	}
	return kept
}
