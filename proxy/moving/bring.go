package moving

// bring moves the item to the new server for nobody's sake, so that nothing is left on the old one. If there is an item on the new
// server, that on the old one is older.
func (c *Call) bring() Step { return c.ask(New, Look, (*Call).lookedToBring) }

func (c *Call) lookedToBring(r *Reply) Step {
	switch {
	case r.found():
		return c.ask(Old, Delete, (*Call).brought)
	case r.reserved():
		return c.wait(r)
	}
	return c.fetch((*Call).fetchedToBring)
}

func (c *Call) brought(*Reply) Step { return c.answer(NoAnswer) }

func (c *Call) fetchedToBring(f fetched) Step {
	if f == taken {
		return c.again()
	}
	return c.answer(NoAnswer)
}
