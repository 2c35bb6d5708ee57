package moving

// change changes the item where it is. If others may ask the old server alone, that is where it is changed, if it is there.
// Otherwise it is brought over first.
func (c *Call) change() Step {
	c.acted = 0
	if c.phase == Both {
		return c.ask(Old, Act, (*Call).changedAtOld)
	}
	return c.look()
}

func (c *Call) changedAtOld(r *Reply) Step {
	if r.Outcome == Absent {
		return c.look()
	}
	return c.doneAtOld(r)
}

func (c *Call) look() Step { return c.ask(New, Look, (*Call).looked) }

func (c *Call) looked(r *Reply) Step {
	switch {
	case r.Outcome == Done:
		return c.changeAtNew(r)
	case c.phase == Moving:
		return c.ask(Old, Look, (*Call).sought)
	case c.acted != 0:
		return c.again()
	}
	return c.missing()
}

func (c *Call) sought(r *Reply) Step {
	if r.found() {
		return c.fetch((*Call).fetchedToChange)
	}
	return c.ask(New, Look, (*Call).lookedAgain)
}

// lookedAgain is looked when the old server has no item: one that was moved meanwhile is on the new one by now.
func (c *Call) lookedAgain(r *Reply) Step {
	if r.Outcome == Done {
		return c.changeAtNew(r)
	}
	return c.missing()
}

// missing goes on where there is no item.
func (c *Call) missing() Step {
	if c.kind == Count {
		return c.add()
	}
	return c.answer(Misses)
}

func (c *Call) fetchedToChange(f fetched) Step {
	switch {
	case f == moved:
		return c.act(c.item.CAS)
	case f == taken:
		return c.again()
	case c.kind == Count:
		return c.create()
	}
	return c.giveUp((*Call).vacant)
}

// vacant ends a command on an item that is missing, if its key was reserved all the time, so that nobody has moved it meanwhile.
func (c *Call) vacant(r *Reply) Step {
	if r.Outcome == Done {
		return c.answer(Misses)
	}
	return c.again()
}

// changeAtNew changes what was found on the new server. If it is what the command was carried out on before, the reply to that,
// such as EXISTS or an error, stands.
func (c *Call) changeAtNew(r *Reply) Step {
	switch {
	case r.Placeholder:
		return c.wait(r)
	case r.Item.CAS == c.acted:
		return c.answer(Passes)
	}
	return c.act(r.Item.CAS)
}

// act carries the command out on the new server, where the item had a CAS.
func (c *Call) act(cas uint64) Step {
	if c.acted = cas; c.kind == Rewrite {
		return c.askIf(New, Act, cas, (*Call).done)
	}
	return c.ask(New, Act, (*Call).done)
}

// done looks again if the command has changed nothing, or a placeholder.
func (c *Call) done(r *Reply) Step {
	if r.found() {
		return c.answer(Passes)
	}
	if c.rounds++; c.rounds >= mostRounds {
		return c.answer(Busy)
	}
	return c.look()
}
