//go:build linux

package connload

import "github.com/memverbs/memverbs/tests/bench/load"

// Crew is visitors that are ready. It is used as a [load.Generator] is.
type Crew struct {
	load.Crew
	visitors []*visitor
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
	return c.Work(w, len(c.visitors), func(visitor, _ int) (uint64, error) {
		v := c.visitors[visitor]
		return 1, v.visit(v.Resume)
	})
}

// Close does nothing, as visitors stay for no longer than a visit.
func (c *Crew) Close() {}
