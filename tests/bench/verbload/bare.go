//go:build linux

package verbload

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// The sources in this file make the plain commands to which verbs are translated, with keys and values
// as long as those of verbs. They can be sent to a memcached without any proxy, and to other proxies.

// Append is what [Lists.Rpush] of one element is translated to.
func (l Lists) Append() load.Source {
	return appends(each(l.Keys, func(i int) []byte { return []byte(l.Key(i)) }),
		each(l.Pool, func(i int) []byte { return []byte("l>" + l.Element(i) + " ") }))
}

// Append is what [Rankings.Zadd] is translated to.
func (r Rankings) Append() load.Source {
	return appends(each(r.Keys, func(i int) []byte { return []byte(r.Key(i)) }),
		each(r.Members, func(i int) []byte { return fmt.Appendf(nil, "z=%d:%s ", r.Score(i), r.Member(i)) }))
}

// appends appends a value to the item of a key. All values have the same length.
func appends(keys, values [][]byte) load.Source {
	return &source{
		heads: each(len(keys), func(i int) []byte {
			return fmt.Appendf(nil, "append %s 0 0 %d\r\n", keys[i], len(values[0]))
		}),
		tails:   each(len(values), func(i int) []byte { return append(values[i], "\r\n"...) }),
		replies: [][]byte{stored},
	}
}

// bareGeneration stands for the generation of a table, which has as many characters.
const bareGeneration = "AAAAAAAAAAAAAAAA"

// RowAndAnchor gets the items that [Tables.Hget] is answered from.
func (t Tables) RowAndAnchor() load.Source { return t.bare(t.getRow) }

// SetRowAndAppend gets, sets and appends what [Tables.Hset] does.
func (t Tables) SetRowAndAppend() load.Source { return t.bare(t.changeRow) }

// bare makes a source of one request for each row of each table.
func (t Tables) bare(ask func(key, row int) (request, reply []byte)) load.Source {
	s := &source{}
	for i := range t.Keys * t.Rows {
		request, reply := ask(t.at(i))
		s.heads, s.replies = append(s.heads, request), append(s.replies, reply)
	}
	return s
}

func (t Tables) getRow(key, row int) (request, reply []byte) {
	item := t.bareRow(key, row)
	return fmt.Appendf(nil, "get %s %s\r\n", item, t.Key(key)),
		fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\n%sEND\r\n", item, t.Size, t.Row(row), t.bareAnchor(key))
}

func (t Tables) changeRow(key, row int) (request, reply []byte) {
	name, field := t.Key(key), t.Field(row)
	return fmt.Appendf(nil, "get %s\r\nset %s 0 0 %d\r\n%s\r\nappend %s:%s 0 0 %d\r\n+%s \r\n",
			name, t.bareRow(key, row), t.Size, t.Row(row), name, bareGeneration, len(field)+2, field),
		fmt.Appendf(nil, "%sEND\r\nSTORED\r\nSTORED\r\n", t.bareAnchor(key))
}

// bareRow returns the key of a row's item.
func (t Tables) bareRow(key, row int) string {
	return fmt.Sprintf("%s:%s=%s", t.Key(key), bareGeneration, t.Field(row))
}

// bareAnchor returns the anchor of a table as memcached replies it.
func (t Tables) bareAnchor(key int) string {
	return fmt.Sprintf("VALUE %s 0 %d\r\nh:%s\r\n", t.Key(key), len("h:")+len(bareGeneration), bareGeneration)
}

// FillBare empties a memcached and sets the items of which memverbs makes tables.
func (t Tables) FillBare(target load.Target) error {
	return fillItems(target, t.Keys*(t.Rows+2), func(i int) (string, []byte) {
		key, part := i/(t.Rows+2), i%(t.Rows+2)
		switch part {
		case t.Rows:
			return t.Key(key), []byte("h:" + bareGeneration)
		case t.Rows + 1:
			return t.Key(key) + ":" + bareGeneration, []byte("+")
		}
		return t.bareRow(key, part), []byte(t.Row(part))
	})
}

// BarePairs adds, gets and deletes the item that [Locks.Pairs] does. The last two are sent at
// once, though an unlock deletes what it has read.
func (l Locks) BarePairs() load.Source {
	value := func(i int) []byte { return fmt.Appendf(nil, "x:%s ", l.Token(i)) }
	return &pairs{
		first: each(l.Names, func(i int) []byte {
			return fmt.Appendf(nil, "add %s 0 %d %d\r\n%s\r\n", l.Name(i), LockSeconds, len(value(i)), value(i))
		}),
		second: each(l.Names, func(i int) []byte { return fmt.Appendf(nil, "get %[1]s\r\ndelete %[1]s\r\n", l.Name(i)) }),
		taken:  stored,
		released: each(l.Names, func(i int) []byte {
			return fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\nEND\r\nDELETED\r\n", l.Name(i), len(value(i)), value(i))
		}),
	}
}
