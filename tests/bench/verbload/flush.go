//go:build linux

package verbload

import (
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Flush empties all memcacheds behind memverbs.
func Flush(t load.Target) error {
	return load.Fill(t, 1, func(_ int, b *load.Batch) {
		b.Send([]byte("flush_all\r\n"))
		b.ExpectLast([]byte("OK\r\n"))
	})
}

// ValkeyFlush empties Valkey.
func ValkeyFlush(t load.Target) error {
	return load.Fill(t, 1, func(_ int, b *load.Batch) {
		b.Send(resp.AppendCommand(nil, "FLUSHALL"))
		b.ExpectReply(&resp.Want{Kind: '+'})
	})
}
