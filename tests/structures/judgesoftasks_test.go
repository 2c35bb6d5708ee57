package structures

import (
	"testing"
	"time"
)

// The roster finds what a queue must not do, and nothing wrong with what it may.
func TestTheRosterTellsRightFromWrong(t *testing.T) {
	now := time.Now()
	long, past := now.Add(time.Hour), now.Add(-time.Hour)
	for _, test := range []struct {
		name   string
		before func(r *roster) // what happens to the task "a", of which P and Q are puts
		stamp  string
		right  bool
	}{
		{"as it should be", func(r *roster) { r.try("a", now.UnixMilli()) }, "P.1", true},
		{"never put", func(*roster) {}, "P.1", false},
		{"early", func(r *roster) { r.try("a", long.UnixMilli()) }, "P.1", false},
		{"no stamp", func(r *roster) { r.try("a", now.UnixMilli()) }, "P", false},
		{"the same stamp", func(r *roster) { r.handOut(t, "P.1", past) }, "P.1", false},
		{"held", func(r *roster) { r.handOut(t, "P.1", now) }, "P.2", false},
		{"the hold is over", func(r *roster) { r.handOut(t, "P.1", past) }, "P.2", true},
		{"held on", func(r *roster) { r.prolong(r.handOut(t, "P.1", past), now, 10) }, "P.2", false},
		{"put off", func(r *roster) { r.becomes(r.handOut(t, "P.1", now), off) }, "P.2", true},
		{"put off for longer", func(r *roster) {
			a := r.handOut(t, "P.1", now)
			r.becomes(a, off)
			r.putOff(a, long.UnixMilli())
		}, "P.2", false},
		{"perhaps ended", func(r *roster) { r.complete(r.handOut(t, "P.1", now)) }, "P.2", true},
		{"ended", func(r *roster) { r.becomes(r.handOut(t, "P.1", past), finished) }, "P.2", false},
		{"put once, but two puts", func(r *roster) { r.becomes(r.handOut(t, "P.1", past), finished) }, "Q.1", false},
		{"put again", func(r *roster) {
			r.becomes(r.handOut(t, "P.1", past), finished)
			r.try("a", now.UnixMilli())
		}, "Q.1", true},
	} {
		r := newRoster()
		test.before(r)
		if _, err := r.begin("a", test.stamp, now, 10); (err == nil) != test.right {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// handOut enters that a was put, and handed out to one who had asked for ten seconds at some time.
func (r *roster) handOut(t *testing.T, stamp string, asked time.Time) *run {
	t.Helper()
	r.try("a", 0)
	r.acknowledge("a")
	a, err := r.begin("a", stamp, asked, 10)
	if err != nil {
		t.Error(err)
	}
	return a
}
