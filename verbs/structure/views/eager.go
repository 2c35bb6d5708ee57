package views

import "github.com/memverbs/memverbs/verbs/structure/format"

// These functions are for the tests of kinds, which inspect what is kept.

// Eager returns Views that keep a view of key at the first read, and of short logs
// too.
func Eager(key []byte) *Views {
	v := New(NewQuota(1<<30, func(int64) {}))
	v.shortest = 0
	v.WorthKeeping(key, 0, false)
	return v
}

// Keeps reports whether the structure under key has a view.
func (s *Views) Keeps(key string) bool { return s.byKey[key] != nil }

// Fold returns the fold of the view of the structure under key, nil if it has none.
func (s *Views) Fold(key string) format.Fold {
	if v := s.byKey[key]; v != nil {
		return v.Fold
	}
	return nil
}

// Used returns how many bytes of the quota are in use.
func (q *Quota) Used() int64 { return q.used.Load() }
