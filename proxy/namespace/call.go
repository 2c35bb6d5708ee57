package namespace

// Call is a command on keys of one namespace, from when it is first sent until its client is answered.
type Call struct {
	Order  Order
	Under  Generation // under which it was sent
	rounds uint8      // how often it was sent in vain
}

// Seen is what the server has told of the generation in a batch. No generation means that it has none.
type Seen struct{ Before, After Generation }

// Last returns what was told last, to a command of an order.
func (s Seen) Last(o Order) Generation {
	if o.AsksAfter() {
		return s.After
	}
	return s.Before
}

// Verdict is what follows from the replies to a command.
type Verdict uint8

const (
	// Answers: the reply is right.
	Answers Verdict = iota
	// Repeats: no live item was read or changed, so the command is sent again, under the present generation.
	Repeats
	// Unknown: an item was changed, and whether anybody can see it is unknown.
	Unknown
	// Exhausted: the command was sent too often.
	Exhausted
)

// Refusal returns the error line for a client whose command is neither answered nor sent again.
func (v Verdict) Refusal() []byte {
	if v == Unknown {
		return []byte("SERVER_ERROR outcome unknown: the namespace was flushed meanwhile\r\n")
	}
	return []byte("SERVER_ERROR the namespace is flushed again and again; try again\r\n")
}

// mostRounds is how often a command is sent. Each time but the first, the namespace was flushed, or its generation was
// evicted, in the moment since.
const mostRounds = 16

// Judge judges a command that was sent under c.Under and has been answered. undone says that its reply tells that it has
// changed nothing.
func (c *Call) Judge(seen Seen, undone bool) Verdict {
	if c.Order.AsksBefore() && seen.Before != c.Under {
		return c.repeats()
	}
	if !c.Order.AsksAfter() || seen.After == c.Under {
		return Answers
	}
	if c.Order == Around && !undone {
		return Unknown
	}
	return c.repeats()
}

func (c *Call) repeats() Verdict {
	if c.rounds++; c.rounds >= mostRounds {
		return Exhausted
	}
	return Repeats
}
