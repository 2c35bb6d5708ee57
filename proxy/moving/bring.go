package moving

// bring moves the item to the new server for nobody's sake. When it ends without an answer, the old server had none at some moment. It
// looks first, as no key is to be reserved for an item that stays: a structure might be made under it on the new server meanwhile.
func (c *Call) bring() Step { return c.ask(Old, Look, (*Call).lookedToBring) }

func (c *Call) lookedToBring(r *Reply) Step {
	if !r.found() {
		return c.answer(NoAnswer)
	}
	return c.fetch((*Call).fetchedToBring)
}

func (c *Call) fetchedToBring(f fetched) Step {
	if f == taken {
		return c.ask(Old, Look, (*Call).leftBehind)
	}
	return c.answer(NoAnswer)
}

// leftBehind goes on where both servers may have an item. It looks on the old server first, and on the new one after that: if that
// has an item then, whoever has stored the one on the old server in the phase Both has not acknowledged it yet. So that one may be deleted,
// but none that was stored since.
func (c *Call) leftBehind(r *Reply) Step {
	if !r.found() {
		return c.answer(NoAnswer)
	}
	behind := r.Item.CAS
	return c.ask(New, Look, func(c *Call, r *Reply) Step {
		switch {
		case r.found():
			return c.askIf(Old, Delete, behind, (*Call).discardedBehind)
		case r.reserved():
			return c.wait(r)
		}
		return c.again()
	})
}

func (c *Call) discardedBehind(r *Reply) Step {
	if r.Outcome == Changed {
		return c.again()
	}
	return c.answer(NoAnswer)
}
