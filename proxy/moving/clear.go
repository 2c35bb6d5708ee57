package moving

// clear reserves the key on the new server, and then deletes whatever is on the old one. The other way round, others could store
// something on the old server in between, and not see that something is to be stored on the new one.
func (c *Call) clear(then destination) Step {
	c.fetched = then
	return c.ask(New, Reserve, (*Call).reservedToClear)
}

func (c *Call) reservedToClear(r *Reply) Step {
	if r.Outcome != Done {
		return c.fetched(c, taken)
	}
	c.token = r.Item.CAS
	return c.ask(Old, Delete, (*Call).discarded)
}

func (c *Call) discarded(*Reply) Step { return c.fetched(c, gone) }
