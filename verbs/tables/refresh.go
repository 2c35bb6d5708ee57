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
	if r := c.Ask(c.anchor()); r.CAS != 0 && c.generation == generationIn(r.Data) {
		c.remove(r)
	}
}

// generationIn returns the generation in the value of an anchor, "" if it is none.
func generationIn(value []byte) string {
	generation, _ := parseAnchor(value)
	return string(generation)
}
