package verbtest

import "testing"

// mostSchedules is the most schedules of a race that tryAll accepts, so that it ends in
// a reasonable time.
const mostSchedules = 1 << 20

// tryAll runs all schedules of a race with up to faults mishaps and returns their
// number.
func (r *Race) tryAll(t *testing.T, rules *Rules, faults int) int {
	tr := NewTrack(t, rules)
	tr.checked = map[string]bool{}
	choose := &InTurn{Faults: faults, Left: faults}
	n := 0
	for more := true; more; more = choose.Next() {
		if s, wrong := tr.Run(r, choose); wrong != "" {
			t.Fatalf("%s, after %d schedules: %s\n%s", r.Name, n, wrong, tr.Shrink(r, choose.Picked))
		} else if n++; n > mostSchedules {
			t.Fatalf("%s: too many schedules, such as:\n%s", r.Name, s)
		}
	}
	return n
}

// TryEach runs all schedules of each race with up to faults mishaps, on new and old
// memcacheds and with views, and checks rules.
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
			race.Old, race.Views, race.Direct = on.old, on.views, true
			name := race.Name + ", " + on.what
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				t.Logf("%d schedules", race.tryAll(t, rules, faults))
			})
		}
	}
}
