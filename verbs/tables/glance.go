package tables

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// If the generation of the table is remembered, an hget of one field is usually one round trip: it
// reads the row, and then the anchor, to check that this still has the generation.

// glance asks for these reads, unless the index should be read too, see keepIndex.
func glance(c *verbs.Call) verbs.Step {
	generation := remembered(c)
	if generation == "" || bytes.IndexByte(c.Words, ' ') >= 0 {
		return runGet(c)
	}
	c.Name = appendRowKey(c.Name[:0], c.Key, generation, c.Words)
	brief := !c.Details
	return c.Asks(glanced,
		verbs.Op{Kind: verbs.Fetch, Key: c.Name, Of: c.Key, Brief: brief},
		verbs.Op{Kind: verbs.Fetch, Key: c.Key, Brief: brief})
}

// remembered returns the remembered generation of the call's table, or "" if there is none or the
// index should be read.
func remembered(c *verbs.Call) string {
	hint := c.Env.Hints().Of(c.Key)
	if views.PartsDue(hint.At, c.Env.Uptime()) {
		return ""
	}
	return hint.Text
}

// glanced answers with the row if the anchor still has its generation.
func glanced(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
	row, anchor := &replies[0], &replies[1]
	generation, ok := parseAnchor(anchor.Data)
	if anchor.Status != verbs.Hit || !ok || row.Status != verbs.Hit && row.Status != verbs.Missing || len(row.Data) > c.Pace.Freely() {
		return runGet(c)
	}
	c.Buf = appendRowKey(c.Buf[:0], c.Key, string(generation), c.Words)
	same := bytes.Equal(c.Buf, c.Name)
	if c.Buf = c.Buf[:0]; !same {
		return runGet(c)
	}
	c.Item = row.Item()
	if row.Status == verbs.Hit {
		c.AppendItem(c.Words, row.Flags, row.Data, nil)
	}
	c.End()
	return next
}
