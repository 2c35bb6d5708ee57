//go:build linux

package verbload

import (
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Limit is the limit of a load: how many are allowed in how many seconds.
type Limit struct{ Count, Seconds int }

// limitKey is the key of the limit, and of a counter beside it.
const limitKey = "limit"

// numbers is a source of one request, whose answer is some numbers.
type numbers []byte

// Next implements [load.Source].
func (n numbers) Next(b *load.Batch, _ *rand.PCG) {
	b.Send(n)
	b.ExpectNumbers()
}

// Asks asks by the verb.
func (l Limit) Asks() load.Source {
	return numbers(fmt.Appendf(nil, "limit %s %d %d\r\n", limitKey, l.Count, l.Seconds))
}

// Incrs counts by the plain command, without a limit.
func (l Limit) Incrs() load.Source { return numbers("incr " + limitKey + " 1\r\n") }

// FillCounter empties the memcacheds and makes the counter.
func (l Limit) FillCounter(t load.Target) error {
	if err := Flush(t); err != nil {
		return err
	}
	return load.Fill(t, 1, func(_ int, b *load.Batch) {
		b.Send([]byte("set " + limitKey + " 0 0 1\r\n0\r\n"))
		b.ExpectLast(stored)
	})
}

// logScript keeps the times of what was allowed in a sorted set. No two calls have the same time, since each takes longer
// than a microsecond.
const logScript = `local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2] * 1000000)
local count = redis.call('ZCARD', KEYS[1])
if count >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now, string.format('%.0f', now))
redis.call('EXPIRE', KEYS[1], ARGV[2])
return ARGV[1] - count`

// counterScript counts in one window after another.
const counterScript = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return math.max(ARGV[1] - count + 1, 0)`

// ValkeyLog asks Valkey by a script that keeps the times.
func (l Limit) ValkeyLog() load.Source { return l.runs(logScript) }

// ValkeyCounter asks Valkey by a script that counts.
func (l Limit) ValkeyCounter() load.Source { return l.runs(counterScript) }

func (l Limit) runs(script string) load.Source {
	request := resp.AppendCommand(nil, "EVALSHA", nameOf(script), "1", limitKey, strconv.Itoa(l.Count), strconv.Itoa(l.Seconds))
	return &source{heads: [][]byte{request}, want: &resp.Want{Kind: ':', Max: int64(l.Count)}}
}

// nameOf returns the name by which Valkey knows a script.
func nameOf(script string) string { return fmt.Sprintf("%x", sha1.Sum([]byte(script))) }

// ValkeyFill empties Valkey and loads the scripts.
func (l Limit) ValkeyFill(t load.Target) error {
	if err := ValkeyFlush(t); err != nil {
		return err
	}
	scripts := []string{logScript, counterScript}
	return load.Fill(t, len(scripts), func(i int, b *load.Batch) {
		b.Send(resp.AppendCommand(nil, "SCRIPT", "LOAD", scripts[i]))
		b.ExpectLast(valkeyString(nameOf(scripts[i])))
	})
}
