package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A full structure can still be made smaller, although a removal is an append too: calls that add
// elements are refused while there is still room to append removals and to settle them. A call that
// appends without reading does not know how long the structure is. So an event loop remembers the
// structures that were full when one of its calls read the head, and calls that add elements to one
// of these read its head first.
//
// Whether a long structure is full is known only after it was folded as a whole. If no call can have the
// memory for that, it counts as full too: otherwise elements would be added until there is no room for
// removals either.

// Limits from which no elements may be added to a structure that was folded as a whole. Before that,
// much of it may be superfluous, so a structure that reaches the limits is folded as a whole when it
// is settled.
const (
	fullStructure = format.MaxStructure / 16 * 15 // bytes of segments
	fullParts     = format.MaxParts / 16 * 15
)

// reachesFull reports whether segments have reached the limits, which are lower for a kind whose log
// may grow without more elements, and for one that has to be read for anything to be removed, see [format.Kind].
func (e *Engine) reachesFull(segments []format.Segment) bool {
	if len(segments) == 0 {
		return false
	}
	share := 100
	if kind := format.KindOf(segments[0].Letter); kind != nil {
		share += kind.Growth
	}
	parts, bytes := format.Extent(segments)
	return parts >= fullParts*100/share || bytes >= fullStructure/share*100 || e.lacks(segments) > 0
}

// lacks returns how many bytes of memory calls would need to remove something from a structure with these segments, when it
// has got as long as it may without more elements; 0 if they can have them, or need not read it.
func (e *Engine) lacks(segments []format.Segment) int {
	kind := format.KindOf(segments[0].Letter)
	if kind == nil || kind.Needs == nil {
		return 0
	}
	_, bytes := format.Extent(segments)
	if needs := kind.Needs(bytes / 100 * (100 + kind.Growth)); needs > e.env.MostRoom() {
		return needs
	}
	return 0
}

// noteRoom remembers and returns whether the structure under key is full, given the segments and the
// size of its head in bytes.
func (e *Engine) noteRoom(key []byte, segments []format.Segment, size int) bool {
	all := &e.env.Decisions().full
	what := (*all)[string(key)]
	if !e.reachesFull(segments) || len(segments) != 1 && what.needs == 0 { // a structure that was folded as a whole has one segment
		delete(*all, string(key))
		return false
	}
	what.seen, what.size, what.lacks = e.env.Uptime(), size, e.lacks(segments)
	all.note(key, what)
	return true
}

// noteNeeds remembers that folding the structure under key as a whole takes that many bytes of memory,
// which no call can have; 0 if it was folded.
func (e *Engine) noteNeeds(key []byte, bytes int) {
	all := &e.env.Decisions().full
	what, noted := (*all)[string(key)]
	if what.needs = bytes; noted || bytes > 0 {
		all.note(key, what)
	}
}

// noteStuck remembers that the structure under key could not be settled; the attempt began at the
// time began.
func (e *Engine) noteStuck(key []byte, began int64) {
	all := &e.env.Decisions().full
	now := e.env.Uptime()
	rest := min(max(stuckRest*(now-began), fullFor), stuckMost)
	what := (*all)[string(key)]
	what.stuck, what.rest = now, rest
	all.note(key, what)
}

// isStuck reports whether the structure under key could not be settled lately, so that another
// attempt would take long and probably fail again.
func (e *Engine) isStuck(key []byte) bool {
	what := e.env.Decisions().full[string(key)]
	return within(what.stuck, e.env.Uptime(), what.rest)
}

// wasStuck reports whether the structure under key could not be settled at some time, and has been
// full since.
func (e *Engine) wasStuck(key []byte) bool { return e.env.Decisions().full[string(key)].stuck != 0 }

// PerhapsFull reports whether a call that adds elements to its structure has to call [Engine.RoomToAdd]
// first. It does not use the engine.
func PerhapsFull(c *verbs.Call) bool {
	all := c.Env.(Env).Decisions().full
	if len(all) == 0 {
		return false
	}
	_, noted := all[string(c.Key)]
	return noted
}

// ReachesFull reports whether the structure that the call has last loaded has reached the limits.
func (e *Engine) ReachesFull() bool { return len(e.List) > 0 && e.reachesFull(e.List[0].Head.Segments) }
