package verbtest

import "testing"

// mostSchedules is the most schedules of a race that tryAll runs in turn, so that it ends in a
// reasonable time. Of a Long race that has more it runs some at random then; no other may have
// more.
const mostSchedules = 1 << 20

// someSchedules is mostSchedules with -short or under the race detector, for any race.
const someSchedules = 100

// atMost returns how many schedules of a race are run in turn.
func atMost() int {
	if brief() {
		return someSchedules
	}
	return mostSchedules + 1 // which only a Long race reaches
}

// tryAll runs all schedules of a race with up to faults mishaps, or some if brief, and returns
// their number.
func (r *Race) tryAll(t *testing.T, rules *Rules, faults int) int {
	tr := NewTrack(t, rules)
	tr.checked = map[uint64]bool{}
	choose := &Exhaustive{Faults: faults, Left: faults}
	n := 0
	for more := true; more; more = choose.Next() {
		if s, wrong := tr.Run(r, choose); wrong != "" {
			t.Fatalf("%s, after %d schedules: %s\n%s", r.Name, n, wrong, tr.Shrink(r, choose.Picked))
		} else if n++; n > mostSchedules && !r.Long {
			t.Fatalf("%s: too many schedules, such as:\n%s", r.Name, s)
		}
		if most := atMost(); n == most {
			tr.trySome(t, r, faults, most/4)
			return n + most/4
		}
	}
	return n
}

// trySome runs n random schedules of a race, with mishaps if faults is not 0.
func (tr *Track) trySome(t *testing.T, r *Race, faults, n int) {
	rate := 0.1 * float64(min(faults, 1))
	for seed := range uint64(n) {
		choose := NewRandom(seed, rate)
		if _, wrong := tr.Run(r, choose); wrong != "" {
			t.Fatalf("%s, seed %d: %s\n%s", r.Name, seed, wrong, tr.Shrink(r, choose.Taken))
		}
	}
}

// TryEach runs all schedules of each race with up to faults mishaps, on new and old
// memcacheds and with views, and checks rules. If brief it runs some of them.
func TryEach(t *testing.T, rules *Rules, races []Race, faults int) {
	for _, race := range races {
		for _, on := range []struct {
			what       string
			old, views bool
		}{{"new", false, false}, {"old", true, false}, {"new, with views", false, true}} {
			if on.old && race.OnlyNew {
				continue
			}
			race := race
			race.Name += ", " + on.what
			race.Old, race.Views, race.Direct = on.old, on.views, true
			race.try(t, rules, faults)
		}
	}
}

// TryNear is TryEach without mishaps, for event loops of one process whose calls that only read use views without probes.
func TryNear(t *testing.T, rules *Rules, races []Race) {
	for _, race := range races {
		race.Views, race.Direct, race.Near, race.Sharing = true, true, true, true
		race.try(t, rules, 0)
	}
}

// try is tryAll in a test of its own.
func (r *Race) try(t *testing.T, rules *Rules, faults int) {
	t.Run(r.Name, func(t *testing.T) {
		t.Parallel()
		t.Logf("%d schedules", r.tryAll(t, rules, faults))
	})
}
