package views

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Views are the views of one pool on one event loop: structures that its calls have read lately,
// with their folds, so that unchanged ones need not be read and folded again. If memory
// is short, the least recently used views are dropped first. Views is not safe for
// concurrent use. A nil Views keeps nothing.
type Views struct {
	quota  *Quota
	byKey  map[string]*View
	newest *View
	oldest *View
	used   int64   // bytes that the views take
	Making Makings // the views that calls make now
	seen   [seenSize]uint32
	seed   maphash.Seed

	shortest int // see shortestView
	counts   Counts
}

// Counts are the statistics of the views of a loop.
type Counts struct {
	Structures int    // that have a view
	Bytes      int64  // taken by the views
	Hits       uint64 // how often a view agreed with its structure
	Outdated   uint64 // how often it did not
	TooLarge   uint64 // how often a structure was read that takes too much memory for a view
}

// Add adds the counts of another loop.
func (c *Counts) Add(other Counts) {
	c.Structures += other.Structures
	c.Bytes += other.Bytes
	c.Hits += other.Hits
	c.Outdated += other.Outdated
	c.TooLarge += other.TooLarge
}

const (
	// shortestView is the length, in bytes, of the shortest log that a view is kept of:
	// reading a shorter one is as fast as a probe.
	shortestView = 1 << 10
	// seenSize is how many keys that were read once are remembered.
	seenSize = 1 << 12
)

// New returns empty Views, or nil if the quota is 0 bytes.
func New(quota *Quota) *Views {
	if quota.limit == 0 {
		return nil
	}
	quota.sharing.Add(1)
	return &Views{quota: quota, byKey: map[string]*View{}, Making: Makings{}, seed: maphash.MakeSeed(), shortest: shortestView}
}

// Close drops all views. No call may use s any more.
func (s *Views) Close() {
	if s == nil {
		return
	}
	for s.oldest != nil {
		s.Drop(s.oldest)
	}
	s.quota.sharing.Add(-1)
}

// Counts returns the statistics of the views.
func (s *Views) Counts() Counts {
	if s == nil {
		return Counts{}
	}
	s.counts.Structures, s.counts.Bytes = len(s.byKey), s.used
	return s.counts
}

// ResetCounts resets the counts of what has happened.
func (s *Views) ResetCounts() {
	if s != nil {
		s.counts = Counts{}
	}
}

// Note counts whether a view that a call has used agreed with its structure.
func (s *Views) Note(agreed bool) {
	switch {
	case s == nil:
	case agreed:
		s.counts.Hits++
	default:
		s.counts.Outdated++
	}
}

