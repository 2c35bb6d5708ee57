//go:build linux

package clients

import (
	"errors"
	"sync/atomic"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/verbload"
)

// What clients can do to a list. [Rpush] pushes an element from the pool. [Lrange] expects the elements that the list had
// in the beginning. [Lpop] also pushes [PopsPerPush] elements after it has popped as many, so that the list does not get
// empty.
const (
	Rpush  Verb = "rpush"
	Lrange Verb = "lrange"
	Lpop   Verb = "lpop"
)

// PopsPerPush is how many elements are popped for each push of as many.
const PopsPerPush = 10

func listActs(l verbload.Lists) map[Verb]act {
	key := texts(l.Keys, l.Key)
	element := texts(l.Pool, l.Element)
	var asked atomic.Uint64
	return map[Verb]act{
		Rpush: func(c *memcache.Client) error { return article.Lists{Client: c}.Push(pick(key), pick(element)) },
		Lrange: func(c *memcache.Client) error {
			elements, err := article.Lists{Client: c}.Range(pick(key))
			return whole(len(elements), l.Elements, "elements", err)
		},
		Lpop: func(c *memcache.Client) error {
			if asked.Add(1)%(PopsPerPush+1) == 0 {
				return article.Lists{Client: c}.Push(pick(key), element[:PopsPerPush]...)
			}
			popped, err := article.Lists{Client: c}.Pop(pick(key))
			if err == nil && popped == "" {
				err = errors.New("a list got empty")
			}
			return err
		},
	}
}
