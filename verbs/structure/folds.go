package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// folds is the part of an [Engine] that folds logs. It has a fold for each kind, whose memory later calls reuse.
type folds struct {
	*call
	kinds   []kindFold
	scratch Scratch // taken from env and not used yet
}

// of returns the place of the engine's fold for structures of a kind.
func (f *folds) of(kind *format.Kind) *kindFold {
	i := slices.IndexFunc(f.kinds, func(of kindFold) bool { return of.kind == kind })
	if i < 0 {
		i = len(f.kinds)
		f.kinds = append(f.kinds, kindFold{kind, kind.New()})
	}
	return &f.kinds[i]
}

// countTokens returns an upper bound of the tokens in log, which is of a kind. It counts exactly if much of what a call may
// reserve would have to be reserved for a rough bound.
func (f *folds) countTokens(kind *format.Kind, log []byte) int {
	tokens := format.CountTokens(&f.Pace, log)
	if kind.Memory(tokens) > f.env.MostMemory()/16 {
		tokens = format.CountExactly(&f.Pace, log)
	}
	return tokens
}

// FoldLog folds the log of a structure of a kind. tokens is an upper bound of its
// tokens if it is long, else 0. It returns nil if log is not of that kind.
func (f *folds) FoldLog(kind *format.Kind, log []byte, tokens int) format.Fold {
	return f.foldAt(f.env.Now(), kind, log, tokens)
}

// foldAt is FoldLog at a time, in milliseconds since 1970.
func (f *folds) foldAt(now int64, kind *format.Kind, log []byte, tokens int) format.Fold {
	fold := f.of(kind).fold
	if tokens > 0 {
		if memory := kind.Memory(tokens); memory > verbs.MuchMemory && fold.Kept() < memory {
			fold = f.larger(kind, fold, 2*memory)
		}
		f.Pace.Rest(tokens)
		fold.Expect(&f.Pace, tokens)
	}
	if !fold.Read(&f.Pace, log, now) {
		return nil
	}
	return fold
}

// larger returns the scratch fold if it is of the kind and has more memory than fold,
// but no more than most bytes; otherwise it returns fold.
func (f *folds) larger(kind *format.Kind, fold format.Fold, most int) format.Fold {
	f.takeScratch()
	kept := f.scratch.kindFold
	f.scratch.kindFold = kindFold{}
	if kept.kind != kind || kept.fold.Kept() <= fold.Kept() || kept.fold.Kept() > most {
		return fold
	}
	f.of(kind).fold = kept.fold
	return kept.fold
}

// takeScratch takes the scratch memory that env keeps, unless the engine has some
// already.
func (f *folds) takeScratch() {
	if f.scratch.Size() == 0 {
		f.scratch = f.env.TakeScratch()
	}
}

// keepScratch passes the scratch memory, with one of the engine's folds, to env for other calls.
func (f *folds) keepScratch() {
	of := f.scratch.kindFold
	f.kinds = slices.DeleteFunc(f.kinds, func(other kindFold) bool { return other.kind == of.kind })
	of.fold.Trim(of.fold.Kept())
	f.env.KeepScratch(f.scratch)
}

// drop empties all folds, and frees their memory.
func (f *folds) drop() {
	for i := range f.kinds {
		f.kinds[i].fold.Trim(0)
	}
	f.scratch = Scratch{}
}

// trim empties all folds, and frees the memory of those that keep more than keep bytes. A large one is kept for other
// calls, together with log, a buffer that is free.
func (f *folds) trim(keep int, log []byte) {
	for _, of := range f.kinds {
		if of.fold.Kept() > max(keep, verbs.MuchMemory) {
			f.scratch.kindFold = of
			if log != nil {
				f.scratch.log = log[:0]
			}
			f.keepScratch()
			break
		}
	}
	f.scratch = Scratch{}
	for i := range f.kinds {
		f.kinds[i].fold.Trim(keep)
	}
}

// kept returns how much memory is kept for later calls, in bytes.
func (f *folds) kept() (bytes int) {
	for i := range f.kinds {
		bytes += f.kinds[i].fold.Kept()
	}
	return bytes
}
