package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// foldOf returns the engine's fold for structures of a kind.
func (e *Engine) foldOf(kind *format.Kind) format.Fold {
	for i := range e.folds {
		if e.folds[i].kind == kind {
			return e.folds[i].fold
		}
	}
	fold := kind.New()
	e.folds = append(e.folds, kindFold{kind, fold})
	return fold
}

// replace replaces the engine's fold for a kind. If fold is nil, foldOf will create a
// new one.
func (e *Engine) replace(kind *format.Kind, fold format.Fold) {
	for i := range e.folds {
		if e.folds[i].kind != kind {
			continue
		}
		if fold != nil {
			e.folds[i].fold = fold
			return
		}
		last := len(e.folds) - 1
		e.folds[i], e.folds[last] = e.folds[last], kindFold{}
		e.folds = e.folds[:last]
		return
	}
}

// countTokens returns an upper bound of the tokens in log, which is of a kind: an exact one if others would have much of the
// memory reserved that a call may have.
func (e *Engine) countTokens(kind *format.Kind, log []byte) int {
	tokens := format.CountTokens(&e.Pace, log)
	if kind.Room(tokens) > e.env.MostRoom()/16 {
		tokens = format.CountExactly(&e.Pace, log)
	}
	return tokens
}

// FoldLog folds the log of a structure of a kind. tokens is an upper bound of its
// tokens if it is long, else 0. It returns nil if log is not of that kind.
func (e *Engine) FoldLog(kind *format.Kind, log []byte, tokens int) format.Fold {
	return e.foldAt(e.env.Now(), kind, log, tokens)
}

// foldAt is FoldLog at a time, in milliseconds since 1970.
func (e *Engine) foldAt(now int64, kind *format.Kind, log []byte, tokens int) format.Fold {
	fold := e.foldOf(kind)
	if tokens > 0 {
		if room := kind.Room(tokens); room > verbs.MuchMemory && fold.Kept() < room {
			fold = e.larger(kind, fold, 2*room)
		}
		e.Pace.Rest(tokens)
		fold.Expect(&e.Pace, tokens)
	}
	if !fold.Read(&e.Pace, log, now) {
		return nil
	}
	return fold
}

// larger returns the scratch fold if it is of the kind and has more memory than fold,
// but no more than most bytes; otherwise it returns fold.
func (e *Engine) larger(kind *format.Kind, fold format.Fold, most int) format.Fold {
	e.takeScratch()
	kept := e.scratch.kindFold
	e.scratch.kindFold = kindFold{}
	if kept.kind != kind || kept.fold.Kept() <= fold.Kept() || kept.fold.Kept() > most {
		return fold
	}
	e.replace(kind, kept.fold)
	return kept.fold
}

// takeScratch takes the scratch memory that env keeps, unless the engine has some
// already.
func (e *Engine) takeScratch() {
	if e.scratch.Size() == 0 {
		e.scratch = e.env.TakeScratch()
	}
}

// keepScratch passes the scratch memory, with one of the engine's folds, to env for other calls.
func (e *Engine) keepScratch() {
	of := e.scratch.kindFold
	e.replace(of.kind, nil)
	of.fold.Trim(of.fold.Kept())
	e.env.KeepScratch(e.scratch)
}
