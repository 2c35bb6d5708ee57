//go:build linux

package clients

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/bench/load"
)

// crew is clients at work.
type crew struct {
	act     act
	clients []*client
	stop    atomic.Bool
}

type client struct {
	*memcache.Client
	count load.Count
}

// newCrew returns clients for a job. They connect when they need to.
func newCrew(j *Job) (*crew, error) {
	act, err := j.act()
	if err != nil {
		return nil, err
	}
	c := &crew{act: act}
	for range j.Conns {
		c.clients = append(c.clients, &client{article.Connect(j.Addrs...), load.NewCount()})
	}
	return c, nil
}

// run works until the window is over, and returns what was done within it.
func (c *crew) run(w load.Window) (load.Count, error) {
	errs := make([]error, len(c.clients))
	var all sync.WaitGroup
	for i := range c.clients {
		all.Go(func() {
			if errs[i] = c.work(c.clients[i], w); errs[i] != nil {
				c.stop.Store(true)
			}
		})
	}
	all.Wait()
	total := load.NewCount()
	for _, client := range c.clients {
		total.Add(client.count)
	}
	return total, errors.Join(errs...)
}

// work has one client work.
func (c *crew) work(one *client, w load.Window) error {
	for began := load.Now(); began < w.Until && !c.stop.Load(); {
		if err := c.act(one.Client); err != nil {
			return err
		}
		now := load.Now()
		if w.From <= now && now < w.Until {
			one.count.Requests++
			if err := one.count.Took.RecordValue(now - began); err != nil {
				return err
			}
		}
		began = now
	}
	return nil
}

func (c *crew) close() {
	for _, client := range c.clients {
		client.Close()
	}
}
