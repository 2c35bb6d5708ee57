package moving

// fetch brings the item over: it reserves the key on the new server, looks at the item on the old one, deletes it there unless it
// has changed, and stores it in place of the placeholder.
func (c *Call) fetch(then destination) Step {
	c.fetched = then
	return c.ask(New, Reserve, (*Call).reserved)
}

func (c *Call) reserved(r *Reply) Step {
	if r.Outcome != Done {
		return c.fetched(c, taken)
	}
	c.token = r.Item.CAS
	return c.ask(Old, Look, (*Call).lookedToFetch)
}

func (c *Call) lookedToFetch(r *Reply) Step {
	if !r.found() {
		return c.fetched(c, gone)
	}
	return c.askIf(Old, Delete, r.Item.CAS, (*Call).cleared)
}

func (c *Call) cleared(r *Reply) Step {
	if r.Outcome == Absent {
		return c.fetched(c, gone)
	}
	if r.Outcome == Changed {
		if c.rounds++; c.rounds >= mostRounds {
			return c.answer(Busy)
		}
		return c.ask(Old, Look, (*Call).lookedToFetch)
	}
	var expired bool
	if c.item, expired = c.item.after(c.now - c.seen); expired {
		return c.fetched(c, gone)
	}
	return c.askIf(New, Fill, c.token, (*Call).filled)
}

func (c *Call) filled(r *Reply) Step {
	if c.token = 0; r.Outcome != Done {
		return c.fetched(c, taken)
	}
	c.item.CAS = r.Item.CAS
	return c.fetched(c, moved)
}