// Find returns the view of the structure under key, nil if there is none.
func (s *Views) Find(key []byte) *View {
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

// Of is Find for a view of a kind.
func (s *Views) Of(key []byte, kind *format.Kind) *View {
	if v := s.Find(key); v != nil && v.Kind == kind {
		return v
	}
	return nil
}

// WorthKeeping reports whether to keep a view of the structure under key, which was
// read just now and has a log of so many bytes: only if it was read before not long
// ago. A short one is kept only if that saves calls from asking at all.
func (s *Views) WorthKeeping(key []byte, bytes int, saves bool) bool {
	if s == nil || bytes < s.shortest && !saves {
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

// Keep adds a view, replacing the one with the same key. It returns false if there is
// no memory for it.
func (s *Views) Keep(v *View) bool {
	v.Gone = true
	if old := s.byKey[v.Key]; old != nil {
		if old.users > 0 || old.Version == v.Version && !v.Indirect { // in use, so its memory would not become free
			return false
		}
		s.Drop(old)
	}
	v.bytes = v.measure()
	if !s.makeRoom(int64(v.bytes)) {
		return false
	}
	s.byKey[v.Key] = v
	v.Gone = false
	s.count(int64(v.bytes))
	s.link(v)
	return true
}

// Refuses reports whether a view is too large to be kept, and counts that. bytes is the memory that it takes.
func (s *Views) Refuses(v *View) (bytes int, refused bool) {
	bytes = v.measure()
	if refused = int64(bytes) > s.quota.largest(); refused {
		s.counts.TooLarge++
	}
	return bytes, refused
}

// Grown accounts for a view that has been extended.
func (s *Views) Grown(v *View) {
	if v.Gone {
		return
	}
	before := v.bytes
	v.bytes = v.measure()
	s.count(int64(v.bytes - before))
	s.makeRoom(0)
}

// Advance brings a view up to date with the time. It returns false if that is impossible:
// another call uses the view, or its log has to be folded again, as after the clock was put back;
// then the view is dropped.
func (s *Views) Advance(v *View, env verbs.Env) bool {
	fold, ok := v.Fold.(format.Timed)
	if !ok {
		return true
	}
	switch now := env.Now(); {
	case fold.Since() <= now && now < fold.Until():
		return true
	case v.users > 0:
		return false
	case v.Extend(nil, env.Now()):
		return true
	}
	s.Drop(v)
	return false
}

// CatchUp extends a view to the head that r has read. It returns false if more has
// changed than that tokens were appended, or if they are more than most bytes.
func (s *Views) CatchUp(v *View, r *verbs.Reply, most int, now int64) bool {
	more, ok := v.added(r)
	if !ok || len(more) > most {
		return false
	}
	if !v.Extend(more, now) {
		s.Drop(v)
		return false
	}
	v.Is(r)
	s.Grown(v)
	return true
}

// Follow takes an outdated view out of s and brings it up to date with what was read, if the log that
// was read begins with the view's. That saves folding the whole log again.
func (s *Views) Follow(v *View, kind *format.Kind, p *verbs.Pace, read *Reading, now int64) bool {
	if v.Gone || v.users > 0 || v.Kind != kind || !v.leadsTo(read, len(v.Log)/2) {
		return false
	}
	s.Drop(v) // others must not use it while it is extended
	return v.follow(p, read, now)
}

// Drop removes a view.
func (s *Views) Drop(v *View) {
	if s == nil || v.Gone {
		return
	}
	v.Gone = true
	delete(s.byKey, v.Key)
	s.unlink(v)
	s.count(-int64(v.bytes))
}

// makeRoom frees memory for so many more bytes by dropping views of s, and reports
// whether it could. If s is below its share, it asks the others to drop views instead and
// returns false.
func (s *Views) makeRoom(bytes int64) bool {
	q := s.quota
	if bytes > q.largest() {
		return false
	}
	for q.used.Load()+bytes > q.limit {
		if bytes > 0 && s.used+bytes <= q.share() { // others exceed their share
			q.wants.Store(bytes)
			return false
		}
		if !s.dropOldest() {
			return false
		}
	}
	return true
}

// yield drops a view if s exceeds its share and other Views need memory.
func (s *Views) yield() {
	q := s.quota
	wanted := q.wants.Load()
	if wanted == 0 {
		return
	}
	if q.used.Load()+wanted <= q.limit {
		q.wants.Store(0)
	} else if s.used > q.share() {
		s.dropOldest()
	}
}

// dropOldest drops the least recently used view that no call is using; dropping one in use would
// not free memory. It reports whether there was one.
func (s *Views) dropOldest() bool {
	for v := s.oldest; v != nil; v = v.newer {
		if v.users == 0 {
			s.Drop(v)
			return true
		}
	}
	return false
}

func (s *Views) count(bytes int64) {
	s.used += bytes
	s.quota.count(bytes)
}

// link makes v the most recently used.
func (s *Views) link(v *View) {
	v.older, v.newer = s.newest, nil
	if s.newest != nil {
		s.newest.newer = v
	} else {
		s.oldest = v
	}
	s.newest = v
}

func (s *Views) unlink(v *View) {
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
