package structures

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// No two tokens hold a lock at once, and nobody loses one before its time, whatever goes
// wrong between clients and memcacheds.
func TestLocksExcludeWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{locks}, faults: faultsOfTheWay, share: 0.08}.run(t, 5*time.Second)
}

// A lock may be free after a memcached died, but nobody is told that another's is its own.
func TestLocksExcludeWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{locks}, faults: faultsOfTheStore, share: 0.04}.run(t, 3*time.Second)
}

func TestLocksExcludeWhenMemcachedEvicts(t *testing.T) {
	soak{kinds: []*kind{locks}, faults: allFaults, cramped: true, share: 0.04}.run(t, 2*time.Second)
}

// Locks end by themselves only after seconds, so that workers take their time, in more places.
var locks = &kind{
	name: "lock", verbs: lockVerbs, look: "get", places: 12, unanswered: 6, open: 9, rest: 100, nothing: held{}, client: newLocker,
	language: func(*rand.Rand) language { return lockLanguage{} },
}

// Those who lock choose by themselves what to do, see [locker].
var lockVerbs = []*verb{
	{name: "lock", step: on(stepLock)},
	{name: "relock", step: on(stepRelock)},
	{name: "unlock", step: on(stepUnlock)},
	{name: "get", reads: true, step: on(stepHolder)},
}

// lockLanguage says what is said as it is.
type lockLanguage struct{}

func (lockLanguage) String() string { return "" }

func (lockLanguage) request(key string, a action) string {
	return strings.Join(append([]string{a.verb.name, key}, a.words...), " ") + "\r\n"
}

// understand returns the token of an item of a lock, see package locks.
func (lockLanguage) understand(a action, r reply) string {
	switch token, ok := strings.CutPrefix(r.value(), "x:"); {
	case !a.verb.reads:
	case r.line == "END":
		return ""
	case ok && strings.HasSuffix(token, " "):
		return token[:len(token)-1]
	}
	return r.String()
}
