package execution

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// former says which structures a verb uses at former places (package placement).
type former struct {
	keys []formerKey
	pins *pins // of the executor

	foundAgain bool // the structure was there when the places were asked once more
}

// formerKey is a key of a verb whose structure may be at a former place.
type formerKey struct {
	text   []byte
	traces [][]byte       // keys of items of which one is there if the structure is
	places []*pool.Member // where it may have remained
	found  *pool.Member   // the one at which it has; nil if it is where the pool says
	pinned bool           // an execution uses it there
}

// placed is a listener of an execution that uses structures at former places.
type placed interface {
	formerPlaces() *former
}

// moved is what a verb is told that would make a structure at a former place.
const moved = "SERVER_ERROR the structure is not at its former place any more: try again"

// holds is called when an execution begins to use the structures.
func (f *former) holds() {
	for i := range f.keys {
		if k := &f.keys[i]; k.found != nil {
			f.pins.hold(k.text, k.found)
			k.pinned = true
		}
	}
}

// release is called when the execution has ended, or does not begin. f is nil if it uses none.
func (f *former) release() {
	if f == nil {
		return
	}
	for i := range f.keys {
		if k := &f.keys[i]; k.pinned {
			f.pins.release(k.text)
			k.pinned = false
		}
	}
}

// notAppended returns the reply to an operation that was answered with NotStored. An append to a head is answered so if the
// structure is gone or its head is full: so the places are asked again, and if it is there then, its head is full.
func (f *former) notAppended(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	if op.Kind == verbs.AppendSized && bytes.Equal(op.RoutingKey(), op.Key) && !f.foundAgain {
		return verbs.Reply{Err: moved}
	}
	return reply
}

// refuses reports whether an operation would make a structure at a former place, and returns the reply if so. An append that would
// make it becomes one that does not.
func (f *former) refuses(op *verbs.Op) (reply verbs.Reply, refused bool) {
	switch op.Kind {
	case verbs.AppendOrCreate:
		if bytes.Equal(op.RoutingKey(), op.Key) { // not a part that ends by itself
			op.Kind = verbs.AppendSized
		}
	case verbs.Add, verbs.Set:
		for i := range f.keys {
			k := &f.keys[i]
			if k.found == nil || !slices.ContainsFunc(k.traces, func(trace []byte) bool { return bytes.Equal(trace, op.Key) }) {
				continue
			}
			if len(k.traces) > 1 { // a place of a lock, of which others are held
				return op.Beaten(), true
			}
			return verbs.Reply{Err: moved}, true
		}
	}
	return verbs.Reply{}, false
}
