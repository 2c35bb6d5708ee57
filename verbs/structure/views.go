package structure

import (
	"hash/maphash"
	"sync/atomic"
)

// Views are the views of one pool on one event loop: structures that its calls have read lately,
// with their folds, so that unchanged ones need not be read and folded again. If memory
// is short, the least recently used views are dropped first. Views is not safe for
// concurrent use. A nil Views keeps nothing.
type Views struct {
	room   *ViewRoom
	byKey  map[string]*view
	newest *view
	oldest *view
	used   int64 // bytes that the views take
	making map[string]*making
	seen   [seenSize]uint32
	seed   maphash.Seed

	shortest int // see shortestView
	counts   ViewCounts
}

// ViewCounts are the statistics of the views of a loop.
type ViewCounts struct {
	Structures int    // that have a view
	Bytes      int64  // taken by the views
	Hits       uint64 // how often a view agreed with its structure
	Outdated   uint64 // how often it did not
	TooLarge   uint64 // how often a structure was read that takes too much memory for a view
}

// Add adds the counts of another loop.
func (c *ViewCounts) Add(other ViewCounts) {
	c.Structures += other.Structures
	c.Bytes += other.Bytes
	c.Hits += other.Hits
	c.Outdated += other.Outdated
	c.TooLarge += other.TooLarge
}

// ViewRoom is the memory that several Views share, as those of several loops. It is safe
// for concurrent use.
type ViewRoom struct {
	limit   int64
	sharing atomic.Int64 // how many Views share it
	used    atomic.Int64
	wants   atomic.Int64 // bytes that Views below their share need
	tell    func(used int64)
}

const (
	// shortestView is the length, in bytes, of the shortest log that a view is kept of:
	// reading a shorter one is as fast as a probe.
	shortestView = 1 << 10
	// seenSize is how many keys that were read once are remembered.
	seenSize = 1 << 12
	// viewOverhead is about how much memory a view takes besides its log and fold, in
	// bytes.
	viewOverhead = 512
)

// NewViewRoom returns a ViewRoom of so many bytes. No view may take more than half of it.
// Whenever the bytes in use cross a multiple of about an eighth of it, tell is called with
// them, on the goroutine of any loop.
func NewViewRoom(bytes int64, tell func(used int64)) *ViewRoom {
	return &ViewRoom{limit: bytes, tell: tell}
}

// largest returns how many bytes a view may take. A larger one would leave too little for others.
func (r *ViewRoom) largest() int64 { return r.limit / 2 }

// share returns how many bytes each of the Views is entitled to.
func (r *ViewRoom) share() int64 { return r.limit / r.sharing.Load() }

// count adds bytes to those in use.
func (r *ViewRoom) count(bytes int64) {
	step := r.limit/8 + 1
	if used := r.used.Add(bytes); used/step != (used-bytes)/step {
		r.tell(used)
	}
}

// NewViews returns empty Views, or nil if the room is 0 bytes.
func NewViews(room *ViewRoom) *Views {
	if room.limit == 0 {
		return nil
	}
	room.sharing.Add(1)
	return &Views{room: room, byKey: map[string]*view{}, making: map[string]*making{}, seed: maphash.MakeSeed(), shortest: shortestView}
}

// Close drops all views. No call may use s any more.
func (s *Views) Close() {
	if s == nil {
		return
	}
	for s.oldest != nil {
		s.drop(s.oldest)
	}
	s.room.sharing.Add(-1)
}

// Counts returns the statistics of the views.
func (s *Views) Counts() ViewCounts {
	if s == nil {
		return ViewCounts{}
	}
	s.counts.Structures, s.counts.Bytes = len(s.byKey), s.used
	return s.counts
}

// ResetCounts resets the counts of what has happened.
func (s *Views) ResetCounts() {
	if s != nil {
		s.counts = ViewCounts{}
	}
}

// note counts whether a view that a call has used agreed with its structure (held). If sure is set,
// the call has loaded the structure, and loading has counted it already.
func (s *Views) note(sure, held bool) {
	switch {
	case s == nil || sure:
	case held:
		s.counts.Hits++
	default:
		s.counts.Outdated++
	}
}

