package structure

import (
	"hash/maphash"
	"sync/atomic"
)

// Views are the structures that the calls of one event loop have read lately, with what
// they fold to, so that they need not be read and folded again while they are as they
// were. Those that were not used for longest go first when there is too little room.
// It is not safe for concurrent use. A nil Views keeps nothing.
type Views struct {
	room   *ViewRoom
	byKey  map[string]*view
	newest *view
	oldest *view
	used   int64 // bytes of the room
	seen   [seenSize]uint32
	seed   maphash.Seed

	shortest int // see shortestView
	counts   ViewCounts
}

// ViewCounts are what there is to know of the views of a loop.
type ViewCounts struct {
	Structures int    // of which there are views
	Bytes      int64  // that they take
	Hits       uint64 // how often the structure was still what the view is
	Outdated   uint64 // how often it was not
}

// Add adds the counts of another loop.
func (c *ViewCounts) Add(other ViewCounts) {
	c.Structures += other.Structures
	c.Bytes += other.Bytes
	c.Hits += other.Hits
	c.Outdated += other.Outdated
}

// ViewRoom is how much memory the views of several loops may take together. It is safe
// for concurrent use.
type ViewRoom struct {
	limit int64
	share int64 // what each loop may have, however much the others want
	used  atomic.Int64
	wants atomic.Int64 // bytes that a loop with less than its share has not got
	tell  func(used int64)
}

const (
	// shortestView is how long a log is of which a view is kept, in bytes: shorter ones
	// are read as soon as they are probed.
	shortestView = 1 << 10
	// seenSize is how many keys are remembered that were read once.
	seenSize = 1 << 12
	// viewOverhead is what a view takes beside its log and its fold, about, in bytes.
	viewOverhead = 512
)

// NewViewRoom returns room for so many bytes of views, which so many loops share. A
// structure that takes more than half of it is not kept. Each time that about an eighth
// more or less of it is used, tell is called with how many bytes are, on any of the loops.
func NewViewRoom(bytes int64, loops int, tell func(used int64)) *ViewRoom {
	return &ViewRoom{limit: bytes, share: bytes / int64(loops), tell: tell}
}

// count notes that so many bytes more are used.
func (r *ViewRoom) count(bytes int64) {
	step := r.limit/8 + 1
	if used := r.used.Add(bytes); used/step != (used-bytes)/step {
		r.tell(used)
	}
}

// NewViews returns views without any in them; nil if there is no room for any.
func NewViews(room *ViewRoom) *Views {
	if room.limit == 0 {
		return nil
	}
	return &Views{room: room, byKey: map[string]*view{}, seed: maphash.MakeSeed(), shortest: shortestView}
}

// Counts returns what there is to know of the views.
func (s *Views) Counts() ViewCounts {
	if s == nil {
		return ViewCounts{}
	}
	s.counts.Structures, s.counts.Bytes = len(s.byKey), s.used
	return s.counts
}

// ResetCounts has the hits and the others counted anew.
func (s *Views) ResetCounts() {
	if s != nil {
		s.counts = ViewCounts{}
	}
}

// note counts that a view was used which was true, or was not, unless the call was sure
// of it.
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

// worthKeeping reports whether a view of the structure under key is to be kept, which
// was read just now and has a log of so many bytes: if it was not long ago that it was
// read before.
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

// keep keeps a view, in the place of the one of the same key. It returns false if there
// is no room.
func (s *Views) keep(v *view) bool {
	v.gone = true
	if old := s.byKey[v.key]; old != nil {
		if old.users > 0 { // its memory would not become free
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

// grown is called when a view has been extended.
func (s *Views) grown(v *view) {
	if v.gone {
		return
	}
	before := v.bytes
	v.bytes = v.measure()
	s.count(int64(v.bytes - before))
	s.makeRoom(0)
}

// drop lets go of a view.
func (s *Views) drop(v *view) {
	if s == nil || v.gone {
		return
	}
	v.gone = true
	delete(s.byKey, v.key)
	s.unlink(v)
	s.count(-int64(v.bytes))
}

// makeRoom sees to it that there is room for so many bytes more, if that is possible. For
// a loop that has less than its share, others will make room soon.
func (s *Views) makeRoom(bytes int64) bool {
	r := s.room
	if bytes > r.limit/2 {
		return false
	}
	for r.used.Load()+bytes > r.limit {
		if bytes > 0 && s.used+bytes <= r.share { // others have too much
			r.wants.Store(bytes)
			return false
		}
		if !s.dropOldest() {
			return false
		}
	}
	return true
}

// yield lets go of a view if this loop has more than its share, and another one needs
// room.
func (s *Views) yield() {
	r := s.room
	wanted := r.wants.Load()
	if wanted == 0 {
		return
	}
	if r.used.Load()+wanted <= r.limit {
		r.wants.Store(0)
	} else if s.used > r.share {
		s.dropOldest()
	}
}

// dropOldest lets go of the view that was not used for longest. Of those that calls work
// on, the memory would not become free.
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

// link makes v the newest.
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

// measure returns how many bytes the view takes.
func (v *view) measure() int {
	return viewOverhead + 2*len(v.key) + cap(v.log) + v.fold.Kept() + len(v.head.pointers) + segmentSize*cap(v.head.segments)
}
