package verbtest

import (
	"math/rand/v2"

	"github.com/memverbs/memverbs/verbs"
)

// Race is several clients at work on one structure, under the key k, through proxies.
type Race struct {
	Name    string
	Log     string // what is there before, "none" for nothing
	Clients [][]string

	Options verbs.Options
	Old     bool
	Long    bool                 // with mishaps, as there are most of a million schedules
	OnlyNew bool                 // as there are too many schedules on an old memcached
	Limit   int                  // the longest value, 0 for memcached's own
	Direct  bool                 // see Model
	Chance  func() func() uint64 // Random
	Elapse  int64                // how many milliseconds pass with each step at most
	Slice   int                  // see Schedule
	Views   bool                 // the proxies keep views
	Skew    int64                // how far the clock of the second proxy is ahead, in milliseconds
}

// Rules are what races on structures of a kind have to keep.
type Rules struct {
	List *verbs.List // the verbs that the clients know
	Look string      // the request that tells all there is in the end
	// Before returns the state that a log stands for.
	Before func(log string) string
	// Right reports whether calls can be put in an order that explains their answers, begun
	// with the state before, which is empty if there was no structure. Among the calls are
	// "vanish <key>" for what was evicted.
	Right func(before string, calls []*Call) bool
	// Intent is that of a Schedule.
	Intent func(request string, buf []byte) string
	// Random makes up a race.
	Random func(r *rand.Rand) Race
}

// Counter returns numbers that differ, from last downwards: large ones leave
// undone what is done by chance, small ones have it done.
func Counter(last uint64) func() uint64 {
	return func() uint64 {
		last--
		return last
	}
}
