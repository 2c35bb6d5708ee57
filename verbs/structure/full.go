package structure

import (
	"fmt"

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
func (m *limits) reachesFull(segments []format.Segment) bool {
	if len(segments) == 0 {
		return false
	}
	share := 100
	if kind := format.KindOf(segments[0].Letter); kind != nil {
		share += kind.Growth
	}
	parts, bytes := format.Extent(segments)
	return parts >= fullParts*100/share || bytes >= fullStructure/share*100 || m.lacks(segments) > 0
}

// lacks returns how many bytes of memory calls would need to remove something from a structure with these segments, when it
// has got as long as it may without more elements; 0 if they can have them, or need not read it.
func (m *limits) lacks(segments []format.Segment) int {
	kind := format.KindOf(segments[0].Letter)
	if kind == nil || kind.Needs == nil {
		return 0
	}
	_, bytes := format.Extent(segments)
	if needs := kind.Needs(bytes / 100 * (100 + kind.Growth)); needs > m.env.MostMemory() {
		return needs
	}
	return 0
}

// noteRoom remembers and returns whether the structure under key is full, given the segments and the
// size of its head in bytes.
func (m *limits) noteRoom(key []byte, segments []format.Segment, size int) bool {
	all := &m.env.Decisions().full
	what := (*all)[string(key)]
	if !m.reachesFull(segments) || len(segments) != 1 && what.needs == 0 { // a structure that was folded as a whole has one segment
		delete(*all, string(key))
		return false
	}
	what.seen, what.size, what.lacks = m.env.Uptime(), size, m.lacks(segments)
	all.note(key, what)
	return true
}

// noteNeeds remembers that folding the structure under key as a whole takes that many bytes of memory,
// which no call can have; 0 if it was folded.
func (m *limits) noteNeeds(key []byte, bytes int) {
	all := &m.env.Decisions().full
	what, noted := (*all)[string(key)]
	if what.needs = bytes; noted || bytes > 0 {
		all.note(key, what)
	}
}

// noteStuck remembers that the structure under key could not be settled; the attempt began at the
// time began.
func (m *limits) noteStuck(key []byte, began int64) {
	all := &m.env.Decisions().full
	now := m.env.Uptime()
	rest := min(max(stuckRest*(now-began), fullFor), stuckMost)
	what := (*all)[string(key)]
	what.stuck, what.rest = now, rest
	all.note(key, what)
}

// isStuck reports whether the structure under key could not be settled lately, so that another
// attempt would take long and probably fail again.
func (m *limits) isStuck(key []byte) bool {
	what := m.env.Decisions().full[string(key)]
	return within(what.stuck, m.env.Uptime(), what.rest)
}

// wasStuck reports whether the structure under key could not be settled at some time, and has been
// full since.
func (m *limits) wasStuck(key []byte) bool { return m.env.Decisions().full[string(key)].stuck != 0 }

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

// RoomToAdd returns Failed if the call's structure is known to be full, so that elements of that many bytes
// can't be added, otherwise Stored.
func (m *limits) RoomToAdd(bytes int) verbs.Reply {
	room := verbs.Reply{Status: verbs.Stored}
	if !PerhapsFull(m.Call) {
		return room
	}
	if what := m.env.Decisions().full[string(m.Key)]; within(what.seen, m.env.Uptime(), fullFor) {
		switch r := m.Ask(verbs.Op{Kind: verbs.Probe, Key: m.Key}); {
		case r.Status == verbs.Failed:
			return r
		case r.Status == verbs.Hit && r.Size >= what.size: // otherwise it was deleted or rewritten since
			return m.NoRoom(m.Key, bytes)
		}
	}
	r := m.Ask(verbs.Op{Kind: verbs.Fetch, Key: m.Key})
	if r.Status == verbs.Failed {
		return r
	}
	if h, _ := format.ParseHead(r.Data); m.noteRoom(m.Key, h.Segments, r.Size) {
		return m.NoRoom(m.Key, bytes)
	}
	return room
}

// Refused is the outcome of an append of so many bytes to the head under key that memcached has
// refused again and again, though the head was settled in between: it is too long, or memcached has
// no memory.
func (m *limits) Refused(key []byte, bytes int) verbs.Reply {
	r := m.Ask(verbs.Op{Kind: verbs.Probe, Key: key})
	if r.Status != verbs.Hit || r.Size+bytes > m.HeadLimit(key)/2 {
		return m.NoRoom(key, bytes)
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR memcached refuses to append %d bytes to the item of %s, which has %d: it seems to be out of memory; try again, or give it more memory", bytes, m.Shown(m.owner(key)), r.Size)}
}

// NoRoom is the outcome of a change that would make the structure under key or its head too long.
func (m *limits) NoRoom(key []byte, bytes int) verbs.Reply {
	m.env.NoteFull(m.owner(key), m.Shown(m.owner(key)))
	what := m.env.Decisions().full[string(key)]
	advice, mega, most := "; remove some of it, or spread it over several keys", 1<<20, m.env.MostMemory()
	switch {
	case what.needs > 0:
		advice = fmt.Sprintf(", and none can be made, as that takes %d MB of memory, and a single request may have %d; raise --buffer-memory", what.needs/mega+1, most/mega)
	case what.lacks > 0:
		advice = fmt.Sprintf(", as whoever removes something reads all of it, for which a longer one could take %d MB of memory, and a single request may have %d; remove some of it, or raise --buffer-memory", what.lacks/mega+1, most/mega)
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s is full: there is no room for %d bytes%s", m.Shown(m.owner(key)), bytes, advice)}
}
