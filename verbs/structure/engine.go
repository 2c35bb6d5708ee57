package structure

import "github.com/memverbs/memverbs/verbs"

// Engine carries out what calls ask of structures that are logs, of whatever kind: it
// reads them, changes them, and keeps them short. It remains with its routine, with the
// memory that later calls use again.
type Engine struct {
	*verbs.Call
	env  Env
	Kind *Kind // of which the verb is

	limit  int // what the head may become, see HeadLimit
	loaded int // bytes of room for what was loaded

	List  []Loaded   // scratch: what was loaded last
	first []byte     // scratch: the head of the first of them
	log   []byte     // scratch: and its segments
	folds []kindFold // scratch: one for each kind
	lent  []*view    // that the call works on

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

// EngineOf returns the engine of a call that is about structures of a kind.
func EngineOf(c *verbs.Call, kind *Kind) *Engine {
	e, ok := c.Keeper.(*Engine)
	if !ok {
		e = &Engine{Call: c, env: c.Env.(Env)}
		c.Keeper = e
	}
	e.Kind = kind
	return e
}

// Direct reports whether op, which appends to the head, can be all that a call does. See
// [verbs.Verb].
func (c *Engine) Direct(op verbs.Op) (verbs.Op, bool) {
	c.limit = c.HeadLimit(c.Key)
	return op, len(op.Data) <= c.limit && c.Fits(c.Key, c.Key, op.Data) && c.env.AppendCreates(c.Key)
}

// foldOf returns the fold that the call has for structures of a kind.
func (c *Engine) foldOf(kind *Kind) Fold {
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
func (c *Engine) replace(kind *Kind, fold Fold) {
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

// FoldLog folds a log of a structure of a kind, which has so many tokens at most if it
// is a long one. It returns nil if that is no such log.
func (c *Engine) FoldLog(kind *Kind, log []byte, tokens int) Fold {
	fold := c.foldOf(kind)
	if tokens > 0 {
		if room := kind.Room(tokens); room > verbs.MuchMemory && fold.Kept() < room {
			fold = c.larger(kind, fold, 2*room)
		}
		c.Pace.Rest(tokens)
		fold.Expect(&c.Pace, tokens)
	}
	if !fold.Read(&c.Pace, log, c.env.Now()) {
		return nil
	}
	return fold
}

// larger returns the fold that was kept for large logs, if that has more memory than the
// call's and no more than most bytes; otherwise the call's.
func (c *Engine) larger(kind *Kind, fold Fold, most int) Fold {
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
func (c *Engine) takeScratch() {
	if c.scratch.Size() == 0 {
		c.scratch = c.env.TakeScratch()
	}
}

// keepScratch keeps a fold that is large for other calls.
func (c *Engine) keepScratch() {
	of := c.scratch.kindFold
	c.replace(of.kind, nil)
	of.fold.Trim(of.fold.Kept())
	c.env.KeepScratch(c.scratch)
}

// LetGo implements [verbs.Keeper].
func (c *Engine) LetGo() {
	c.GiveBack()
	c.loaded = 0
	for i := range c.List {
		c.List[i] = Loaded{Key: c.List[i].Key}
	}
	c.first, c.log = nil, nil
	for i := range c.folds {
		c.folds[i].fold.Trim(0)
	}
	c.scratch = Scratch{}
}

// LetGoOfLogs lets go of the logs that were read, if they are long, when what they come to
// is not needed any more. There are no views of them.
func (c *Engine) LetGoOfLogs() {
	if cap(c.first)+cap(c.log) > verbs.KeptScratch {
		c.first, c.log = nil, nil
	}
}

// Trim implements [verbs.Keeper].
func (c *Engine) Trim(keep int) {
	c.loaded = 0
	log := c.log
	for _, b := range []*[]byte{&c.first, &c.log} {
		if cap(*b) > keep {
			*b = nil
		}
	}
	for _, of := range c.folds {
		if of.fold.Kept() > max(keep, verbs.MuchMemory) {
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
	clear(c.List[:cap(c.List)])
}

// Kept implements [verbs.Keeper].
func (c *Engine) Kept() int {
	kept := cap(c.first) + cap(c.log)
	for i := range c.folds {
		kept += c.folds[i].fold.Kept()
	}
	return kept
}
