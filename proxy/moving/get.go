package moving

// get looks on the new server, then on the old one. An item found there is brought over. If there is none, it looks on the new
// server again, as the item may have been moved meanwhile.
func (c *Call) get() Step { return c.ask(New, Look, (*Call).gotAtNew) }

func (c *Call) gotAtNew(r *Reply) Step {
	if r.reserved() {
		c.waits++
	}
	if r.found() || c.phase >= Leaving {
		return c.gotAgain(r)
	}
	return c.ask(Old, Look, (*Call).gotAtOld)
}

func (c *Call) gotAtOld(r *Reply) Step {
	switch {
	case !r.found():
		return c.ask(New, Look, (*Call).gotAgain)
	case c.phase == Both:
		return c.answer(Shows)
	case c.kind == Gets:
		return c.fetch((*Call).fetchedToShow)
	}
	step := c.answer(Shows)
	step.Operation = c.fetch((*Call).fetchedAfterwards).Operation
	return step
}

func (c *Call) gotAgain(r *Reply) Step {
	switch {
	case r.found():
		return c.answer(Shows)
	case r.reserved() && c.waits < patience:
		return c.get()
	}
	return c.answer(Misses)
}

// fetchedAfterwards ends a get that was answered before the item was brought over.
func (c *Call) fetchedAfterwards(fetched) Step { return c.answer(NoAnswer) }

// fetchedToShow answers a get that tells the CAS.
func (c *Call) fetchedToShow(f fetched) Step {
	switch f {
	case moved:
		return c.answer(Shows)
	case gone:
		return c.giveUp((*Call).vacant)
	default:
		return c.again()
	}
}
