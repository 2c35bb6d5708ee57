package moving

// remove deletes the item on the old server, so that nobody brings it over any more, and then on the new one. In the phase Leaving,
// what was on the old server is no item of which a client is told.
func (c *Call) remove() Step {
	if c.phase == Ending {
		return c.removeAtNew()
	}
	return c.ask(Old, Delete, (*Call).removedAtOld)
}

func (c *Call) removedAtOld(r *Reply) Step {
	if r.Outcome == Done && c.phase != Leaving {
		return c.ask(New, Delete, (*Call).removedAtBoth)
	}
	return c.removeAtNew()
}

func (c *Call) removedAtBoth(*Reply) Step { return c.answer(Removed) }

// removeAtNew looks before it deletes, as a placeholder is no item of which a client is told.
func (c *Call) removeAtNew() Step { return c.ask(New, Look, (*Call).foundToRemove) }

func (c *Call) foundToRemove(r *Reply) Step {
	switch {
	case r.found():
		return c.askIf(New, Delete, r.Item.CAS, (*Call).removedAtNew)
	case r.reserved():
		return c.askIf(New, Delete, r.Item.CAS, (*Call).removedPlaceholder)
	}
	return c.answer(Misses)
}

func (c *Call) removedAtNew(r *Reply) Step {
	if r.Outcome == Done {
		return c.answer(Removed)
	}
	return c.again()
}

// removedPlaceholder ends a delete that has found a placeholder: whoever has it can't store the item any more.
func (c *Call) removedPlaceholder(r *Reply) Step {
	if r.Outcome == Done {
		return c.answer(Misses)
	}
	return c.again()
}
