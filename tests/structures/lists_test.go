package structures

import (
	"fmt"
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
		return listLanguage{setLanguage{newAlphabet(random, longestWord, 1)}, newContents(random)}
	},
}

// About as many elements are pushed as are removed, and a list is cut before it is too long.
var listVerbs = []*verb{
	{name: "rpush", share: 20, words: upTo(3), step: on(stepRightPush)},
	{name: "lpush", share: 14, words: upTo(3), step: on(stepLeftPush)},
	{name: "rput", share: 8, words: makeContent, step: on(stepRightPush)},
	{name: "lput", share: 6, words: makeContent, step: on(stepLeftPush)},
	{name: "lrem", share: 12, words: makeRemoval, step: on(stepListRemove)},
	{name: "lpop", share: 16, words: makeCount, step: on(stepLeftPop)},
	{name: "rpop", share: 14, words: makeCount, step: on(stepRightPop)},
	{name: "ltrim", share: 6, words: makeTrim, step: on(stepTrim)},
	{name: "lrange", share: 28, words: makeRange, reads: true, step: on(stepRange)},
	{name: "llen", share: 6, reads: true, step: on(stepLength)},
	{name: "delete", share: 2, step: on(stepListDelete)},
}

func makeRemoval(random *rand.Rand) []string {
	return []string{strconv.Itoa(random.IntN(5) - 2), oneOf(random, names...)}
}

// makeCount makes up a count, and perhaps for how long to wait: the answer has to be right at some time until then.
func makeCount(random *rand.Rand) []string {
	return strings.Fields(oneOf(random, "1", "1", "2", "4", "1 wait 200", "1 wait 5", "2 wait 50"))
}

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

// contents are what elements with data have, by their names.
type contents map[string]payload

type payload struct{ flags, data string }

// contentNames are the names of elements with data: those of words in upper case.
var contentNames = strings.Split("ABCDEF", "")

func makeContent(random *rand.Rand) []string { return []string{oneOf(random, contentNames...)} }

// newContents makes up contents of any bytes, short or long.
func newContents(random *rand.Rand) contents {
	all := contents{}
	for i, name := range contentNames {
		data := make([]byte, random.IntN(oneOf(random, 2, 30, 400)))
		for i := range data {
			data[i] = byte(random.IntN(256))
		}
		all[name] = payload{strconv.Itoa(1 + i), string(data)} // so that they differ, even if they are empty
	}
	return all
}

// name returns the name of the element that has the content of a value.
func (c contents) name(v value) (found string, ok bool) {
	for name, of := range c {
		if of.flags == v.flags && of.data == v.data {
			return name, true
		}
	}
	return "", false
}

// listLanguage has each name of an action be an element.
type listLanguage struct {
	setLanguage
	contents contents
}

func (l listLanguage) request(key string, a action) string {
	if len(a.words) > 0 {
		if of, ok := l.contents[a.words[0]]; ok {
			return fmt.Sprintf("%s %s %s %d\r\n%s\r\n", a.verb.name, key, of.flags, len(of.data), of.data)
		}
	}
	return l.setLanguage.request(key, a)
}

func (l listLanguage) understand(a action, r reply) string {
	switch a.verb.name {
	case "lrange", "lpop", "rpop":
		if r.line == "END" {
			return string(noList)
		}
		if found, ok := l.elements(r.values); ok {
			return "[" + found
		}
	}
	return r.String()
}

// elements returns the names of the elements that came: words in one value, or a value for each if any has data.
func (l listLanguage) elements(values []value) (found string, ok bool) {
	if len(values) == 1 && values[0].stamp == "" {
		return l.names(strings.Fields(values[0].data))
	}
	data := false
	for i, v := range values {
		name, of := l.contents.name(v)
		if !of && v.flags == "0" {
			name, of = l.names([]string{v.data})
		} else {
			data = true
		}
		if place, err := strconv.Atoi(v.stamp); !of || err != nil || place != i+number(values[0].stamp) {
			return "", false
		}
		found += name
	}
	return found, data
}
