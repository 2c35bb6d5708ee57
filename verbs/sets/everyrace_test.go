package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

var setRaces = []setRace{
	{name: "two create", log: "none", options: roomy, clients: [][]string{{"sadd k a"}, {"sadd k b a"}}},
	{name: "three create", log: "none", options: roomy, clients: [][]string{{"sadd k a"}, {"sadd k b"}, {"sadd k c"}}},
	{name: "create and remove", log: "none", options: roomy, clients: [][]string{{"sadd k a"}, {"srem k a"}, {"srem k a"}}},
	{name: "remove, create and look", log: "none", options: roomy, clients: [][]string{{"srem k a", "scard k"}, {"sadd k a", "scard k"}}},
	{name: "add and compact", log: "+a -a ", options: roomy, clients: [][]string{{"sadd k b", "srem k a"}, {"scard k", "smembers k"}}},
	{name: "compact both", log: "+a -a +b ", options: roomy, clients: [][]string{{"scard k", "sadd k a"}, {"smembers k", "srem k b"}}},
	{name: "empty", log: "+a ", options: roomy, clients: [][]string{{"srem k a", "sadd k a"}, {"srem k a", "smembers k"}}},
	{name: "compact and count", log: "+a -a ", options: roomy, clients: [][]string{{"sadd k a b"}, {"srem k a"}, {"smembers k"}}},
	{name: "three times three", log: "+a +b ", options: verbs.Options{StructureItemSize: 1 << 20, CompactDirtiness: 9}, onlyNew: true, clients: [][]string{
		{"sadd k c", "srem k a", "scard k"}, {"srem k c", "sadd k a", "srem k b"}, {"smembers k", "sadd k b", "smembers k"}}},
	{name: "pop", log: "+a +b ", options: roomy, clients: [][]string{{"spop k"}, {"spop k"}, {"spop k"}}},
	{name: "pop and remove", log: "+a +b ", options: roomy, clients: [][]string{{"spop k", "spop k"}, {"srem k a", "sadd k a"}}},
	{name: "compact now", log: "+a -a +b ", options: roomy, clients: [][]string{{"scompact k", "scard k"}, {"sadd k a", "srem k b"}}},
	{name: "settle and look", log: "+a +b ", options: tiny, clients: [][]string{{"sadd k c"}, {"smembers k", "scard k", "smembers k"}}},
	{name: "settle and change", log: "+a +b ", options: tiny, long: true, clients: [][]string{{"srem k a"}, {"sadd k a"}}},
	{name: "settle both", log: "+a -b ", options: tiny, onlyNew: true, clients: [][]string{{"srem k a", "sadd k b"}, {"scard k"}}},
	{name: "insert and change", log: "+a ", options: tiny, clients: [][]string{{"sadd k b c"}, {"srem k b"}}},
	{name: "look in slices", log: "+a -b +c ", options: tiny, onlyNew: true, slice: 1, clients: [][]string{{"sadd k b"}, {"smembers k"}}},
	{name: "pop from segments", log: "+a +b +c +d +e +f +g +h ", options: small, clients: [][]string{{"spop k", "scompact k"}, {"spop k 2"}}},
	{name: "compact segments and change", log: "+a +b +c +d +e +f +g +h -a ", options: small, clients: [][]string{{"scompact k", "scard k"}, {"srem k b"}}},
}

// mostSchedules is how many schedules of one race may be, so that all can be
// tried in a while.
const mostSchedules = 1 << 20

// tryAll goes through all schedules of a race, with so many mishaps, and
// returns how many there are.
func (r *setRace) tryAll(t *testing.T, faults int) int {
	tr := newTrack(t)
	tr.checked = map[string]bool{}
	choose := &verbtest.InTurn{Faults: faults, Left: faults}
	n := 0
	for more := true; more; more = choose.Next() {
		if s, wrong := tr.run(r, choose); wrong != "" {
			t.Fatalf("%s, after %d schedules: %s\n%s", r.name, n, wrong, tr.shrink(r, choose.Picked))
		} else if n++; n > mostSchedules {
			t.Fatalf("%s: too many schedules, such as:\n%s", r.name, s)
		}
	}
	return n
}

// tryEach tries all schedules of the races, on old and new memcacheds.
func tryEach(t *testing.T, races []setRace, faults int) {
	for _, race := range races {
		for _, on := range []struct {
			what       string
			old, views bool
		}{{"new", false, false}, {"old", true, false}, {"new, with views", false, true}} {
			if on.old && race.onlyNew {
				continue
			}
			race := race
			race.old, race.views, race.direct = on.old, on.views, true
			name := race.name + ", " + on.what
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				t.Logf("%d schedules", race.tryAll(t, faults))
			})
		}
	}
}

func TestEverySchedule(t *testing.T) { tryEach(t, setRaces, 0) }

// Two calls, and whatever can go wrong with any one operation.
func TestEveryMishap(t *testing.T) {
	var races []setRace
	for _, race := range setRaces {
		if race.long && *schedules < aMillion {
			continue
		}
		race.clients = [][]string{race.clients[0][:1], race.clients[1][:1]}
		races = append(races, race)
	}
	tryEach(t, races, 1)
}
