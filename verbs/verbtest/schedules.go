package verbtest

import (
	"flag"
	"slices"
	"testing"
)

// aMillion is how many random schedules show that there is time for the longest races too.
const aMillion = 1_000_000

var schedules = flag.Int("schedules", 0, "how many random schedules are run, 0 for the usual number; from a million on, the longest races are gone through too")

var firstSeed = flag.Uint64("seed", 1, "the seed of the first random schedule; the others follow it")

// FirstSeed returns the seed of the first random schedule.
func FirstSeed() uint64 { return *firstSeed }

// fewer is how many times fewer random schedules are run with -short or under the race detector.
const fewer = 100

// brief reports whether tests have to do with little time: with -short, or under the race detector.
func brief() bool { return testing.Short() || underDetector }

// NumberOf returns how many random schedules to run, given the usual number.
func NumberOf(usual int) int {
	switch {
	case *schedules > 0:
		return *schedules
	case brief():
		return usual / fewer
	}
	return usual
}

// Long ends a long test of one goroutine with -short, and under the race detector, which finds nothing
// there. "make schedules" runs it.
func Long(t testing.TB) {
	if brief() {
		t.Skip("takes long and is one goroutine; make schedules runs it")
	}
}

// Thorough reports whether there is time for the longest races.
func Thorough() bool { return *schedules >= aMillion }

// Short returns races without the long ones, unless there is time for them.
func Short(races []Race) []Race {
	return slices.DeleteFunc(slices.Clone(races), func(r Race) bool { return r.Long && !Thorough() })
}

// FirstCalls returns races with only the first calls of their first two clients.
func FirstCalls(races []Race) []Race {
	races = slices.Clone(races)
	for i := range races {
		races[i].Clients = [][]string{races[i].Clients[0][:1], races[i].Clients[1][:1]}
	}
	return races
}
