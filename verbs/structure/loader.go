package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// loader is the part of an [Engine] that reads structures (load.go), keeps views of them for later calls
// (keepview.go), and their items from being evicted meanwhile (probing.go). It has what the call has loaded.
type loader struct {
	*call
	folds *folds

	// Spare is how many bytes to keep reserved for the call in addition to those for what is loaded.
	Spare  int
	loaded int // bytes that are reserved for what was loaded and its use

	List  []Loaded    // scratch: the structures loaded last
	first []byte      // scratch: the head of the first of List
	log   []byte      // scratch: the log of its segments
	lent  views.Loans // views that the call uses

	before *views.View // a view of the call's structure that was just found outdated, or nil
}

// ReserveMore reserves n bytes for the call, in addition to what was loaded, see
// [verbs.Call.Reserve].
func (l *loader) ReserveMore(n int) bool { return l.Reserve(l.loaded + n) }

// FreeLogs frees the buffers of the logs if they are long. Call it only when the folds are not
// needed any more.
func (l *loader) FreeLogs() {
	if cap(l.first)+cap(l.log) > verbs.KeptScratch {
		l.first, l.log = nil, nil
	}
}

// endLoans ends the call's use of views.
func (l *loader) endLoans() {
	l.before = nil
	l.lent.End()
}

// drop drops everything that was loaded.
func (l *loader) drop() {
	l.endLoans()
	l.loaded = 0
	for i := range l.List {
		l.List[i] = ToLoad(l.List[i].Key)
	}
	l.first, l.log = nil, nil
	l.folds.drop()
}

// trim drops what was loaded, and frees every buffer of more than keep bytes. It returns the one of the log, if that
// is one of them.
func (l *loader) trim(keep int) (freed []byte) {
	l.loaded = 0
	clear(l.List[:cap(l.List)])
	if cap(l.first) > keep {
		l.first = nil
	}
	if cap(l.log) > keep {
		freed, l.log = l.log, nil
	}
	return freed
}

// kept returns how much memory is kept for later calls, in bytes.
func (l *loader) kept() int { return cap(l.first) + cap(l.log) }
