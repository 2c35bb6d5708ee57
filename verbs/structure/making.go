package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Folding a long log takes many slices, between which other calls of the loop run. If those
// that read the same structure folded it too, the first of them would be done as late as the
// last, and all of them the later the more they are. So they wait for the view that the first
// one makes.

// making is a view that a call is making.
type making struct {
	of      view // has only what tells which head it is made from
	waiting []*verbs.Waiter
}

// begin begins to make a view of a structure, unless another call makes one under its key. The
// caller must call done when it has made the view or given up.
func (s *Views) begin(of *Loaded) (done func()) {
	key := string(of.Key)
	if s.making[key] != nil {
		return func() {}
	}
	m := new(making)
	m.of.is(&of.Reply)
	s.making[key] = m
	return func() {
		delete(s.making, key)
		woken := m.waiting
		m.waiting = nil // so that none of them has to look for itself among all
		for _, w := range woken {
			w.Wake()
		}
	}
}

// awaitView waits for the view of s if another call is making that. The data of s must have been
// copied.
func (e *Engine) awaitView(s *Loaded) {
	m := e.env.Views().making[string(s.Key)]
	if m == nil || !m.of.holds(&s.Reply) {
		return
	}
	w := new(verbs.Waiter)
	m.waiting = append(m.waiting, w)
	defer func() { // also if the routine is closed, which nobody may wake then
		m.waiting = slices.DeleteFunc(m.waiting, func(other *verbs.Waiter) bool { return other == w })
	}()
	e.Wait(w)
}
