//go:build linux

package connload

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Crew is visitors that are ready. It is used as a [load.Generator] is.
type Crew struct {
	visitors []*visitor
	stop     atomic.Bool
}

// Visit is what is done on each connection.
type Visit struct {
	Request, Reply string
	Resume         bool // whether the session of the first handshake is resumed in all others
}

// Open has so many visitors make their first visit to a target, which must speak TLS.
func Open(t load.Target, visitors int, visit Visit) (*Crew, error) {
	c := &Crew{}
	for range visitors {
		v := newVisitor(t, visit)
		if err := v.visit(false); err != nil {
			return nil, err
		}
		c.visitors = append(c.visitors, v)
	}
	return c, nil
}

// Run makes visits from now to the end of the window, and returns those that ended within
// it. It fails if a reply is wrong, or if a session is resumed and should not be, or the
// other way round.
func (c *Crew) Run(w load.Window) (load.Count, error) {
	counts, errs := make([]load.Count, len(c.visitors)), make([]error, len(c.visitors))
	var all sync.WaitGroup
	for i, v := range c.visitors {
		counts[i] = load.NewCount()
		all.Go(func() {
			if errs[i] = c.work(v, w, &counts[i]); errs[i] != nil {
				c.stop.Store(true)
			}
		})
	}
	all.Wait()
	total := load.NewCount()
	for _, count := range counts {
		total.Add(count)
	}
	return total, errors.Join(errs...)
}

func (c *Crew) work(v *visitor, w load.Window, total *load.Count) error {
	for began := load.Now(); began < w.Until && !c.stop.Load(); {
		if err := v.visit(v.Resume); err != nil {
			return err
		}
		now := load.Now()
		if w.From <= now && now < w.Until {
			total.Requests++
			if err := total.Took.RecordValue(now - began); err != nil {
				return err
			}
		}
		began = now
	}
	return nil
}

// Stop has Run return soon.
func (c *Crew) Stop() { c.stop.Store(true) }

// Close does nothing, as visitors stay for no longer than a visit.
func (c *Crew) Close() {}
