package structure

import "github.com/memverbs/memverbs/verbs"

// Engine reads, changes and tidies structures of any kind for the calls of one routine.
// It stays with the routine, so that later calls reuse its memory.
type Engine struct {
	*verbs.Call
	env  Env
	Kind *Kind // the kind of the verb

	// Of is the key of the owner if the engine works on a structure that is a part of another one,
	// such as the index of a table: all its items are on the owner's upstream. It is nil otherwise.
	Of []byte
	// Spare is how many bytes of the call's room to keep besides what is loaded.
	Spare int
	// Prune drops members that need not be listed any more, for a reason that only the verb
	// knows: given the fold of a log, it returns tokens that remove them. If the structure is
	// stuck, as it had no room for more lately, it finds all of them, else it may leave some. It
	// may ask for operations. The tokens are added whenever the log is folded away, in the place
	// of what was folded, so what was appended meanwhile comes after them. It returns Hit, or why
	// it failed. It is nil if nothing is ever pruned.
	Prune func(fold Fold, stuck bool) (tokens []byte, outcome verbs.Reply)

	loaded int // bytes of room for what was loaded and its use

	List  []Loaded   // scratch: the structures loaded last
	first []byte     // scratch: the head of the first of List
	log   []byte     // scratch: the log of its segments
	folds []kindFold // scratch: one for each kind
	lent  []*view    // views that the call uses

	before *view // of the call's structure, found outdated just now; nil if none was
	atOnce atOnce
	weight weight // of what the call has decided on last

	lasts   lasts   // see exptimeOf
	scratch Scratch // taken from env and not used yet
}

type kindFold struct {
	kind *Kind
	fold Fold
}

// EngineOf returns the engine of a call on structures of the given kind.
func EngineOf(c *verbs.Call, kind *Kind) *Engine {
	e, ok := c.Keeper.(*Engine)
	if !ok {
		e = &Engine{Call: c, env: c.Env.(Env)}
		c.Keeper = e
	}
	e.Kind, e.Of, e.Spare, e.Prune, e.lasts = kind, nil, 0, nil, lasts{}
	return e
}

// owner returns the key by which the structure under key is placed.
func (c *Engine) owner(key []byte) []byte {
	if c.Of != nil {
		return c.Of
	}
	return key
}

// Ask is [verbs.Call.Ask] for an item of a structure that the engine works on.
func (c *Engine) Ask(op verbs.Op) verbs.Reply {
	c.Ops = append(c.Ops[:0], op)
	return c.AskAll(c.Ops)[0]
}

// AskAll is [verbs.Call.AskAll] for items of structures that the engine works on.
func (c *Engine) AskAll(ops []verbs.Op) []verbs.Reply { return c.Call.AskAll(c.placed(ops)) }

// placed makes ops go to the upstream of the structure that the engine's structures are
// parts of.
func (c *Engine) placed(ops []verbs.Op) []verbs.Op {
	if c.Of != nil {
		for i := range ops {
			ops[i].Of = c.Of
		}
	}
	return ops
}

// hold asks the proxy to hold back other calls' appends to the head under key, or ends that.
func (c *Engine) hold(key []byte, on bool) { c.env.Hold(c.owner(key), key, on) }

// noteLost reports that the structure under key is lost, unless it is a part of another structure:
// then the verb on that one reports the loss.
func (c *Engine) noteLost(key []byte) {
	if c.Of == nil {
		c.env.NoteLost(key, key, c.Kind.Name)
	}
}

// foldOf returns the engine's fold for structures of a kind.
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

// replace replaces the engine's fold for a kind. If fold is nil, foldOf will create a
// new one.
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

// FoldLog folds the log of a structure of a kind. tokens is an upper bound of its
// tokens if it is long, else 0. It returns nil if log is not of that kind.
func (c *Engine) FoldLog(kind *Kind, log []byte, tokens int) Fold {
	return c.foldAt(c.env.Now(), kind, log, tokens)
}

// foldAt is FoldLog at a time, in milliseconds since 1970.
func (c *Engine) foldAt(now int64, kind *Kind, log []byte, tokens int) Fold {
	fold := c.foldOf(kind)
	if tokens > 0 {
		if room := kind.Room(tokens); room > verbs.MuchMemory && fold.Kept() < room {
			fold = c.larger(kind, fold, 2*room)
		}
		c.Pace.Rest(tokens)
		fold.Expect(&c.Pace, tokens)
	}
	if !fold.Read(&c.Pace, log, now) {
		return nil
	}
	return fold
}

// ReserveMore raises the call's room to n bytes more than what was loaded takes, see
// [verbs.Call.Reserve].
func (c *Engine) ReserveMore(n int) bool { return c.Reserve(c.loaded + n) }

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

// LetGoOfLogs frees the buffers of the logs if they are long. Call it when the folds are
// no longer needed.
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
