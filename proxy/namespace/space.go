package namespace

// Space is a namespace on a server, as an event loop knows it, and the commands that wait until its generation is known.
// While they wait, others on keys of the namespace wait behind them, so that the commands of a client stay in order.
type Space struct {
	Text    []byte // such as user:
	Fresh   Generation
	state   state
	present Generation
	tries   uint8
	waiting []Waiter
	spaces  *Spaces
}

// Waiter is a command that waits until a generation is known.
type Waiter interface {
	// Proceed is called once. The command is to be sent under a generation; or, if that is not known, be answered with a
	// refusal.
	Proceed(g Generation, refusal string)
}

// Enter returns the generation under which a command may be sent now. If it is not known, w waits, and task is what has to
// be sent.
func (s *Space) Enter(w Waiter) (g Generation, task Task) {
	if s.state == known {
		return s.present, Nothing
	}
	s.waiting = append(s.waiting, w)
	if s.state == unknown {
		s.state, s.tries = reading, 0
		return Generation{}, Read
	}
	return Generation{}, Nothing
}

// Outdated is called when a command turns out to have been sent under an outdated generation. The server has told the one
// that is in place, or that there is none. A command that is to be repeated enters afterwards.
func (s *Space) Outdated(under, seen Generation) Task {
	switch {
	case s.state != known || s.present != under: // more is known by now, or will be
		return Nothing
	case seen.Known():
		s.learn(seen)
		return Nothing
	}
	s.tries = 0
	return s.create()
}

// create has a new generation made. Nothing is sent under the one that was remembered until then.
func (s *Space) create() Task {
	s.state, s.present, s.Fresh = creating, Generation{}, NewGeneration(s.spaces.random())
	return Create
}

func (s *Space) learn(g Generation) {
	s.state, s.present = known, g
	*s.spaces.learned++
}

// HasRead is called with the reply to a Read, no generation if the server has none. It returns the next task, and those
// that may proceed.
func (s *Space) HasRead(g Generation) (Task, []Waiter) {
	if !g.Known() {
		return s.create(), nil
	}
	s.learn(g)
	return Nothing, s.release()
}

// HasCreated is called with the reply to a Create: whether the generation was added. If not, another proxy has been faster,
// and its generation has to be read.
func (s *Space) HasCreated(added bool) (Task, []Waiter) {
	if added {
		s.learn(s.Fresh)
		return Nothing, s.release()
	}
	if s.tries++; s.tries >= mostLookups {
		return Nothing, s.Fail()
	}
	s.state = reading
	return Read, nil
}

// Fail is called when the server can't be asked. It returns those that are to be refused.
func (s *Space) Fail() []Waiter {
	s.state, s.present = unknown, Generation{}
	return s.release()
}

// Present returns the generation that is known, none if it is not known.
func (s *Space) Present() Generation { return s.present }

func (s *Space) release() []Waiter {
	waiting := s.waiting
	s.waiting = nil
	return waiting
}
