package structures

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestRowsAreLinearizableWhateverGoesWrong(t *testing.T) {
	soak{kinds: []*kind{tables}, faults: faultsOfTheWay, share: 0.08}.run(t, 3*time.Second)
}

func TestRowsAreLinearizableWhenAMemcachedDies(t *testing.T) {
	soak{kinds: []*kind{tables}, faults: faultsOfTheStore, share: 0.04}.run(t, 2*time.Second)
}

// A row that is evicted is one row less, and a table of which the index or the anchor is
// evicted is gone.
func TestRowsAreLinearizableWhenMemcachedEvicts(t *testing.T) {
	soak{kinds: []*kind{tables}, faults: allFaults, cramped: true, share: 0.08}.run(t, 2*time.Second)
}

// Each row of a table is judged by itself, together with all that concerns the table as a
// whole: when that goes, so do its rows.
var tables = &kind{
	name: "table", verbs: tableVerbs, look: "hgetall", places: 4, unanswered: 4, open: 6, folds: true, parts: true, nothing: row{}, client: newAnybody,
	evicted:  evictRow,
	views:    viewRows,
	judge:    judgePages,
	language: func(random *rand.Rand) language { return tableLanguage{newAlphabet(random, longestField, 1)} },
}

var tableVerbs = []*verb{
	{name: "hset", share: 22, words: makeRow, step: on(stepRowSet)},
	{name: "hadd", share: 10, words: makeRow, step: on(stepRowAdd)},
	{name: "hdel", share: 14, words: upTo(2), step: on(stepRowDelete)},
	{name: "hincr", share: 8, words: makeAddition, step: on(stepRowCount)},
	{name: "hdecr", share: 4, words: makeAddition, step: on(stepRowCount)},
	{name: "hget", share: 14, words: upTo(3), reads: true, step: on(stepRowGet)},
	{name: "hexists", share: 6, words: upTo(3), reads: true, step: on(stepRowExists)},
	{name: "hkeys", share: 12, words: makeTablePage, reads: true, step: on(stepRowKeys)},
	{name: "hgetall", share: 12, words: makeTablePage, reads: true, step: on(stepRowAll)},
	{name: "hlen", share: 4, reads: true, step: on(stepRowLength)},
	{name: "delete", share: 2, step: on(stepTableDelete)},
}

const (
	longestField = 200
	flagsOfRows  = "7"
	// A row that hincr or hdecr has made.
	flagsOfCounted = "0"
)

// makeRow makes up a field and a number.
func makeRow(random *rand.Rand) []string {
	return []string{oneOf(random, names...), strconv.Itoa(random.IntN(100))}
}

// makeAddition makes up a field and a number to add, and mostly another one to begin with.
func makeAddition(random *rand.Rand) []string {
	words := makeRow(random)
	if random.IntN(3) > 0 {
		words = append(words, strconv.Itoa(random.IntN(100)))
	}
	return words
}

// tableLanguage has each name of an action be a field.
type tableLanguage struct{ alphabet }

func (l tableLanguage) request(key string, a action) string {
	switch a.verb.name {
	case "hset", "hadd":
		data := a.words[1]
		return fmt.Sprintf("%s %s %s %s 0 %d\r\n%s\r\n", a.verb.name, key, l.alphabet[a.words[0]][0], flagsOfRows, len(data), data)
	}
	if a.lists() && a.asksByKey() {
		return "get " + keyOf(key, a) + "\r\n"
	}
	return l.line(a.verb.name, key, a.words)
}

const noTable = "absent"

func (l tableLanguage) understand(a action, r reply) string {
	switch a.verb.name {
	case "hget":
		if found, ok := l.rows(r); ok {
			return found
		}
	case "hgetall":
		if a.asksByKey() {
			r.values = records(r.value())
		}
		if found, ok := l.rows(r); ok && len(cells(found)) == len(r.values) {
			return found
		}
	case "hkeys":
		if r.line == "END" {
			return noTable
		}
		if len(r.values) == 1 {
			if fields, ok := l.names(strings.Fields(r.values[0].data)); ok {
				return "{" + strings.Join(strings.Split(fields, ""), " ") + "}"
			}
		}
	}
	return strings.TrimSpace(r.String())
}

// rows returns the rows that came, in braces.
func (l tableLanguage) rows(r reply) (found string, ok bool) {
	var list []string
	for _, v := range r.values {
		name, ok := l.names([]string{v.name})
		if !ok || v.flags != flagsOfRows && v.flags != flagsOfCounted {
			return "", false
		}
		list = append(list, name+"="+strings.TrimRight(v.data, " ")) // decr keeps the length of a number
	}
	return "{" + strings.Join(list, " ") + "}", r.line == "END" || len(list) > 0
}
