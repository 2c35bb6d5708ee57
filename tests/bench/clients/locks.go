//go:build linux

package clients

import (
	"errors"
	"sync/atomic"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// Lock is to take a lock that is free and to release it, which counts as one.
const Lock Verb = "lock"

func lockActs(l verbload.Locks) map[Verb]act {
	name := texts(l.Names, l.Name)
	token := texts(l.Names, l.Token)
	var asked atomic.Uint64
	return map[Verb]act{
		Lock: func(c *memcache.Client) error {
			i := asked.Add(1) % uint64(l.Names)
			locks := article.Locks{Client: c}
			taken, err := locks.Lock(name[i], token[i], verbload.LockSeconds)
			if err != nil {
				return err
			}
			released, err := locks.Unlock(name[i], token[i])
			if err == nil && !(taken && released) {
				err = errors.New("a lock was not free, or not held")
			}
			return err
		},
	}
}
