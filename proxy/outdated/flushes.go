package outdated

import "time"

// flushes are the flush_all requests that a server has missed. Of those with a time in the future it
// keeps only the last one, as memcached does.
type flushes struct {
	missed bool      // one whose time has come
	later  time.Time // of one that was still to come; zero for none
}

// add adds a flush.
func (f *flushes) add(at, now time.Time) {
	f.resolve(now)
	if at.After(now) {
		f.later = at
	} else {
		f.missed = true
	}
}

// resolve checks whether the time of the later one has come.
func (f *flushes) resolve(now time.Time) {
	if !f.later.IsZero() && !f.later.After(now) {
		f.missed, f.later = true, time.Time{}
	}
}

// next returns when to flush: now if one was missed. It is zero if there is none.
func (f *flushes) next(now time.Time) time.Time {
	if f.resolve(now); f.missed {
		return now
	}
	return f.later
}
