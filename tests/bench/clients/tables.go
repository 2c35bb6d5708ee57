//go:build linux

package clients

import (
	"math/rand/v2"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What can be done to a table. Rows are set to what they were in the beginning, so that
// [Hget] and [Hgetall] know what to expect.
const (
	Hset    Verb = "hset"
	Hget    Verb = "hget"
	Hgetall Verb = "hgetall"
)

func tableActs(t verbload.Tables) map[Verb]act {
	key := texts(t.Keys, t.Key)
	field := texts(t.Rows, t.Field)
	row := texts(t.Rows, t.Row)
	of := func(c *memcache.Client) article.Tables { return article.Tables{Client: c, RowKey: t.RowKey} }
	return map[Verb]act{
		Hset: func(c *memcache.Client) error {
			i := rand.IntN(t.Rows)
			return of(c).Set(pick(key), field[i], []byte(row[i]))
		},
		Hget: func(c *memcache.Client) error {
			data, err := of(c).Get(pick(key), pick(field))
			return whole(len(data), t.Size, "bytes", err)
		},
		Hgetall: func(c *memcache.Client) error {
			rows, err := of(c).All(pick(key))
			return whole(len(rows), t.Rows, "rows", err)
		},
	}
}
