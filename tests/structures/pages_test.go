package structures

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// A page is a part of a listing: of the rows that there are, in the order of the index, it skips some, and lists some that
// follow. Row by row, it says that the rows that it lists are there (row_test.go). The rest is judged here, from what
// is certain of rows: as long as a listing lasts, which is no snapshot, others may come and go.

// tablePage is which rows are asked for.
type tablePage struct{ offset, count int }

// byKey is the first of the words of a page that is asked for by a key, as clients do that can't be changed.
const byKey = "page"

// makeTablePage makes up which rows are asked for: all, or those of a page.
func makeTablePage(random *rand.Rand) []string {
	if random.IntN(2) == 0 {
		return nil
	}
	words := []string{strconv.Itoa(random.IntN(5)), strconv.Itoa(oneOf(random, 1, 1, 2, 3, 5, -1))}
	if random.IntN(2) == 0 {
		words = slices.Insert(words, 0, byKey)
	}
	return words
}

// page returns which rows an action that lists rows asks for.
func (a action) page() tablePage {
	words := a.words
	if a.asksByKey() {
		words = words[1:]
	}
	if len(words) == 0 {
		return tablePage{0, math.MaxInt}
	}
	p := tablePage{number(words[0]), number(words[1])}
	if p.count < 0 {
		p.count = math.MaxInt
	}
	return p
}

// asksByKey reports whether an action that lists rows asks by a key.
func (a action) asksByKey() bool { return len(a.words) > 0 && a.words[0] == byKey }

// keyOf returns the key by which an action asks for a page.
func keyOf(key string, a action) string {
	return fmt.Sprintf("verb/%s/%s/%s", a.verb.name, key, strings.Join(a.words, "/"))
}

// records returns the values that the value of such a key consists of.
func records(text string) (list []value) {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		var v value
		var size int
		if n, _ := fmt.Sscan(line, &v.name, &v.flags, &size); n != 3 || size >= len(rest) || rest[size] != '\n' {
			return append(list, value{name: text}) // which makes no sense to the model either
		}
		v.data, text = rest[:size], rest[size+1:]
		list = append(list, v)
	}
	return list
}

// lists reports whether an action answers with a list of rows.
func (a action) lists() bool { return a.verb.name == "hkeys" || a.verb.name == "hgetall" }

// listed returns the rows in an answer, in its order.
func listed(answer string) (rows []string) {
	for _, cell := range strings.Fields(strings.Trim(answer, "{}")) {
		rows = append(rows, cell[:1])
	}
	return rows
}

// mayPassOver reports whether a list that lacks a row, with that answer, says nothing of it, as it may come before the page
// or after it.
func (a action) mayPassOver(answer string) bool {
	p := a.page()
	return p.offset > 0 || len(listed(answer)) >= p.count
}

