package structure

import "github.com/memverbs/memverbs/verbs"

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
	fullStructure = maxStructure / 16 * 15 // bytes of segments
	fullParts     = maxParts / 16 * 15
)

// reachesFull reports whether segments have reached the limits. A structure that gets longer without
// more elements, see [Kind], has lower ones.
func reachesFull(segments []segment) bool {
	if len(segments) == 0 {
		return false
	}
	share := 100
	if kind := kindOf(segments[0].letter); kind != nil {
		share += kind.Growth
	}
	parts, bytes := extent(segments)
	return parts >= fullParts*100/share || bytes >= fullStructure/share*100
}

// fullFor is for how long, in milliseconds, a structure is taken to be full without another look at
// its head, as long as that has not become shorter.
const fullFor = 1000

// A structure that could not be settled is left alone for stuckRest times as long as that took, so that
// trying costs an event loop little of its time however long it takes; but for a second at least, and for
// a minute, in milliseconds, at most, since others may have made room meanwhile.
const (
	stuckRest = 10
	stuckMost = 60_000
)

// mostFull is how many full structures an event loop remembers.
const mostFull = 1024

// full is what is remembered of a full structure. Times are by [verbs.Env.Uptime].
type full struct {
	seen  int64 // when its head was read; 0 if never
	size  int   // bytes of that head
	needs int   // bytes of memory that folding it as a whole takes, if no call can have them; else 0
	stuck int64 // when it could not be settled, as the result would be too long; 0 if it could
	rest  int64 // for how long, in milliseconds, it need not be tried again since then
}

// fulls are the full structures that an event loop remembers, by key. The zero value is empty.
type fulls map[string]full

// note remembers a full structure.
func (s *fulls) note(key []byte, what full) {
	if *s == nil || len(*s) >= mostFull {
		*s = fulls{}
	}
	(*s)[string(key)] = what
}

// within reports whether a time, which is 0 for never, was less than so many milliseconds before now.
func within(time, now, milliseconds int64) bool { return time != 0 && now-time < milliseconds }

// noteRoom remembers whether the structure under key, whose head of so many bytes has these segments, is
// full. It returns that.
func (e *Engine) noteRoom(key []byte, segments []segment, size int) bool {
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

// noteSwapped notes what is known of the room in the structure under key after a change to its head, which
// has the given value now. If that folded the structure as a whole, it tells.
func (e *Engine) noteSwapped(key []byte, ch *change, value []byte) {
	if len(e.env.Decisions().full) == 0 {
		return
	}
	h, _ := parseHead(value)
	if len(h.segments) <= len(ch.written) { // nothing is left of what was before
		e.noteNeeds(key, 0)
	}
	e.noteRoom(key, h.segments, len(value))
}

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
func (e *Engine) ReachesFull() bool { return len(e.List) > 0 && reachesFull(e.List[0].head.segments) }

// RoomToAdd returns Failed if the call's structure is full, so that elements of so many bytes can't be added;
// Stored if they can, as far as is known.
func (e *Engine) RoomToAdd(bytes int) verbs.Reply {
	room := verbs.Reply{Status: verbs.Stored}
	if !PerhapsFull(e.Call) {
		return room
	}
	if what := e.env.Decisions().full[string(e.Key)]; within(what.seen, e.env.Uptime(), fullFor) {
		switch r := e.Ask(verbs.Op{Kind: verbs.Probe, Key: e.Key}); {
		case r.Status == verbs.Failed:
			return r
		case r.Status == verbs.Hit && r.Size >= what.size: // what was deleted or made anew is shorter
			return e.NoRoom(e.Key, bytes)
		}
	}
	r := e.Ask(verbs.Op{Kind: verbs.Fetch, Key: e.Key})
	if r.Status == verbs.Failed {
		return r
	}
	if h, _ := parseHead(r.Data); e.noteRoom(e.Key, h.segments, r.Size) {
		return e.NoRoom(e.Key, bytes)
	}
	return room
}
