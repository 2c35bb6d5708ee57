package structures

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRankingsAreLinearizableWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{rankings}, faults: faultsOfTheWay, share: 0.08}.run(t, 3*time.Second)
}

func TestRankingsAreLinearizableWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{rankings}, faults: faultsOfTheStore, share: 0.04}.run(t, 2*time.Second)
}

// A ranking of which a part is evicted is gone.
func TestRankingsAreLinearizableWhenMemcachedEvicts(t *testing.T) {
	soak{kinds: []*kind{rankings}, faults: allFaults, cramped: true, share: 0.06}.run(t, 2*time.Second)
}

var rankings = &kind{
	name: "ranking", verbs: rankingVerbs, look: "zrange", places: 4, unanswered: 3, open: 5, folds: true, parts: true, nothing: ranking{}, client: newAnybody,
	language: func(random *rand.Rand) language {
		return rankingLanguage{setLanguage{newAlphabet(random, longestWord, 1)}}
	},
}

// Increments that expire do so long after a history has ended.
var rankingVerbs = []*verb{
	{name: "zadd", share: 10, words: makePairs, step: on(stepScoreSet)},
	{name: "zsub", share: 6, words: makePairs, step: on(stepScoreSubtract)},
	{name: "zinc", share: 10, words: upTo(3), step: on(stepScoreUp)},
	{name: "zdec", share: 6, words: upTo(2), step: on(stepScoreDown)},
	{name: "zmax", share: 6, words: makePairs, step: on(stepScoreRaise)},
	{name: "zmin", share: 6, words: makePairs, step: on(stepScoreLower)},
	{name: "zrem", share: 8, words: upTo(2), step: on(stepScoreRemove)},
	{name: "zincrby", share: 18, words: makePairs, step: on(stepScoreAdd)},
	{name: "zincrbyp", share: 10, words: makeExpiringPairs, step: on(stepScoreAdd)},
	{name: "zget", share: 8, words: upTo(3), reads: true, step: on(stepScores)},
	{name: "zrank", share: 4, words: upTo(1), reads: true, step: on(stepRank)},
	{name: "zrevrank", share: 4, words: upTo(1), reads: true, step: on(stepReverseRank)},
	{name: "zrange", share: 8, words: makePage, reads: true, step: on(stepLowest)},
	{name: "zrevrange", share: 8, words: makePage, reads: true, step: on(stepHighest)},
	{name: "zbyscore", share: 4, words: makeBounds, reads: true, step: on(stepBetween)},
	{name: "zrevbyscore", share: 3, words: makeBoundsFromTop, reads: true, step: on(stepBetweenFromTop)},
	{name: "zaround", share: 3, words: makeNeighbours, reads: true, step: on(stepAround)},
	{name: "zrevaround", share: 3, words: makeNeighbours, reads: true, step: on(stepAroundFromTop)},
	{name: "zcount", share: 4, words: makeBounds, reads: true, step: on(stepCount)},
	{name: "zcard", share: 4, reads: true, step: on(stepMembersOfRanking)},
	{name: "zpopmin", share: 6, words: makeFew, step: on(stepPopLowest)},
	{name: "zpopmax", share: 6, words: makeFew, step: on(stepPopHighest)},
	{name: "ztrim", share: 3, words: makeKept, step: on(stepScoreTrim)},
	{name: "delete", share: 2, step: on(stepRankingDelete)},
}

// makePairs makes up one or two numbers and names, not always of different members.
func makePairs(random *rand.Rand) (pairs []string) {
	for range 1 + random.IntN(2) {
		pairs = append(pairs, strconv.Itoa(random.IntN(5)-1), oneOf(random, names...))
	}
	return pairs
}

func makeExpiringPairs(random *rand.Rand) []string {
	return append(makePairs(random), oneOf(random, "3600", "86400"))
}

// makePage makes up an offset and a count, or none to read all.
func makePage(random *rand.Rand) []string {
	if random.IntN(2) > 0 {
		return nil
	}
	return []string{strconv.Itoa(random.IntN(3)), strconv.Itoa(random.IntN(4) - 1)}
}

// makeBounds makes up two bounds of scores.
func makeBounds(random *rand.Rand) []string {
	return []string{oneOf(random, "-", "-1", "0", "2"), oneOf(random, "+", "0", "2", "5")}
}

func makeBoundsFromTop(random *rand.Rand) []string {
	bounds := makeBounds(random)
	slices.Reverse(bounds)
	return bounds
}

// makeNeighbours makes up a name, and how many members before and after it to ask for.
func makeNeighbours(random *rand.Rand) []string {
	return []string{oneOf(random, names...), strconv.Itoa(random.IntN(3))}
}

// makeFew makes up a count, or none.
func makeFew(random *rand.Rand) []string {
	if random.IntN(2) > 0 {
		return nil
	}
	return []string{strconv.Itoa(1 + random.IntN(2))}
}

// makeKept makes up how many members a trim keeps.
func makeKept(random *rand.Rand) []string { return []string{oneOf(random, "4", "2", "-3", "-5")} }

// rankingLanguage has each name of an action be a member, and asks for ranges with scores.
type rankingLanguage struct{ setLanguage }

func (l rankingLanguage) request(key string, a action) string {
	switch a.verb.name {
	case "zrange", "zrevrange":
	case "zbyscore", "zrevbyscore", "zaround", "zrevaround":
		return l.line(a.verb.name, key, append(slices.Clone(a.words), "withscores"))
	default:
		return l.setLanguage.request(key, a)
	}
	offset, count := page(a)
	return l.line(a.verb.name, key, []string{strconv.Itoa(offset), strconv.Itoa(count), "withscores"})
}

// page returns the offset and the count of a range.
func page(a action) (offset, count int) {
	if len(a.words) == 0 {
		return 0, -1
	}
	return number(a.words[0]), number(a.words[1])
}

func (l rankingLanguage) understand(a action, r reply) string {
	switch a.verb.name {
	case "zrange", "zrevrange", "zbyscore", "zrevbyscore", "zaround", "zrevaround", "zpopmin", "zpopmax":
	default:
		return r.String()
	}
	switch {
	case r.line == "END":
		return noRanking
	case len(r.values) == 0:
		return r.String()
	}
	words, text := strings.Fields(r.value()), "["
	for len(words) > 1 && len(r.values) == 1 {
		name, ok := l.names(words[:1])
		if !ok {
			break
		}
		text += name + words[1]
		words = words[2:]
	}
	if len(words) > 0 {
		return r.String()
	}
	return text
}
