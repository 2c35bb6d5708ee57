package verbtest

import (
	"math/rand/v2"

	"github.com/memverbs/memverbs/verbs"
)

// Race is several clients that use one structure, under the key k, through several
// proxies.
type Race struct {
	Name    string
	Log     string     // head of the structure before the race, "none" for no item
	TTL     int64      // how long it lives, in seconds; 0 for ever, or headTTL if the race is one of a random schedule
	Items   []string   // keys of other items before it, whose values are the same
	First   [][]string // requests of clients like Clients that are carried out before, one after another
	Clients [][]string

	Options verbs.Options
	Old     bool
	Long    bool                 // with mishaps there are nearly a million schedules
	OnlyNew bool                 // there are too many schedules on an old memcached
	Limit   int                  // longest value, 0 for memcached's default
	Direct  bool                 // see Model.Direct
	Chance  func() func() uint64 // returns a new source for Env.Random
	Elapse  int64                // most milliseconds that pass in a step
	Slice   int                  // see Schedule.Slice
	Views   bool                 // the proxies keep views
	Orders  bool                 // see structure.DecisionsOf
	Skew    int64                // milliseconds by which the clock of the second proxy is ahead
	Waits   bool                 // calls that are to wait do
	Sharing bool                 // the proxies are event loops of one process
	Near    bool                 // the proxies are event loops of one process, and their calls that only read use views without probes
	Jumps   int64                // by how many milliseconds a proxy's clock jumps, forward or back, for some steps or for good; 0 if none does
}

// lifeUnit is longer than a race, in seconds.
const lifeUnit = 100_000

// Rules are the rules that races on structures of a kind must obey.
type Rules struct {
	List *verbs.List // verbs that the clients know
	Look string      // request that reads the whole structure at the end
	// Before returns the state that a log folds to.
	Before func(log string) string
	// Right reports whether some order of calls, starting from the state before, explains
	// their answers. before is empty if there was no structure. A call "vanish <key>"
	// stands for an eviction.
	Right func(before string, calls []*Call) bool
	// Stray returns the keys of items that belong to no structure after calls in which no
	// mishap happened. If it is nil, those are all that the head under k does not point to.
	Stray func(w *World, calls []*Call) []string
	// Ends says that a structure with a time to live is deleted when nothing is left of it. A call
	// "end <key>" stands for that. At last a call "life <key>" tells how long the structure lives: its
	// answer is that of [Track.life].
	Ends bool
	// Unknown begins the error for an unknown outcome that needs no mishap; empty if there is
	// none.
	Unknown string
	// Intent is the Intent of schedules.
	Intent func(request string, buf []byte) string
	// Random returns a random race.
	Random func(r *rand.Rand) Race
}

// Counter returns a source of distinct numbers, from last-1 downwards. With large ones
// nothing is done that depends on chance, with small ones everything is.
func Counter(last uint64) func() uint64 {
	return func() uint64 {
		last--
		return last
	}
}
