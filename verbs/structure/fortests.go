package structure

import "github.com/memverbs/memverbs/verbs"

// What follows is for the tests of kinds, which have to see what the engine has done.

// PartKeys returns the keys of all parts of the structure under key whose head holds a
// value, and false if that is no head.
func PartKeys(key, head []byte) (keys []string, ok bool) {
	h, ok := parseHead(head)
	for _, op := range appendOps(nil, verbs.Fetch, key, h.segments) {
		keys = append(keys, string(op.Key))
	}
	return keys, ok
}

// EagerViews returns views that keep what was read for the first time, and short logs
// too, under key.
func EagerViews(key []byte) *Views {
	v := NewViews(NewViewRoom(1<<30, 1, func(int64) {}))
	v.shortest = 0
	v.worthKeeping(key, 0)
	return v
}

// Keeps reports whether there is a view of the structure under key.
func (s *Views) Keeps(key string) bool { return s.byKey[key] != nil }

// Used returns how many bytes of the room are used.
func (r *ViewRoom) Used() int64 { return r.used.Load() }
