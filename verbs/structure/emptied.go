package structure

import "github.com/memverbs/memverbs/verbs/structure/format"

// A structure that has lost its last member is still there, unless it has a time to live and its kind
// [format.Kind.Ends]: then it is deleted. A call that adds to it later does not read it, so it could not know that the time was
// meant for members that are gone. As it is, that call makes a new structure, with the time that it
// has got itself.
//
// Whoever removes the last member and knows that, because it has read the structure, deletes the head
// instead of appending the removal, under the same condition: that the head has not changed since.
// So nothing that was added meanwhile is lost. Who removes members without reading does not know which
// one is the last; then the next call that reads the structure, or rewrites its head, deletes it.

// isEmpty reports whether nothing is left of a structure of a kind that ends then.
func (e *Engine) isEmpty(kind *format.Kind, fold format.Fold) bool {
	return kind.Ends && fold.Live() == 0 && len(fold.AppendLog(&e.Pace, nil)) == 0
}

// over reports whether the structure s, which was read, should be deleted because nothing is left of it.
func (e *Engine) over(s *Loaded) bool {
	return format.Ends(&s.Reply) && !e.env.Options().ReadOnly && e.isEmpty(e.Kind, s.Fold)
}