// find returns the view of the structure under key, nil if there is none.
func (s *Views) find(key []byte) *view {
	if s == nil {
		return nil
	}
	s.yield()
	v := s.byKey[string(key)]
	if v != nil && v != s.newest {
		s.unlink(v)
		s.link(v)
	}
	return v
}

// of is find for a view of a kind.
func (s *Views) of(key []byte, kind *Kind) *view {
	if v := s.find(key); v != nil && v.kind == kind {
		return v
	}
	return nil
}

// worthKeeping reports whether to keep a view of the structure under key, which was
// read just now and has a log of so many bytes: only if it was read before not long
// ago.
func (s *Views) worthKeeping(key []byte, bytes int) bool {
	if s == nil || bytes < s.shortest {
		return false
	}
	if s.byKey[string(key)] != nil {
		return true
	}
	hash := maphash.Bytes(s.seed, key)
	place, rest := &s.seen[hash%seenSize], uint32(hash>>32)
	before := *place == rest
	*place = rest
	return before
}

// keep adds a view, replacing the one with the same key. It returns false if there is
// no room for it.
func (s *Views) keep(v *view) bool {
	v.gone = true
	if old := s.byKey[v.key]; old != nil {
		if old.users > 0 || old.version == v.version && !v.indirect { // in use, so its memory would not become free
			return false
		}
		s.drop(old)
	}
	v.bytes = v.measure()
	if !s.makeRoom(int64(v.bytes)) {
		return false
	}
	s.byKey[v.key] = v
	v.gone = false
	s.count(int64(v.bytes))
	s.link(v)
	return true
}

// refuses reports whether a view of so many bytes is too large to be kept, and counts that.
func (s *Views) refuses(bytes int) bool {
	refused := int64(bytes) > s.room.largest()
	if refused {
		s.counts.TooLarge++
	}
	return refused
}

// grown accounts for a view that has been extended.
func (s *Views) grown(v *view) {
	if v.gone {
		return
	}
	before := v.bytes
	v.bytes = v.measure()
	s.count(int64(v.bytes - before))
	s.makeRoom(0)
}

// drop removes a view.
func (s *Views) drop(v *view) {
	if s == nil || v.gone {
		return
	}
	v.gone = true
	delete(s.byKey, v.key)
	s.unlink(v)
	s.count(-int64(v.bytes))
}

// makeRoom makes room for so many more bytes by dropping views of s, and reports
// whether it could. If s is below its share, it asks the others to drop views instead and
// returns false.
func (s *Views) makeRoom(bytes int64) bool {
	r := s.room
	if bytes > r.largest() {
		return false
	}
	for r.used.Load()+bytes > r.limit {
		if bytes > 0 && s.used+bytes <= r.share() { // others exceed their share
			r.wants.Store(bytes)
			return false
		}
		if !s.dropOldest() {
			return false
		}
	}
	return true
}

// yield drops a view if s exceeds its share and others need room.
func (s *Views) yield() {
	r := s.room
	wanted := r.wants.Load()
	if wanted == 0 {
		return
	}
	if r.used.Load()+wanted <= r.limit {
		r.wants.Store(0)
	} else if s.used > r.share() {
		s.dropOldest()
	}
}

// dropOldest drops the least recently used view that no call is using, since dropping
// others would not free memory. It reports whether there was one.
func (s *Views) dropOldest() bool {
	for v := s.oldest; v != nil; v = v.newer {
		if v.users == 0 {
			s.drop(v)
			return true
		}
	}
	return false
}

func (s *Views) count(bytes int64) {
	s.used += bytes
	s.room.count(bytes)
}

// link makes v the most recently used.
func (s *Views) link(v *view) {
	v.older, v.newer = s.newest, nil
	if s.newest != nil {
		s.newest.newer = v
	} else {
		s.oldest = v
	}
	s.newest = v
}

func (s *Views) unlink(v *view) {
	if v.older != nil {
		v.older.newer = v.newer
	} else {
		s.oldest = v.newer
	}
	if v.newer != nil {
		v.newer.older = v.older
	} else {
		s.newest = v.older
	}
	v.older, v.newer = nil, nil
}

// measure returns the memory that the view takes, in bytes.
func (v *view) measure() int {
	return viewOverhead + 2*len(v.key) + cap(v.log) + v.fold.Kept() + len(v.head.pointers) + segmentSize*cap(v.head.segments)
}
