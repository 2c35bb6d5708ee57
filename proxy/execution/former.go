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

	foundAgain bool // the structure was there when the places were asked once more, and nothing has been refused since
	beaten     bool // an add was answered as if another call had been faster
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

// holds is called when an execution begins to use the structures. f is nil if it uses none.
func (f *former) holds() {
	if f == nil {
		return
	}
	for i := range f.keys {
		if k := &f.keys[i]; k.found != nil && !k.pinned {
			f.pins.hold(k.text, k.found)
			k.pinned = true
		}
	}
}

// release is called when the execution has ended, or does not begin. f is nil as for holds.
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
// structure is gone or its head is full: so the places are asked again, and if it is there then, its head is full, or was full.
func (f *former) notAppended(op *verbs.Op, reply verbs.Reply) verbs.Reply {
	if op.Kind != verbs.AppendSized || !bytes.Equal(op.RoutingKey(), op.Key) {
		return reply
	}
	if f.foundAgain {
		f.foundAgain = false
		return reply
	}
	return verbs.Reply{Err: moved}
}

// refuses reports whether one of some operations that are to be sent together would make a structure at a former place, and returns
// the reply to all of them if so. An append that would make it becomes one that does not.
func (f *former) refuses(ops []verbs.Op) (reply verbs.Reply, refused bool) {
	for i := range ops {
		switch op := &ops[i]; op.Kind {
		case verbs.AppendOrCreate:
			if bytes.Equal(op.RoutingKey(), op.Key) { // not a part that ends by itself
				op.Kind = verbs.AppendSized
			}
		case verbs.Add, verbs.Set:
			if traces := f.makes(op); traces > 0 {
				return f.refusal(op, traces), true
			}
		}
	}
	return verbs.Reply{}, false
}

// makes returns how many traces the structure may have that an add or a set would make at a former place, 0 if it would make none.
func (f *former) makes(op *verbs.Op) (traces int) {
	for i := range f.keys {
		k := &f.keys[i]
		if k.found != nil && slices.ContainsFunc(k.traces, func(trace []byte) bool { return bytes.Equal(trace, op.Key) }) {
			return len(k.traces)
		}
	}
	return 0
}

// refusal returns the reply to an operation that would make a structure that may have so many traces. A lock is added before it is
// known whether somebody holds it. So the places are asked again only if it was free then; and if there are traces still, these are
// of other holders, beside whom nobody is let in here.
func (f *former) refusal(op *verbs.Op, traces int) verbs.Reply {
	if traces > 1 && (f.foundAgain || !f.beaten) {
		f.beaten = true
		return op.Beaten()
	}
	return verbs.Reply{Err: moved}
}
