package moving

// set stores an item on the server where the phase has them. If others may store it on the old server, it is stored on the new one
// only in place of an item, or of our placeholder, which is there before the old server is cleared. What others store on the old
// server after that, they delete on the new one.
func (c *Call) set() Step {
	switch c.phase {
	case Both:
		return c.ask(Old, Act, (*Call).doneAtOld)
	case Moving, Leaving:
		return c.ask(New, Look, (*Call).foundToReplace)
	default:
		return c.ask(New, Act, (*Call).passes)
	}
}

// doneAtOld deletes on the new server what is outdated by a change on the old one.
func (c *Call) doneAtOld(*Reply) Step { return c.ask(New, Delete, (*Call).passes) }

func (c *Call) foundToReplace(r *Reply) Step {
	switch {
	case r.found():
		return c.askIf(New, Act, r.Item.CAS, (*Call).stored)
	case r.reserved():
		return c.wait(r)
	}
	return c.clear((*Call).clearedToSet)
}

func (c *Call) clearedToSet(f fetched) Step {
	if f == taken {
		return c.again()
	}
	return c.askIf(New, Act, c.token, (*Call).stored)
}

// stored ends a command that has stored an item in place of another one, or of our placeholder.
func (c *Call) stored(r *Reply) Step {
	if c.token = 0; r.Outcome == Done || r.Outcome == Refused {
		return c.answer(Passes)
	}
	return c.again()
}
