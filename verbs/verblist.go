package verbs

import (
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// List is a list of verbs and the means to parse requests for them.
type List struct {
	All   []*Verb
	Known protocol.Verbs // the same verbs, for a [protocol.Parser]
}

// NewList returns the concatenation of lists and numbers the verbs. Since the number is
// stored in the verb, a verb can be in only one List.
func NewList(lists ...[]*Verb) *List {
	l := &List{All: slices.Concat(lists...)}
	var known []*protocol.Verb
	for _, v := range l.All {
		known = append(known, &v.Verb)
	}
	l.Known = protocol.NewVerbs(known)
	return l
}

// Of returns the verb that req asks for, nil if req is no verb.
func (l *List) Of(req *protocol.Request) *Verb {
	if req.Verb == nil {
		return nil
	}
	return l.All[req.Verb.Number]
}
