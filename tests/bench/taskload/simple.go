//go:build linux

package taskload

import (
	"errors"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/load"
)

// Simple returns an [Opener] for memcacheds, with clients that keep tasks without a proxy.
func Simple(addrs ...string) Opener {
	return func(load.Target) (Queue, error) {
		return simple{article.Tasks{Client: article.Connect(addrs...)}}, nil
	}
}

type simple struct{ tasks article.Tasks }

func (q simple) Clear() error { return q.tasks.Client.DeleteAll() }
func (q simple) Put(id string, due time.Time) error {
	return q.tasks.Put(name, id, due, []byte(content))
}
func (q simple) Done(t Task) error { return q.tasks.Done(name, string(t)) }
func (q simple) Back(Task) error   { return errors.New("these clients give no task back") }
func (q simple) Close()            { q.tasks.Client.Close() }

func (q simple) Take() (Task, error) {
	id, _, err := q.tasks.Take(name, hold)
	if errors.Is(err, memcache.ErrCacheMiss) {
		return "", nil
	}
	return Task(id), err
}
