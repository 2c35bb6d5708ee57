//go:build linux

package clients

import (
	"errors"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What clients can do to a set. [Sadd] adds a member from the pool. [Smembers] and the
// others expect the members that the set had in the beginning.
const (
	Sadd      Verb = "sadd"
	Smembers  Verb = "smembers"
	Sismember Verb = "sismember"
	Scard     Verb = "scard"
)

func setActs(s verbload.Sets) map[Verb]act {
	key := texts(s.Keys, s.Key)
	member := texts(s.Pool, s.Member)
	return map[Verb]act{
		Sadd: func(c *memcache.Client) error { return article.Sets{Client: c}.Add(pick(key), pick(member)) },
		Smembers: func(c *memcache.Client) error {
			members, err := article.Sets{Client: c}.Members(pick(key))
			return whole(len(members), s.Members, "members", err)
		},
		Scard: func(c *memcache.Client) error {
			members, err := article.Sets{Client: c}.Count(pick(key))
			return whole(members, s.Members, "members", err)
		},
		Sismember: func(c *memcache.Client) error {
			has, err := article.Sets{Client: c}.Has(pick(key), pick(member[:s.Members]))
			if err == nil && !has {
				err = errors.New("a member is missing")
			}
			return err
		},
	}
}
