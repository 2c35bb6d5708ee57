package structures

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// place is where several workers meet: they all work on the structure that is there,
// until its history has had its share and a fresh one takes its place.
type place struct {
	kind  *kind
	crowd *crowd
	name  string

	mu      sync.Mutex
	random  *rand.Rand
	rounds  int
	current *history
}

// call enters an action in the history of what is there, and returns
// what is to be asked.
func (p *place) call(client int, a action) (h *history, n int, ask action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		n, ask, idle := p.current.call(client, a)
		if n >= 0 {
			return p.current, n, ask
		}
		if idle {
			p.crowd.leave(p.current) // there is nobody else who would
		}
		p.renew()
	}
}

func (p *place) renew() {
	p.rounds++
	p.current = newHistory(p.kind, fmt.Sprintf("%s-%d", p.name, p.rounds), p.crowd, p.kind.language(p.random))
	p.crowd.enter(p.current)
}

// crowd is all histories that are under way.
type crowd struct {
	start     time.Time
	forgetful bool // things are evicted
	complete  chan *history

	mu        sync.Mutex
	underWay  map[*history]bool
	vanishing bool
}

func newCrowd(forgetful bool) *crowd {
	// The checker may fall behind by so many, then the workers wait for it.
	return &crowd{start: time.Now(), forgetful: forgetful, complete: make(chan *history, 64), underWay: map[*history]bool{}}
}

// enter adds a history.
func (c *crowd) enter(h *history) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.underWay[h] = true
	if c.vanishing {
		h.vanishes()
	}
}

// leave hands a history that is complete to the checker.
func (c *crowd) leave(h *history) {
	c.mu.Lock()
	delete(c.underWay, h)
	c.mu.Unlock()
	c.complete <- h
}

// lose enters that everything may be lost, once, while f runs.
func (c *crowd) lose(f func()) {
	c.setVanishing(true)
	f()
	c.setVanishing(false)
}

func (c *crowd) setVanishing(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vanishing = on
	for h := range c.underWay {
		if on {
			h.vanishes()
		}
	}
}

// end hands everything over. The workers have ended.
func (c *crowd) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for h := range c.underWay {
		c.complete <- h
	}
	close(c.complete)
}
