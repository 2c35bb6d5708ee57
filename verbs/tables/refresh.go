package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// keepIndex is called after the answer. Reading and setting rows does not use the older parts of
// the index, or any of it, so they would become the least recently used items and be evicted, and
// with them the table would be lost. So each proxy reads them once a minute while the table is
// used.
func (c *tableCall) keepIndex() {
	hints, now := c.Env.Hints(), c.Env.Uptime()
	hint := hints.Of(c.Key)
	if hint.Text == "" || hint.Text != c.generation || !views.PartsDue(hint.At, now) {
		return
	}
	hint.At = now
	hints.Note(string(c.Key), hint)
	if c.Refresh(c.index).Status != verbs.Missing {
		return
	}
	r := c.Ask(c.anchor())
	if generation, _ := parseAnchor(r.Data); r.CAS != 0 && c.generation == string(generation) {
		c.remove(r)
	}
}
