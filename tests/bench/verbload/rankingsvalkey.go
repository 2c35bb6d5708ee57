//go:build linux

package verbload

import (
	"fmt"
	"strconv"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// ValkeyZadd asks Valkey what [Rankings.Zadd] asks memverbs.
func (r Rankings) ValkeyZadd() load.Source {
	tails := each(changes*r.Members, func(i int) []byte {
		score, member := r.change(i)
		return append(valkeyString(strconv.Itoa(score)), valkeyString(member)...)
	})
	return &source{heads: r.valkeyHeads(4, "ZADD"), tails: tails, replies: [][]byte{valkeyNumber(0)}} // members that were not there
}

// ValkeyZincrby asks Valkey what [Rankings.Zincrby] asks memverbs. Adding without an answer
// is the same to it.
func (r Rankings) ValkeyZincrby() load.Source {
	return &source{heads: r.valkeyHeads(4, "ZINCRBY", "1"), tails: each(r.Members, r.valkeyMember), want: someScore}
}

// ValkeyZincrbyp asks Valkey by a script for what [Rankings.Zincrbyp] asks memverbs.
func (r Rankings) ValkeyZincrbyp(seconds int) load.Source {
	const keys = "2"
	heads := each(r.Keys, func(i int) []byte {
		return valkeyHead(7, "EVALSHA", scriptName, keys, r.Key(i), r.Key(i)+":expiring", strconv.Itoa(seconds))
	})
	return &source{heads: heads, tails: each(r.Members, r.valkeyMember), want: someScore}
}

// script adds 1 to a score and notes when that expires in a second sorted set, whose members are
// a time in microseconds and the member of the ranking. No two calls have the same time,
// since each takes longer than a microsecond. Each call undoes a limited number of expired increments, but more
// than are added by one call, so that none are left over.
const script = `local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local ends = now + ARGV[1] * 1000000
for _, old in ipairs(redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, 3)) do
  redis.call('ZINCRBY', KEYS[1], -1, string.sub(old, 18))
  redis.call('ZREM', KEYS[2], old)
end
redis.call('ZADD', KEYS[2], ends, string.format('%.0f:', ends) .. ARGV[2])
return redis.call('ZINCRBY', KEYS[1], 1, ARGV[2])`

var scriptName = nameOf(script)

// ValkeyZscore asks Valkey what [Rankings.Zget] asks memverbs.
func (r Rankings) ValkeyZscore() load.Source {
	return &source{heads: r.valkeyHeads(3, "ZSCORE"), tails: each(r.Members, r.valkeyMember), rows: each(r.Members, r.valkeyScore)}
}

// ValkeyZrevrange asks Valkey what [Rankings.Zrevrange] asks memverbs.
func (r Rankings) ValkeyZrevrange(n int) load.Source {
	reply := fmt.Appendf(nil, "*%d\r\n", 2*n)
	for _, i := range r.best(n) {
		reply = append(append(reply, r.valkeyMember(i)...), r.valkeyScore(i)...)
	}
	asks := collections{keys: r.Keys, key: r.Key}.valkeyAsks("ZREVRANGE", "0", strconv.Itoa(n-1), "WITHSCORES")
	return &source{heads: asks, replies: [][]byte{reply}}
}

// someScore is a score of which only the length is known.
var someScore = &resp.Want{Kind: '$', Min: 10, Max: 10}

func (r Rankings) valkeyMember(i int) []byte { return valkeyString(r.Member(i)) }
func (r Rankings) valkeyScore(i int) []byte  { return valkeyString(strconv.Itoa(r.Score(i))) }

// valkeyHeads returns the beginnings of a command that has so many words, one for each key.
func (r Rankings) valkeyHeads(of int, command string, more ...string) [][]byte {
	return each(r.Keys, func(i int) []byte { return valkeyHead(of, append([]string{command, r.Key(i)}, more...)...) })
}

// ValkeyFill empties Valkey, sets the scores and loads the script.
func (r Rankings) ValkeyFill(t load.Target) error {
	if err := ValkeyFlush(t); err != nil {
		return err
	}
	return load.Fill(t, 1+r.Keys*r.Members, func(i int, b *load.Batch) {
		if i == 0 {
			b.Send(resp.AppendCommand(nil, "SCRIPT", "LOAD", script))
			b.ExpectLast(valkeyString(scriptName))
			return
		}
		key, member := (i-1)/r.Members, (i-1)%r.Members
		b.Send(resp.AppendCommand(nil, "ZADD", r.Key(key), strconv.Itoa(r.Score(member)), r.Member(member)))
		b.ExpectLast(valkeyNumber(1))
	})
}
