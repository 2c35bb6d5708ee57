//go:build linux

package verbload

import (
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// ValkeyHset sets a row that is there in a hash of Valkey.
func (t Tables) ValkeyHset() load.Source {
	return &source{
		heads:   each(t.Keys, func(i int) []byte { return valkeyHead(4, "HSET", t.Key(i)) }),
		tails:   each(t.Rows, t.valkeyRow),
		replies: [][]byte{valkeyNumber(0)}, // fields that were not there
	}
}

// valkeyRow returns a field and its row.
func (t Tables) valkeyRow(i int) []byte {
	return append(valkeyString(t.Field(i)), valkeyString(t.Row(i))...)
}

// ValkeyHget asks Valkey what [Tables.Hget] asks memverbs.
func (t Tables) ValkeyHget() load.Source {
	return &source{
		heads: each(t.Keys, func(i int) []byte { return valkeyHead(3, "HGET", t.Key(i)) }),
		tails: each(t.Rows, func(i int) []byte { return valkeyString(t.Field(i)) }),
		rows:  each(t.Rows, func(i int) []byte { return valkeyString(t.Row(i)) }),
	}
}

// ValkeyHgetall fills Valkey, and returns a source of requests for all rows of a table.
func (t Tables) ValkeyHgetall(target load.Target) (load.Source, error) {
	if err := t.ValkeyFill(target); err != nil {
		return nil, err
	}
	size := int64(t.Size)
	h := hashed{keys: t.Keys, parts: t.Rows, strings: 2, part: t.valkeyRow,
		lookUp: func(key, i int) []byte { return resp.AppendCommand(nil, "HGET", t.Key(key), t.Field(i)) },
		found:  &resp.Want{Kind: '$', Min: size, Max: size},
	}
	return h.source(target, each(t.Keys, func(i int) []byte { return resp.AppendCommand(nil, "HGETALL", t.Key(i)) }))
}

// ValkeyFill empties Valkey and sets the rows.
func (t Tables) ValkeyFill(target load.Target) error {
	if err := ValkeyFlush(target); err != nil {
		return err
	}
	return load.Fill(target, t.Keys*t.Rows, func(i int, b *load.Batch) {
		key, row := t.at(i)
		b.Send(resp.AppendCommand(nil, "HSET", t.Key(key), t.Field(row), t.Row(row)))
		b.ExpectLast(valkeyNumber(1))
	})
}
