package structure

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// One decision leads at a time. Those that wait are promoted and woken one after another as they have come, and one whose
// call is closed is forgotten.
func TestLeadPasses(t *testing.T) {
	t.Parallel()
	var s Decisions
	key := []byte("k")
	var list [4]decision
	woken := 0
	for i := range list {
		list[i].waiter.Wake = func() { woken += 1 << i }
		if leads := s.join(key, &list[i]); leads != (i == 0) || list[i].lead != unpromoted {
			t.Errorf("decision %d: leads %v, as %d", i, leads, list[i].lead)
		}
	}
	s.leave(key, &list[2])
	for _, test := range []struct{ ends, leads, woken int }{{0, 1, 0b10}, {1, 3, 0b1010}} {
		if next := s.done(key, []*decision{&list[test.ends]}); next != &list[test.leads] || next.lead != promoted || woken != test.woken || !s.led(key) {
			t.Errorf("after decision %d, %d does not lead; %b are woken", test.ends, test.leads, woken)
		}
	}
	if next := s.done(key, []*decision{&list[3]}); next != nil || s.led(key) || list[2].lead != unpromoted || woken != 0b1010 {
		t.Errorf("at last %v leads; %b are woken", next, woken)
	}
	for l, leads := range map[lead]bool{unpromoted: false, promoted: true, sheltered: true} {
		if l.isPromoted() != leads {
			t.Errorf("%d: %v", l, !leads)
		}
	}
}

// holds counts how often appends are held back.
type holds struct {
	Env
	on int
}

func (h *holds) Hold(_, _ []byte, on bool) {
	if on {
		h.on++
	} else {
		h.on--
	}
}

// A leader holds back appends once, whether or not its predecessor has done that for it.
func TestHoldOfALeader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, after lead
		held          int // before
	}{{unpromoted, unpromoted, 0}, {promoted, promoted, 0}, {sheltered, promoted, 1}} {
		for _, event := range []struct {
			name string
			do   func(*leader, *decision)
			held int
		}{{"holds", (*leader).holdAsLeader, 1}, {"lets others append", (*leader).letAppend, 0}} {
			h := &holds{on: test.held}
			l := &leader{call: &call{Call: &verbs.Call{}, env: h}}
			d := &decision{lead: test.before}
			if event.do(l, d); d.lead != test.after || h.on != event.held {
				t.Errorf("%d %s: it is %d, and appends are held back %d times", test.before, event.name, d.lead, h.on)
			}
		}
	}
}
