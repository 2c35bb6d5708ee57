package verbtest

import (
	"fmt"
	"slices"
)

// mostShrinking is how many shorter schedules Shrink tries.
const mostShrinking = 20_000

// Shrink shortens a wrong schedule of a race, given by its decisions, as long as it
// stays wrong. It returns a report on the shortest one.
func (tr *Track) Shrink(r *Race, taken []int) string {
	tr.tell = true
	defer func() { tr.tell = false }()
	tries := 0
	fails := func(r *Race, taken []int) bool {
		tries++
		_, wrong := tr.Run(r, &AsBefore{Taken: taken})
		return wrong != ""
	}
	race, left := *r, slices.Clone(taken)
	if !fails(&race, left) {
		return "which does not happen again"
	}
	for shorter := true; shorter && tries < mostShrinking; {
		shorter = false
		for _, next := range race.shorter() {
			if fails(&next, left) {
				race, shorter = next, true
				break
			}
		}
		for size := len(left); size > 0 && tries < mostShrinking; size /= 2 {
			for at := 0; at < len(left); {
				next := slices.Delete(slices.Clone(left), at, min(at+size, len(left)))
				if fails(&race, next) {
					left, shorter = next, true
				} else {
					at += size
				}
			}
		}
		for i, n := range left {
			if left[i] = 0; n > 0 && fails(&race, left) {
				shorter = true
			} else {
				left[i] = n
			}
		}
	}
	s, wrong := tr.Run(&race, &AsBefore{Taken: left})
	return fmt.Sprintf("shortened to %d decisions in %d tries: begun with %q, %+v, old %v, limit %d\n%s\n%s",
		len(left), tries, race.Log, race.Options, race.Old, race.Limit, wrong, s)
}

// shorter returns all races with one request less than r.
func (r *Race) shorter() (races []Race) {
	for i := range r.Clients {
		for j := range r.Clients[i] {
			next := *r
			next.Clients = slices.Clone(r.Clients)
			next.Clients[i] = slices.Delete(slices.Clone(r.Clients[i]), j, j+1)
			races = append(races, next)
		}
	}
	return races
}
