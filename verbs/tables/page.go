package tables

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// A page of a table is a part of its listing. Since the index may have fields without a row, the place
// of a row is known only once all fields before its own have been looked up. That does not read their
// data, so a page takes memory only for its own rows, but time for all rows before it.

// page says which rows of a table are asked for.
type page struct {
	offset int // how many to skip
	count  int // how many follow at most; all if it is math.MaxInt
}

// pageOf returns the page that the call, of the verb with that name, asks for. Without words that is the
// whole table.
func (c *tableCall) pageOf(verb string) page {
	if len(c.Words) == 0 {
		c.whole = verb
		return page{count: math.MaxInt}
	}
	offset, count, _ := verbs.Page(c.Words)
	if count < 0 {
		count = math.MaxInt
	}
	return page{int(min(offset, math.MaxInt)), int(min(count, math.MaxInt))}
}

// tooLong is [verbs.Call.TooLong], but a client that has asked for the whole table is told how to
// ask for pages.
func (c *tableCall) tooLong(more int) bool {
	if !c.TooLong(more) {
		return false
	}
	switch {
	case c.whole == "":
	case c.Listed:
		c.Sayf("SERVER_ERROR %s has more than %d MB; ask for pages of it: end the key with /page/<offset>/<count>", c.Shown(c.Key), verbs.MaxAnswer>>20)
	default:
		c.Sayf("SERVER_ERROR %s has more than %d MB; ask for pages of it: %s <key> <offset> <count>", c.Shown(c.Key), verbs.MaxAnswer>>20, c.whole)
	}
	return true
}

// read appends the rows of a page to the answer. If a row that was found is gone before it is read, the
// row after the page takes its place.
func (l *listing) read(p page) state {
	if p.count == math.MaxInt {
		if p.offset > 0 {
			if _, s := l.find(p.offset, 0); s != present {
				return s
			}
		}
		return l.each(verbs.Fetch, l.fields, l.appendRow)
	}
	skip, most := p.offset, p.count
	for {
		found, s := l.find(skip, most)
		if s != present || len(found) == 0 {
			return s
		}
		s = l.each(verbs.Fetch, found, func(field []byte, r *verbs.Reply) bool {
			if r.Status == verbs.Hit {
				most--
			}
			return l.appendRow(field, r)
		})
		if s != present || most == 0 || len(l.fields) == 0 {
			return s
		}
		skip = 0
	}
}

// find looks up fields until it has skipped skip rows and found up to most more, or there are no more
// fields. It returns the fields of those found, separated by spaces, and leaves the fields after them
// to the listing. It looks once even if there is no field at all: an index without fields may be that of a
// table which has been deleted, and only the anchor, read with the rows, tells.
func (l *listing) find(skip, most int) (found []byte, s state) {
	found = l.fields[:0] // in place: a field is moved to before the fields that are still to be looked up
	for least := firstRows; ; least = min(2*least, rowsAtOnce) {
		wanted := skip + most
		if wanted < 0 { // the sum overflowed
			wanted = math.MaxInt
		}
		looked := 0 // bytes of the fields up to the last wanted one
		s = l.each(verbs.Probe, firstWords(l.fields, max(wanted, least)), func(field []byte, r *verbs.Reply) bool {
			if skip == 0 && most == 0 {
				return true
			}
			looked += len(field) + len(" ")
			switch {
			case r.Status != verbs.Hit:
			case skip > 0:
				skip--
			default:
				found = append(append(found, field...), ' ')
				most--
			}
			return true
		})
		if s != present {
			return nil, s
		}
		l.fields = l.fields[min(looked, len(l.fields)):]
		if skip == 0 && most == 0 || len(l.fields) == 0 {
			return found[:max(len(found)-1, 0)], present
		}
	}
}

// firstWords returns the first n words of a list that has one space between each two.
func firstWords(list []byte, n int) []byte {
	if n >= len(list)/2+1 { // there are no more
		return list
	}
	rest := list
	for range n {
		_, rest = protocol.NextWord(rest)
	}
	return list[:len(list)-len(rest)]
}
