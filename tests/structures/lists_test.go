package structures

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestListsAreLinearizableWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{lists}, faults: faultsOfTheWay, share: 0.08}.run(t, 3*time.Second)
}

func TestListsAreLinearizableWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{lists}, faults: faultsOfTheStore, share: 0.04}.run(t, 2*time.Second)
}

// A list of which a part is evicted is gone.
func TestListsAreLinearizableWhenMemcachedEvicts(t *testing.T) {
	soak{kinds: []*kind{lists}, faults: allFaults, cramped: true, share: 0.08}.run(t, 2*time.Second)
}

var lists = &kind{
	name: "list", verbs: listVerbs, look: "lrange", places: 4, unanswered: 3, open: 5, folds: true, parts: true, nothing: noList, client: newAnybody,
	language: func(random *rand.Rand) language {
		return listLanguage{setLanguage{newAlphabet(random, longestWord, 1)}}
	},
}

// About as many elements are pushed as are removed, and a list is cut before it is too long.
var listVerbs = []*verb{
	{name: "rpush", share: 20, words: upTo(3), step: on(stepRightPush)},
	{name: "lpush", share: 14, words: upTo(3), step: on(stepLeftPush)},
	{name: "lrem", share: 12, words: makeRemoval, step: on(stepListRemove)},
	{name: "lpop", share: 12, words: makeCount, step: on(stepLeftPop)},
	{name: "rpop", share: 10, words: makeCount, step: on(stepRightPop)},
	{name: "ltrim", share: 6, words: makeTrim, step: on(stepTrim)},
	{name: "lrange", share: 28, words: makeRange, reads: true, step: on(stepRange)},
	{name: "llen", share: 6, reads: true, step: on(stepLength)},
	{name: "delete", share: 2, step: on(stepListDelete)},
}

func makeRemoval(random *rand.Rand) []string {
	return []string{strconv.Itoa(random.IntN(5) - 2), oneOf(random, names...)}
}

func makeCount(random *rand.Rand) []string { return []string{oneOf(random, "1", "1", "2", "4")} }

func makeTrim(random *rand.Rand) []string {
	return strings.Fields(oneOf(random, "0 9", "-10 -1", "1 -2", "0 -2", "2 4"))
}

// makeRange makes up two places, or none to read all.
func makeRange(random *rand.Rand) []string {
	if random.IntN(3) > 0 {
		return nil
	}
	return []string{strconv.Itoa(random.IntN(9) - 4), strconv.Itoa(random.IntN(9) - 4)}
}

// listLanguage has each name of an action be an element.
type listLanguage struct{ setLanguage }

func (l listLanguage) understand(a action, r reply) string {
	switch a.verb.name {
	case "lrange", "lpop", "rpop":
		if r.line == "END" {
			return string(noList)
		}
		if len(r.values) == 1 {
			if found, ok := l.names(strings.Fields(r.values[0].data)); ok {
				return "[" + found
			}
		}
	}
	return r.String()
}
