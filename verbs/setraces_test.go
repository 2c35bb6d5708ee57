package verbs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// setRace is several clients at work on the set k.
type setRace struct {
	name    string
	log     string // what is there before, "none" for nothing
	clients [][]string
}

var setRaces = []setRace{
	{"two create", "none", [][]string{{"sadd k a"}, {"sadd k b a"}}},
	{"three create", "none", [][]string{{"sadd k a"}, {"sadd k b"}, {"sadd k c"}}},
	{"create and remove", "none", [][]string{{"sadd k a"}, {"srem k a"}, {"srem k a"}}},
	{"remove, create and look", "none", [][]string{{"srem k a", "scard k"}, {"sadd k a", "scard k"}}},
	{"add and compact", "+a -a ", [][]string{{"sadd k b", "srem k a"}, {"scard k", "smembers k"}}},
	{"compact both", "+a -a +b ", [][]string{{"scard k", "sadd k a"}, {"smembers k", "srem k b"}}},
	{"empty", "+a ", [][]string{{"srem k a", "sadd k a"}, {"srem k a", "smembers k"}}},
	{"compact and count", "+a -a ", [][]string{{"sadd k a b"}, {"srem k a"}, {"smembers k"}}},
}

// begin puts what the race begins with into w.
func (r *setRace) begin(w *world) (state setState) {
	if r.log != "none" {
		w.put("k", r.log, 7, 100)
		var set Set
		set.Read([]byte(r.log))
		state = setState{true, strings.TrimLeft(string(set.AppendMembers(nil))+" ", " ")}
	}
	return state
}

// check looks whether what the schedule of a race did is right.
func (r *setRace) check(t *testing.T, s *schedule, state setState) {
	evicted := false
	var calls []*call
	for _, c := range s.calls {
		switch {
		case strings.Contains(c.answer, "is full"):
			if !s.filled {
				t.Fatalf("%s:\n%s\n%s: answered %q", r.name, s, c.request, c.answer)
			}
			continue
		case strings.HasPrefix(c.request, "evict"):
			evicted = true
		case c.answer == "":
			t.Fatalf("%s:\n%s\n%s: not answered", r.name, s, c.request)
		case strings.HasPrefix(c.answer, "SERVER_ERROR") && !c.failed(), strings.HasPrefix(c.answer, "CLIENT_ERROR"):
			t.Fatalf("%s:\n%s\n%s: answered %q", r.name, s, c.request, c.answer)
		}
		calls = append(calls, c)
	}
	calls = append(calls, did("smembers k", s.send("smembers k"), s.step+1, s.step+1))
	if !inSomeOrder(state, calls) {
		t.Fatalf("%s:\n%s\nat last: %q\nno order of the calls explains the answers", r.name, s, calls[len(calls)-1].answer)
	}
	if i := s.find("k"); state.exists && !evicted && (i == nil || i.flags != 7 || i.expires != s.seconds()+100) {
		t.Fatalf("%s:\n%s\nflags and time to live are lost: %+v", r.name, s, i)
	}
}

// counter returns numbers that differ, from last downwards: large ones leave
// undone what is done by chance.
func counter(last uint64) func() uint64 {
	return func() uint64 {
		last--
		return last
	}
}

// tryAll goes through all schedules of a race, with so many mishaps, and
// returns how many there are.
func (r *setRace) tryAll(t *testing.T, old bool, faults int) int {
	w := newWorld(t)
	w.options.CompactDirtiness, w.old, w.direct = 0, old, true
	callers := &pool{t: t, env: w}
	choose := &inTurn{faults: faults, left: faults}
	n := 0
	for more := true; more; more = choose.next() {
		fresh := newModel()
		fresh.old, fresh.direct = old, true
		w.model = fresh
		w.random = counter(math.MaxUint64)
		state := r.begin(w)
		s := newSchedule(w, choose, callers, r.clients)
		s.run()
		r.check(t, s, state)
		n++
	}
	return n
}

func TestEverySchedule(t *testing.T) {
	total := 0
	for _, race := range setRaces {
		for _, old := range []bool{false, true} {
			n := race.tryAll(t, old, 0)
			t.Logf("%s, old %v: %d schedules", race.name, old, n)
			total += n
		}
	}
	t.Logf("%d schedules in all", total)
}

// Two calls, and whatever can go wrong with any one operation.
func TestEveryMishap(t *testing.T) {
	total := 0
	for _, race := range setRaces {
		for _, old := range []bool{false, true} {
			two := race
			two.clients = [][]string{race.clients[0][:1], race.clients[1][:1]}
			n := two.tryAll(t, old, 1)
			t.Logf("%s, old %v: %d schedules", two.name, old, n)
			total += n
		}
	}
	t.Logf("%d schedules in all", total)
}

// Clients at random, with mishaps at random. To see one again, set only to its
// seed.
func TestRandomSchedules(t *testing.T) {
	const schedules, only = 20_000, 0
	w := newWorld(t)
	callers := &pool{t: t, env: w}
	for seed := uint64(1); seed <= schedules; seed++ {
		if only != 0 && seed != only {
			continue
		}
		choose := newRandom(seed, []float64{0, 0.02, 0.1}[seed%3])
		fresh := newModel()
		fresh.old, fresh.direct = seed%2 == 0, seed%8 != 0
		w.model = fresh
		w.options.CompactDirtiness = choose.IntN(4)
		w.random = rand.NewPCG(seed, 2).Uint64
		race := randomRace(choose.Rand)
		race.name = fmt.Sprintf("seed %d", seed)
		state := race.begin(w)
		s := newSchedule(w, choose, callers, race.clients)
		s.run()
		race.check(t, s, state)
	}
}

// randomRace makes up a race.
func randomRace(r *rand.Rand) (race setRace) {
	race.log = []string{"none", "", "+a +b ", "+a -a +a -b +c -c +d ", "-x\n+a +b"}[r.IntN(5)]
	if strings.HasSuffix(race.log, "b") {
		race.log += " "
	}
	for range 2 + r.IntN(3) {
		var requests []string
		for range 1 + r.IntN(4) {
			command := []string{"sadd", "sadd", "srem", "srem", "sismember", "scard", "smembers"}[r.IntN(7)]
			request := command + " k"
			if command != "scard" && command != "smembers" {
				for range 1 + r.IntN(2) {
					request += " " + []string{"a", "b", "c", "d", "x"}[r.IntN(5)]
				}
			}
			requests = append(requests, request)
		}
		race.clients = append(race.clients, requests)
	}
	return race
}
