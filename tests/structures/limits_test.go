package structures

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

// Never is more allowed than a limit's count in any window, and nothing is refused without a reason, whatever goes wrong
// between clients and memcacheds.
func TestLimitsHoldWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{limits}, faults: faultsOfTheWay, share: 0.04}.run(t, 5*time.Second)
}

// What a memcached that died had counted may be allowed once more, or twice.
func TestLimitsHoldWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{limits}, faults: faultsOfTheStore, share: 0.02}.run(t, 5*time.Second)
}

func TestLimitsAnswerWhenMemcachedEvicts(t *testing.T) {
	soak{kinds: []*kind{limits}, faults: allFaults, cramped: true, share: 0.02}.run(t, 2*time.Second)
}

// Limits are judged by times alone, see judgeLimit, so that much may stay unanswered. Workers ask so seldom that a history
// lasts several windows.
var limits = &kind{
	name: "limit", verbs: limitVerbs, look: "left", places: 12, unanswered: 100, open: 100, rest: 200, client: newAnybody,
	language: func(random *rand.Rand) language {
		return limitLanguage{count: oneOf(random, 3, 10, 30), seconds: oneOf(random, 1, 1, 2)}
	},
	judge: judgeLimit,
}

var limitVerbs = []*verb{
	{name: "limit", share: 9, words: howMany, step: anyAnswer},
	{name: "left", share: 1, reads: true, words: howToLook, step: anyAnswer},
}

// A client that can't be changed asks by one of these commands, on the key of a verb. The command is the last word of an action.
const (
	byIncr = "incr"
	byGet  = "get"
)

// howMany makes up how many are wanted, and how that is asked.
func howMany(random *rand.Rand) []string {
	words := []string{oneOf(random, "1", "1", "2", "3")}
	if random.IntN(2) == 0 {
		words = append(words, byIncr)
	}
	return words
}

// howToLook makes up how it is asked what is left.
func howToLook(random *rand.Rand) []string {
	return oneOf(random, nil, []string{byIncr}, []string{byGet})
}

// asksBy reports whether an action asks by a command on a key.
func (a action) asksBy(command string) bool {
	return len(a.words) > 0 && a.words[len(a.words)-1] == command
}

// anyAnswer is the step of what has no state.
func anyAnswer(s any, _ action, _ string) []any { return []any{s} }

// limitLanguage asks about a limit of so many in so many seconds.
type limitLanguage struct{ count, seconds int }

func (l limitLanguage) String() string { return fmt.Sprintf("%d in %d s", l.count, l.seconds) }

// window returns the length of the window.
func (l limitLanguage) window() int64 { return int64(l.seconds) * int64(time.Second) }

func (l limitLanguage) request(key string, a action) string {
	named := fmt.Sprintf("verb/limit/%s/%d/%d", key, l.count, l.seconds)
	switch {
	case a.asksBy(byIncr):
		return fmt.Sprintf("incr %s %d\r\n", named, wanted(a))
	case a.asksBy(byGet):
		return fmt.Sprintf("get %s\r\n", named)
	}
	return fmt.Sprintf("limit %s %d %d %d\r\n", key, l.count, l.seconds, wanted(a))
}

// understand returns what the verb answers. The number that an incr answers with is one more than are left, or 0, which says
// nothing but no.
func (limitLanguage) understand(a action, r reply) string {
	number, err := strconv.Atoi(r.line)
	switch {
	case a.asksBy(byGet):
		return r.value()
	case a.asksBy(byIncr) && err == nil && number > 0:
		return fmt.Sprintf("1 %d 0", number-1)
	}
	return r.String()
}

// wanted returns how many an action asks for, 0 for one that only asks how many are left.
func wanted(a action) int {
	if a.verb.reads {
		return 0
	}
	n, _ := strconv.Atoi(a.words[0])
	return n
}
