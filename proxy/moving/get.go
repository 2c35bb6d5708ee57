package moving

// get looks on the new server, then on the old one. An item found there is brought over.
func (c *Call) get() Step { return c.ask(New, Look, (*Call).gotAtNew) }

func (c *Call) gotAtNew(r *Reply) Step {
	switch {
	case r.found():
		return c.answer(Shows)
	case c.phase == Ending:
		return c.answer(Misses)
	case r.reserved():
		return c.ask(Old, Look, (*Call).gotWhileReserved)
	}
	return c.ask(Old, Look, (*Call).gotAtOld)
}

// gotWhileReserved is gotAtOld if the new server had a placeholder: the item may be between the servers.
func (c *Call) gotWhileReserved(r *Reply) Step {
	if c.waits++; !r.found() && c.waits < patience {
		return c.get()
	}
	return c.gotAtOld(r)
}

func (c *Call) gotAtOld(r *Reply) Step {
	switch {
	case !r.found():
		return c.answer(Misses)
	case c.phase == Both:
		return c.answer(Shows)
	case c.kind == Gets:
		return c.fetch((*Call).fetchedToShow)
	}
	step := c.answer(Shows)
	step.Operation = c.fetch((*Call).fetchedAfterwards).Operation
	return step
}

// fetchedAfterwards ends a get that was answered before the item was brought over.
func (c *Call) fetchedAfterwards(fetched) Step { return c.answer(NoAnswer) }

// fetchedToShow answers a get that tells the CAS.
func (c *Call) fetchedToShow(f fetched) Step {
	switch f {
	case moved:
		return c.answer(Shows)
	case gone:
		return c.answer(Misses)
	default:
		return c.again()
	}
}
