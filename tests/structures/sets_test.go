package structures

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSetsAreLinearizableWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{sets, setsOfGroups}, faults: faultsOfTheWay, share: 0.12}.run(t, 8*time.Second)
}

// A set may be gone after a memcached died, but not half of it, nor may it come
// back.
func TestSetsAreLinearizableWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{sets, setsOfGroups}, faults: faultsOfTheStore, share: 0.04}.run(t, 6*time.Second)
}

// sets are those of which each name is one member, and setsOfGroups those of which it may be
// several, always added and removed together, so that they may be large.
var (
	sets = &kind{
		name: "set", verbs: append(slices.Clone(setVerbs), &verb{name: "spop", share: 8, step: on(stepPop)}), look: "smembers",
		places: 4, unanswered: 6, open: 9, folds: true, parts: true, nothing: absent, client: newAnybody,
		language: func(random *rand.Rand) language { return setLanguage{newAlphabet(random, longestWord, 1)} },
	}
	setsOfGroups = &kind{
		name: "groups", verbs: setVerbs, look: "smembers",
		places: 4, unanswered: 6, open: 9, folds: true, parts: true, nothing: absent, client: newAnybody,
		language: func(random *rand.Rand) language { return setLanguage{newAlphabet(random, longestWord, 1, 1, 8, 60)} },
	}
)

var setVerbs = []*verb{
	{name: "sadd", share: 32, words: upTo(3), step: on(stepAdd)},
	{name: "saddp", share: 8, words: forLong(3), step: on(stepAddForATime)},
	{name: "saddnew", share: 5, words: upTo(3), step: on(stepAddNew)},
	{name: "schange", share: 6, words: changes(3), step: on(stepChange)},
	{name: "srem", share: 22, words: upTo(2), step: on(stepRemove)},
	{name: "smembers", share: 20, reads: true, step: on(stepMembers)},
	{name: "sismember", share: 12, words: upTo(3), reads: true, step: on(stepIsMember)},
	{name: "scard", share: 12, reads: true, step: on(stepCard)},
	{name: "delete", share: 2, step: on(stepDelete)},
}

// setLanguage has each name of an action be the members that its alphabet has for it.
type setLanguage struct{ alphabet }

func (l setLanguage) request(key string, a action) string {
	if a.verb.name == "schange" {
		return l.changes(key, a.words)
	}
	return l.line(a.verb.name, key, a.words)
}

// changes returns a schange in which each name is written out as the members it stands for.
func (l setLanguage) changes(key string, words []string) string {
	line := "schange " + key
	for _, word := range words {
		for _, member := range l.alphabet[word[1:]] {
			line += " " + word[:1] + member
		}
	}
	return line + "\r\n"
}

// forLong returns a function that makes up one to most names, and for how many seconds they are added.
func forLong(most int) func(*rand.Rand) []string {
	return func(random *rand.Rand) []string {
		return append(upTo(most)(random), oneOf(random, "600", "2147483647"))
	}
}

// changes returns a function that makes up one to most names, each to be added or removed.
func changes(most int) func(*rand.Rand) []string {
	return func(random *rand.Rand) (list []string) {
		for _, name := range upTo(most)(random) {
			list = append(list, oneOf(random, "+", "-")+name)
		}
		return list
	}
}

func (l setLanguage) understand(a action, r reply) string {
	switch a.verb.name {
	case "smembers", "spop":
		if found, ok := l.list(r); ok {
			return found
		}
	case "sismember":
		return l.understandBits(a.words, r.line)
	}
	return r.String()
}

// list returns the names of the members that came, in braces.
func (l setLanguage) list(r reply) (found string, ok bool) {
	if r.line == "END" {
		return string(absent), true
	}
	if len(r.values) != 1 {
		return "", false
	}
	words, ok := l.names(strings.Fields(r.values[0].data))
	return "{" + words + "}", ok
}

func (l setLanguage) understandBits(asked []string, line string) string {
	bits := strings.Fields(line)
	var found []string
	for _, name := range asked {
		words := l.alphabet[name]
		if n := len(words); len(bits) < n || strings.Count(strings.Join(bits[:n], ""), bits[0]) < n {
			return line
		}
		found = append(found, bits[0])
		bits = bits[len(words):]
	}
	return strings.Join(found, " ")
}