// judgePages says what is wrong with the lists of a history; nothing if nothing is. Where something may have been evicted at
// any time, no row is certain to be there.
func judgePages(all []porcupine.Operation, forgetful bool) (wrong string) {
	b := book{rows: rowsOf(all, forgetful)}
	for _, o := range all {
		if a := o.Input.(action); a.lists() && strings.HasPrefix(o.Output.(string), "{") {
			b.lists = append(b.lists, listing{o, listed(o.Output.(string))})
		}
	}
	for i, l := range b.lists {
		if wrong = b.judgeLength(l); wrong != "" {
			return wrong
		}
		for _, other := range b.lists[:i] {
			if wrong = b.judgeOrder(other, l); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// book is what is known of a history.
type book struct {
	rows  map[string]*rowSeen
	lists []listing
}

// listing is a list of rows that was answered.
type listing struct {
	porcupine.Operation
	rows []string
}

func (l listing) String() string { return fmt.Sprintf("%s → %s", l.Input, l.Output) }

// judgeLength says what is wrong with how many rows a list has skipped and has.
func (b book) judgeLength(l listing) string {
	p := l.Input.(action).page()
	must, can := 0, 0 // of the rows that it has not, have come before it
	for _, row := range names {
		if slices.Contains(l.rows, row) {
			continue
		}
		precedes := slices.ContainsFunc(l.rows, func(found string) bool { return b.precedes(row, found, l) })
		follows := slices.ContainsFunc(l.rows, func(found string) bool { return b.precedes(found, row, l) })
		if b.rows[row].surely(l.Call, l.Return) && (precedes || !follows && len(l.rows) < p.count) {
			must++
		}
		if b.rows[row].possibly(l.Call, l.Return) && !follows {
			can++
		}
		if follows && len(l.rows) < p.count && b.rows[row].surely(l.Call, l.Return) {
			return fmt.Sprintf("%s: it lacks %s, which comes after some of it", l, row)
		}
	}
	switch {
	case len(l.rows) > p.count:
		return fmt.Sprintf("%s: it is too long", l)
	case len(l.rows) > 0 && can < p.offset:
		return fmt.Sprintf("%s: only %d rows can have come before it", l, can)
	case must > p.offset:
		return fmt.Sprintf("%s: it lacks some of %d rows", l, must)
	}
	return ""
}

// precedes reports whether one row certainly came before another when a list was made, as it did in an earlier one and has
// been there since. A row moves, to the end, only if it was not there for a moment.
func (b book) precedes(row, other string, in listing) bool {
	return slices.ContainsFunc(b.lists, func(l listing) bool {
		return l.Return < in.Call && l.inOrder(row, other) && b.rows[row].surely(l.Call, in.Return)
	})
}

// inOrder reports whether a list has two rows in that order.
func (l listing) inOrder(row, other string) bool {
	x, y := slices.Index(l.rows, row), slices.Index(l.rows, other)
	return x >= 0 && x < y
}

// judgeOrder says what is wrong with the order of rows in two lists.
func (b book) judgeOrder(l, other listing) string {
	if other.Return < l.Call {
		l, other = other, l
	}
	from, to := min(l.Call, other.Call), max(l.Return, other.Return)
	for i, row := range l.rows {
		for _, later := range l.rows[i+1:] {
			if other.inOrder(later, row) && b.rows[row].surely(from, to) && (l.Return < other.Call || b.rows[later].surely(from, to)) {
				return fmt.Sprintf("%s and %s: %s has moved, though it was there all the time", l, other, row)
			}
		}
	}
	return ""
}

// rowSeen is when a row may have come or gone.
type rowSeen struct {
	made, gone []span // of actions that may have made it, or ended it
	forgetful  bool
}

// span is the time of an action. It is told if the action has surely had that effect.
type span struct {
	call, back int64
	told       bool
}

// rowsOf collects that from a history.
func rowsOf(all []porcupine.Operation, forgetful bool) map[string]*rowSeen {
	rows := map[string]*rowSeen{}
	for _, name := range names {
		rows[name] = &rowSeen{forgetful: forgetful}
	}
	for _, o := range all {
		a, answer := o.Input.(action), o.Output.(string)
		at := span{call: o.Call, back: o.Return}
		if answer == unanswered {
			at.back = math.MaxInt64
		}
		switch a.verb.name {
		case "hset", "hadd", "hincr", "hdecr":
			if a.makes() {
				at.told = answer != unanswered && answer != "NOT_STORED"
				rows[a.words[0]].made = append(rows[a.words[0]].made, at)
			}
		case "hdel":
			at.told = answer != unanswered
			for _, name := range a.words {
				rows[name].gone = append(rows[name].gone, at)
			}
		case "delete", vanish.name:
			at.told = answer != unanswered
			for _, name := range names {
				rows[name].gone = append(rows[name].gone, at)
			}
		}
	}
	return rows
}

// makes reports whether an action makes its row if that is not there.
func (a action) makes() bool { return a.verb.name == "hset" || a.verb.name == "hadd" || a.mayMake() }

// surely reports whether the row was there from one time to another, and its maker had been told so before.
func (r *rowSeen) surely(from, to int64) bool {
	return !r.forgetful && slices.ContainsFunc(r.made, func(m span) bool {
		return m.told && m.back < from && !slices.ContainsFunc(r.gone, func(g span) bool { return g.back >= m.call && g.call <= to })
	})
}

// possibly reports whether the row may have been there at some time between two.
func (r *rowSeen) possibly(from, to int64) bool {
	return slices.ContainsFunc(r.made, func(m span) bool {
		return m.call <= to && !slices.ContainsFunc(r.gone, func(g span) bool { return g.told && g.call > m.back && g.back < from })
	})
}
