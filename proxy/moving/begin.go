package moving

// Begin begins a command of a kind, by a proxy in a phase.
func (c *Call) Begin(k Kind, p Phase) Step {
	*c = Call{kind: k, phase: p}
	return c.begin()
}

func (c *Call) begin() Step {
	switch c.kind {
	case Get, Gets:
		return c.get()
	case Set:
		return c.set()
	case Remove:
		return c.remove()
	case Bring:
		return c.bring()
	case Add:
		return c.add()
	default:
		return c.change()
	}
}
