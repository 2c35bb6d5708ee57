package structure

import "github.com/memverbs/memverbs/verbs"

// These functions are for the tests of kinds, which inspect what the engine has done.

// PartKeys returns the keys of all parts of the structure under key with the given
// head, and false if that is no well-formed head.
func PartKeys(key, head []byte) (keys []string, ok bool) {
	h, ok := parseHead(head)
	for _, op := range appendOps(nil, verbs.Fetch, key, h.segments) {
		keys = append(keys, string(op.Key))
	}
	return keys, ok
}

// EagerViews returns Views that keep a view of key at the first read, and of short logs
// too.
func EagerViews(key []byte) *Views {
	v := NewViews(NewViewRoom(1<<30, func(int64) {}))
	v.shortest = 0
	v.worthKeeping(key, 0)
	return v
}

// DecisionsOf returns empty Decisions. With orders set, they give orders without racing first.
func DecisionsOf(orders bool) (s Decisions) {
	s.orders.always = orders
	return s
}

// NoteClock notes that the upstream of the structure under key has told its time, by which it is ahead of
// [verbs.Env.Uptime], at the time now by that, all in milliseconds.
func (s *Decisions) NoteClock(key []byte, ahead, now int64) { s.orders.learn(key, ahead, now) }

// Keeps reports whether the structure under key has a view.
func (s *Views) Keeps(key string) bool { return s.byKey[key] != nil }

// Fold returns the fold of the view of the structure under key, nil if it has none.
func (s *Views) Fold(key string) Fold {
	if v := s.byKey[key]; v != nil {
		return v.fold
	}
	return nil
}

// Used returns how many bytes of the room are in use.
func (r *ViewRoom) Used() int64 { return r.used.Load() }
