package views

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Folding a long log takes many slices, between which other calls of the loop run. If several calls
// read the same structure and each of them folded it, all of them would end late: the more calls, the later.
// So they wait for the view that the first one makes.

// making is a view that a call is making.
type making struct {
	of      format.Version // of the head that it is made from
	waiting []*verbs.Waiter
}

// Makings are the views that calls make, by the keys of their structures.
type Makings map[string]*making

// Begin notes that the caller makes a view of a structure, unless another call makes one under its key. The
// caller must call done when it has made the view or given up.
func (s Makings) Begin(of *Reading) (done func()) {
	key := string(of.Key)
	if s[key] != nil {
		return func() {}
	}
	m := &making{of: format.VersionOf(&of.Reply)}
	s[key] = m
	return func() {
		delete(s, key)
		for _, w := range m.waiting {
			w.Wake()
		}
	}
}

// Await makes c wait if another call is making a view of the structure that c has read. The data of
// read must have been copied.
func (s Makings) Await(c *verbs.Call, read *Reading) {
	m := s[string(read.Key)]
	if m == nil || m.of != format.VersionOf(&read.Reply) {
		return
	}
	w := new(verbs.Waiter)
	m.waiting = append(m.waiting, w)
	c.Wait(w, func() { m.waiting = slices.DeleteFunc(m.waiting, func(other *verbs.Waiter) bool { return other == w }) })
}
