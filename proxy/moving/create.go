package moving

// add reserves the key on the new server before it creates the item, wherever that is done, so that no two are created.
func (c *Call) add() Step {
	switch c.phase {
	case Both:
		return c.ask(New, Reserve, (*Call).reservedToCreate)
	case Moving:
		return c.fetch((*Call).fetchedToCreate)
	case Leaving:
		return c.clear((*Call).fetchedToCreate)
	default:
		return c.ask(New, Create, (*Call).created)
	}
}

func (c *Call) fetchedToCreate(f fetched) Step {
	switch f {
	case moved:
		return c.exists()
	case gone:
		return c.create()
	default:
		return c.ask(New, Look, (*Call).occupied)
	}
}

// create creates the item in place of our placeholder.
func (c *Call) create() Step { return c.askIf(New, Create, c.token, (*Call).created) }

func (c *Call) created(r *Reply) Step {
	if r.Outcome == Present {
		return c.ask(New, Look, (*Call).occupied)
	}
	return c.stored(r)
}

// occupied goes on where there was something on the new server.
func (c *Call) occupied(r *Reply) Step {
	switch {
	case r.found():
		return c.exists()
	case r.reserved():
		return c.wait(r)
	}
	return c.again()
}

// exists goes on where the item that was found last is on the new server.
func (c *Call) exists() Step {
	if c.kind == Count {
		return c.act(c.item.CAS)
	}
	return c.answer(Exists)
}

// reservedToCreate creates the item on the old server, where others that know only that one do so.
func (c *Call) reservedToCreate(r *Reply) Step {
	if r.Outcome != Done {
		return c.ask(New, Look, (*Call).occupied)
	}
	c.token = r.Item.CAS
	return c.ask(Old, Create, (*Call).createdAtOld)
}

func (c *Call) createdAtOld(r *Reply) Step {
	switch {
	case r.Outcome == Done:
		return c.giveUp((*Call).reservedUntilNow)
	case r.Outcome == Refused:
		return c.answer(Passes)
	case c.kind == Count:
		return c.giveUp(func(c *Call, _ *Reply) Step { return c.again() })
	}
	return c.answer(Exists)
}

// giveUp deletes our placeholder.
func (c *Call) giveUp(then taker) Step {
	token := c.token
	c.token = 0
	return c.askIf(New, Delete, token, then)
}

// reservedUntilNow ends an add on the old server. If the key was not reserved until then, others may have created an item on the
// new server.
func (c *Call) reservedUntilNow(r *Reply) Step {
	if r.Outcome == Done {
		return c.answer(Passes)
	}
	return c.answer(Unknown)
}
