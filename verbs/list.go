package verbs

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// List is a list of verbs, by which requests for them are read.
type List struct {
	All   []*Verb
	Known *protocol.Verbs // the same, for a [protocol.Parser]
}

// NewList returns a list of all verbs of others, and numbers them. So a verb belongs to one
// list of a program.
func NewList(lists ...[]*Verb) *List {
	l := &List{All: slices.Concat(lists...)}
	var known []*protocol.Verb
	for _, v := range l.All {
		known = append(known, &v.Verb)
	}
	l.Known = protocol.NewVerbs(known)
	return l
}

// Of returns the verb that req asks for, nil if it asks for none.
func (l *List) Of(req *protocol.Request) *Verb {
	if req.Verb == nil {
		return nil
	}
	return l.All[req.Verb.Number]
}
