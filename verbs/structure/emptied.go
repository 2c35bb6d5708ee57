package structure

import "github.com/memverbs/memverbs/verbs"

// A structure that has lost its last member is still there, unless it has a time to live and its kind
// [Kind.Ends]: then it is deleted. A call that adds to it later does not read it, so it could not know that the time was
// meant for members that are gone. As it is, that call makes a new structure, with the time that it
// has got itself.
//
// Whoever removes the last member and knows that, because it has read the structure, deletes the head
// instead of appending the removal, under the same condition: that the head has not changed since.
// So nothing that was added meanwhile is lost. Who removes members without reading does not know which
// one is the last; then the next call that reads the structure, or rewrites its head, deletes it.

// Choice is what a call has decided, given the fold of its structure.
type Choice struct {
	// Tokens are appended. They are in a buffer of the call.
	Tokens []byte
	// Empties says that nothing is left of the structure then, neither members nor anything else that
	// its fold would write.
	Empties bool
}

// ends reports whether an empty structure ends, given the reply that has read or probed its head.
func ends(r *verbs.Reply) bool { return r.TTL >= 0 && r.CAS != 0 }

// isEmpty reports whether nothing is left of a structure of a kind that ends then.
func (e *Engine) isEmpty(kind *Kind, fold Fold) bool {
	return kind.Ends && fold.Live() == 0 && len(fold.AppendLog(&e.Pace, nil)) == 0
}

// over reports whether the structure s, which was read, should be deleted because nothing is left of it.
func (e *Engine) over(s *Loaded) bool {
	return ends(&s.Reply) && !e.env.Options().ReadOnly && e.isEmpty(e.Kind, s.Fold)
}

// deletion returns the operation that deletes the head under key if it is still the version that r has
// read or probed.
func deletion(key []byte, of version) verbs.Op {
	return verbs.Op{Kind: verbs.DeleteIf, Key: key, CAS: of.cas, Epoch: of.epoch}
}
