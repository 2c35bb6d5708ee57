//go:build linux

package verbload

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Hset sets a row that is there by the verb.
func (t Tables) Hset() load.Source {
	return &source{
		heads:   each(t.Keys, func(i int) []byte { return fmt.Appendf(nil, "hset %s ", t.Key(i)) }),
		tails:   each(t.Rows, t.setRow),
		replies: [][]byte{stored},
	}
}

// setRow returns a request that sets a row, without its head.
func (t Tables) setRow(i int) []byte {
	return fmt.Appendf(nil, "%s 0 0 %d\r\n%s\r\n", t.Field(i), t.Size, t.Row(i))
}

// Hget asks for a row.
func (t Tables) Hget() load.Source {
	return &source{
		heads: each(t.Keys, func(i int) []byte { return fmt.Appendf(nil, "hget %s ", t.Key(i)) }),
		tails: each(t.Rows, func(i int) []byte { return fmt.Appendf(nil, "%s\r\n", t.Field(i)) }),
		rows:  each(t.Rows, func(i int) []byte { return append(t.value(i), "END\r\n"...) }),
	}
}

// Hgetall asks for all rows of a table.
func (t Tables) Hgetall() load.Source {
	return &source{
		heads:   each(t.Keys, func(i int) []byte { return fmt.Appendf(nil, "hgetall %s\r\n", t.Key(i)) }),
		replies: [][]byte{append(bytes.Join(each(t.Rows, t.value), nil), "END\r\n"...)},
	}
}

// value returns a row as it is replied.
func (t Tables) value(i int) []byte {
	return fmt.Appendf(nil, "VALUE %s 0 %d\r\n%s\r\n", t.Field(i), t.Size, t.Row(i))
}

// FillVerbs empties the memcacheds behind memverbs and sets the rows by the verb.
func (t Tables) FillVerbs(target load.Target) error {
	if err := Flush(target); err != nil {
		return err
	}
	return load.Fill(target, t.Keys*t.Rows, func(i int, b *load.Batch) {
		key, row := t.at(i)
		b.Send(append(fmt.Appendf(nil, "hset %s ", t.Key(key)), t.setRow(row)...))
		b.ExpectLast(stored)
	})
}

// FillPlain empties the memcacheds behind memverbs and sets items as clients do that keep
// tables without a proxy: one for each row, and the index.
func (t Tables) FillPlain(target load.Target) error {
	index := []byte(t.Index())
	return fillItems(target, t.Keys*(t.Rows+1), func(i int) (string, []byte) {
		if i < t.Keys {
			return t.Key(i), index
		}
		key, row := t.at(i - t.Keys)
		return t.RowKey(t.Key(key), t.Field(row)), []byte(t.Row(row))
	})
}
