package structure

// Scratch is memory for folding large logs. Allocating it again for each log would take
// longer than folding.
type Scratch struct {
	kindFold
	log []byte
}

// Size returns the memory of s, in bytes.
func (s *Scratch) Size() int {
	size := cap(s.log)
	if s.fold != nil {
		size += s.fold.Kept()
	}
	return size
}

// larger returns the scratch fold if it is of the kind and has more memory than fold,
// but no more than most bytes; otherwise it returns fold.
func (e *Engine) larger(kind *Kind, fold Fold, most int) Fold {
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

// keepScratch gives c.scratch, with one of the engine's folds, to env for other calls.
func (e *Engine) keepScratch() {
	of := e.scratch.kindFold
	e.replace(of.kind, nil)
	of.fold.Trim(of.fold.Kept())
	e.env.KeepScratch(e.scratch)
}
