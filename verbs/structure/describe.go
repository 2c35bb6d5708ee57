package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Description describes the item under a key, and the structure that it is the head of.
type Description struct {
	Kind     *format.Kind // nil if the item is not the head of a structure
	Live     int          // members, as [format.Fold] has it
	Dead     int          // tokens, likewise
	Head     int          // bytes of the item
	Segments int
	Parts    int   // items of the segments
	Bytes    int   // of the item and the parts
	TTL      int64 // seconds left, -1 for ever

	// Value is the value of an item that is not the head of a structure of a known kind. It is valid until the next
	// operation.
	Value []byte
}

// Describe describes what is under key, of whatever kind it is: Hit; Missing if there is nothing;
// or Failed, also if it points to segments and is of a kind that is not known. Like any read it may be answered from a
// view, so [Engine.AfterRead] has to follow.
func (l *loader) Describe(key []byte) (d Description, outcome verbs.Reply) {
	l.Kind = format.SomeKind() // until the head shows the kind
	if v := l.env.Views().Find(key); v != nil {
		l.Kind = v.Kind
	}
	for range verbs.MaxTries {
		s := l.LoadOne(key, Counted)
		if s.Reply.Status != verbs.Hit {
			return d, s.Reply
		}
		measured := l.Kind
		of := format.KindOf(s.Head.Letter)
		if of == nil { // text that begins as a token of such a kind would
			return Description{Head: s.Reply.Size, Bytes: s.Reply.Size, TTL: s.Reply.TTL, Value: s.Reply.Data}, s.Reply
		}
		l.Kind = of
		if l.Kind == measured || s.tokens == 0 || l.measure(l.List, Counted) {
			return l.describe(s)
		}
	}
	return d, verbs.Contended(l.Shown(l.owner(key)))
}

// describe describes what was loaded. What can't be folded is a plain item, unless it
// points to segments.
func (l *loader) describe(s *Loaded) (d Description, outcome verbs.Reply) {
	parts, bytes := format.Extent(s.Head.Segments)
	d = Description{Head: s.Reply.Size, Bytes: s.Reply.Size + bytes, TTL: s.Reply.TTL}
	if l.Read(s) != nil {
		d.Kind, d.Live, d.Dead = l.Kind, s.Fold.Live(), max(s.Fold.Dead(), 0) // the results of orders may take more tokens than the orders
		d.Segments, d.Parts = len(s.Head.Segments), parts
	} else if parts > 0 {
		return d, NotOfKind(l.Shown(s.Key), l.Kind)
	} else {
		d.Value = s.Reply.Data
	}
	return d, verbs.Reply{Status: verbs.Hit}
}
