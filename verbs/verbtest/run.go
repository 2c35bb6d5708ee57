package verbtest

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// mostSteps is how many steps a schedule may have. One with more has no end: a call waits for what never comes, while another one
// looks again and again for an element. The longest with an end that was seen, twenty calls in little memory, had 7000.
const mostSteps = 200_000

// forEver is what is wrong with a schedule of more steps.
const forEver = "the schedule goes on for ever"

// Run runs the schedule to its end.
func (s *Schedule) Run() {
	for last := s.Step + mostSteps; ; {
		ways := s.ways()
		if len(ways) == 0 {
			return
		}
		if s.Step > last {
			s.T.Fatalf("%s", forEver)
		}
		if s.Elapse != nil {
			s.Elapse()
			s.expire()
			s.readClocks()
		}
		s.Step++
		switch w := ways[s.Choose.Pick(len(ways))]; {
		case w.late > 0:
			op := s.late[w.late-1]
			s.late = slices.Delete(s.late, w.late-1, w.late)
			s.Note("late", op, s.do(op))
		case w.turn > 0:
			p := s.turns[w.turn-1]
			s.turns = slices.Delete(s.turns, w.turn-1, w.turn)
			p.decisions.EndTurn(p)
		case w.posted > 0:
			fn := s.waits.posted[w.posted-1]
			s.waits.posted = slices.Delete(s.waits.posted, w.posted-1, w.posted)
			fn()
		case w.passes:
			s.pass()
		case w.caller == nil:
			s.start(w.player)
		default:
			s.goOn(w.player, w.caller, w.open)
		}
	}
}

// start begins the next call of p. Its first operation is carried out in the same step,
// so that no call seems to last longer than it does.
func (s *Schedule) start(p *Player) {
	request := p.Next()
	exptime, asked := cutExptime(request)
	p.call = &Call{Request: asked, Exptime: exptime, From: s.Step, To: Unfinished, Begun: p.Pool.Env.Now(), Since: s.Clock}
	p.Left--
	ahead := p.call.Begun - s.Clock
	p.call.Own, p.call.All = Span{ahead, ahead}, Span{ahead, ahead}
	s.readClocks()
	s.Calls = append(s.Calls, p.call)
	if s.await(p, request) {
		return
	}
	s.begin(p, request)
	s.marks(p)
	s.alternatives = p.Caller.ways(p, s.alternatives[:0])
	if ways := s.alternatives; len(ways) > 0 {
		s.goOn(p, p.Caller, ways[s.Choose.Pick(len(ways))].open)
	} else {
		s.look(p, p.Caller)
	}
}

// begin makes a call of p.
func (s *Schedule) begin(p *Player, request string) {
	p.Caller = p.Pool.get()
	p.Caller.Routine.Inside().Pace.Slice = verbs.SliceTokens
	if p.Caller.Narrow = nil; s.Slice > 0 {
		p.Caller.Routine.Inside().Pace.Slice = s.Slice
		if !s.Fewer {
			p.Caller.Narrow = func() bool { return s.Choose.Pick(4) == 1 }
		}
	}
	s.crowd(p)
	p.Caller.Start(request)
}

// goOn carries out an operation of a call.
func (s *Schedule) goOn(p *Player, c *Caller, open int) {
	switch c.ops[c.open[open]].Kind {
	case verbs.AppendIf, verbs.Append, verbs.AppendSized, verbs.Swap, verbs.DeleteIf:
		for _, p := range s.Clients { // other calls may be decided together with it
			if p.Caller != nil && s.Intent != nil {
				p.call.Intent = s.Intent(p.call.Request, p.Caller.Routine.Inside().Buf)
			}
		}
	}
	if op := c.ops[c.open[open]]; s.Intent != nil && c == p.Caller && (op.Kind == verbs.AppendOrCreate || op.Kind == verbs.Add) && string(op.Key) == s.Key {
		p.call.Intent = s.Intent(p.call.Request, p.Caller.Routine.Inside().Buf)
	}
	s.dead = false
	var r verbs.Reply
	if op := c.ops[c.open[open]]; c.tookAlong != nil {
		r, c.tookAlong = *c.tookAlong, nil
	} else if s.leads(p, c, &c.ops[c.open[open]]) {
		return
	} else if !op.Local() {
		r = s.carryOut(op)
		if c.led.Leads() && !s.ledTo(p, c, &c.ops[c.open[open]], &r) && !s.dead {
			return
		}
	} else if s.Choose.Fault(1) > 0 {
		s.dead, s.Troubled = true, true
	}
	if s.dead {
		p.Pool.lose(c)
	} else {
		c.CarryOut(open, func(verbs.Op) verbs.Reply { return r })
	}
	s.look(p, c)
}

// look checks the progress of a call. A client makes its next call as soon as it has
// its answer, even if the call continues.
func (s *Schedule) look(p *Player, c *Caller) {
	ends, answer := c == p.Caller && (c.Answered >= 0 || s.dead), c.Answer
	if ends {
		if s.dead {
			answer = "SERVER_ERROR lost with its proxy"
		}
		if p.Caller = nil; c.Busy() {
			s.behind = append(s.behind, way{player: p, caller: c})
		}
	}
	if !c.Busy() {
		s.behind = slices.DeleteFunc(s.behind, func(b way) bool { return b.caller == c })
		if !s.dead {
			p.Pool.Idle = append(p.Pool.Idle, c)
		}
	}
	s.dead = false
	switch {
	case ends && p.wait != nil:
		p.wait.tried(answer)
	case ends:
		s.finish(p, answer)
	}
}

// finish ends the call of p with an answer.
func (s *Schedule) finish(p *Player, answer string) {
	p.call.Answer, p.call.To, p.call.Ended = answer, s.Step, s.Clock
	p.call = nil
	s.ends(p)
	s.feed(p.Pool)
}

// readClocks notes by how much clocks are ahead.
func (s *Schedule) readClocks() {
	for _, p := range s.Clients {
		if p.call == nil {
			continue
		}
		p.call.Own.Add(p.Pool.Env.Now() - s.Clock)
		for _, other := range s.Clients {
			p.call.All.Add(other.Pool.Env.Now() - s.Clock)
		}
	}
}

// marks notes that the call of p has begun to change something.
func (s *Schedule) marks(p *Player) {
	if p.changes = s.Near != nil && !p.Caller.Routine.Inside().OnlyReads(); p.changes {
		s.Near.begin()
	}
}

// ends notes that the call of p is over.
func (s *Schedule) ends(p *Player) {
	if p.changes {
		s.Near.end(s.Clock)
	}
	p.changes = false
}
