package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A structure that is full can be made smaller again, although a removal is an append too: what adds
// elements is refused while there is still room to append removals and to settle them. Blind appends
// don't know how long the structure is. So the calls of an event loop remember which ones were full
// when one of them read the head, and those that add elements to such a one look at its head first.
//
// Whether a structure of that length is full shows only when it is folded as a whole. If no call can have
// the memory for that, nobody knows, and it counts as full too: otherwise it would be added to until there
// is no room for removals either.

// Limits from which on nothing may be added to a structure that was folded as a whole. Until then much
// of it may be superfluous, so one that has reached them is folded as a whole when it is settled.
const (
	fullStructure = format.MaxStructure / 16 * 15 // bytes of segments
	fullParts     = format.MaxParts / 16 * 15
)

// reachesFull reports whether segments have reached the limits. A structure that gets longer without
// more elements, see [format.Kind], has lower ones.
func reachesFull(segments []format.Segment) bool {
	if len(segments) == 0 {
		return false
	}
	share := 100
	if kind := format.KindOf(segments[0].Letter); kind != nil {
		share += kind.Growth
	}
	parts, bytes := format.Extent(segments)
	return parts >= fullParts*100/share || bytes >= fullStructure/share*100
}

// noteRoom remembers whether the structure under key, whose head of so many bytes has these segments, is
// full. It returns that.
func (e *Engine) noteRoom(key []byte, segments []format.Segment, size int) bool {
	all := &e.env.Decisions().full
	what := (*all)[string(key)]
	if !reachesFull(segments) || len(segments) != 1 && what.needs == 0 { // folded as a whole, it has one
		delete(*all, string(key))
		return false
	}
	what.seen, what.size = e.env.Uptime(), size
	all.note(key, what)
	return true
}

// noteNeeds remembers that folding the structure under key as a whole takes so many bytes of memory, which
// no call can have; 0 if it was folded.
func (e *Engine) noteNeeds(key []byte, bytes int) {
	all := &e.env.Decisions().full
	what, noted := (*all)[string(key)]
	if what.needs = bytes; noted || bytes > 0 {
		all.note(key, what)
	}
}

// needs returns how many bytes of memory would have to be free for the structure under key to be made
// shorter, if no call can have them; else 0.
func (e *Engine) needs(key []byte) int { return e.env.Decisions().full[string(key)].needs }

// noteStuck remembers that the structure under key could not be settled, which was begun at a time.
func (e *Engine) noteStuck(key []byte, began int64) {
	all := &e.env.Decisions().full
	now := e.env.Uptime()
	rest := min(max(stuckRest*(now-began), fullFor), stuckMost)
	what := (*all)[string(key)]
	what.stuck, what.rest = now, rest
	all.note(key, what)
}

// isStuck reports whether the structure under key could not be settled lately, which takes long and
// would be in vain again.
func (e *Engine) isStuck(key []byte) bool {
	what := e.env.Decisions().full[string(key)]
	return within(what.stuck, e.env.Uptime(), what.rest)
}

// wasStuck reports whether the structure under key could not be settled once, and has been full since.
func (e *Engine) wasStuck(key []byte) bool { return e.env.Decisions().full[string(key)].stuck != 0 }

// PerhapsFull reports whether a call that adds elements to its structure has to call [Engine.RoomToAdd]
// first. It does without the engine.
func PerhapsFull(c *verbs.Call) bool {
	all := c.Env.(Env).Decisions().full
	if len(all) == 0 {
		return false
	}
	_, noted := all[string(c.Key)]
	return noted
}

// ReachesFull reports whether the structure that the call has loaded last may be full unless it is made
// shorter.
func (e *Engine) ReachesFull() bool { return len(e.List) > 0 && reachesFull(e.List[0].Head.Segments) }
