package verbtest

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// choices makes a determined model, as porcupine wants it, of one that leaves choices and of a history of which some calls
// have no answer. Porcupine would try these calls at every place, in every order. Here they are part of the state: the
// determined model is in a set of states of the structure, each with the calls that may still take effect. So a history with
// a dozen such calls is judged in a second instead of hours.
type choices struct {
	of  *porcupine.NondeterministicModel
	ops []porcupine.Operation
	may []uint64 // by operation: the bit of a call that has no answer, 0 for others

	effects int  // how many of these calls may have an effect, at most
	limited bool // more of them might have explained more

	states  []any         // those that were seen, by their numbers
	numbers map[any]int   // of these states
	after   [][]followers // by operation and number of a state
	seed    maphash.Seed
}

// followers are the states that may follow a state by an operation.
type followers struct {
	known bool
	of    []int // their numbers
}

// possible is one of the states in which the structure may be.
type possible struct {
	state int    // its number
	left  uint64 // the bits of calls that have begun and may still take effect
}

// situation is all states in which the structure may be, by their numbers.
type situation struct {
	now   []possible
	begun uint64 // the bits of the calls without an answer that have begun
	hash  uint64
	later []possible // and those that calls without an answer may make of them; nil until somebody asks
}

// mostUnanswered is how many calls of a history that is judged may have no answer.
const mostUnanswered = 64

// LinearizableBy is [Linearizable] for a model that leaves choices, and whose states are comparable. As a rule few of the calls
// without an answer had an effect, so that is tried first.
func LinearizableBy(of *porcupine.NondeterministicModel, ops []porcupine.Operation) bool {
	c := &choices{of: of, ops: ops, may: make([]uint64, len(ops)), numbers: map[any]int{}, after: make([][]followers, len(ops)), seed: maphash.MakeSeed()}
	numbered, unanswered := slices.Clone(ops), 0
	for i := range numbered {
		o := &numbered[i]
		if o.Output == nil && unanswered < mostUnanswered {
			c.may[i], o.Return = 1<<unanswered, o.Call // the moment of its beginning
			unanswered++
		}
		o.Input = i
	}
	for begun := time.Now(); ; c.effects++ {
		c.limited = false
		verdict := porcupine.CheckOperationsTimeout(c.model(), numbered, max(thinking-time.Since(begun), 1))
		if verdict != porcupine.Illegal || !c.limited {
			return judged(verdict)
		}
	}
}

// model returns the determined model.
func (c *choices) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			var first antichains
			for _, s := range c.numbersOf(c.of.Init()) {
				first.add(possible{state: s})
			}
			return c.situation(&first, 0)
		},
		Step: func(before, op, _ any) (bool, any) {
			after := c.step(before.(*situation), op.(int))
			return len(after.now) > 0, after
		},
		Equal: func(a, b any) bool { return slices.Equal(a.(*situation).now, b.(*situation).now) },
		Hash:  func(of any) uint64 { return of.(*situation).hash },
	}
}

// step returns what may follow by an operation.
func (c *choices) step(before *situation, op int) *situation {
	var after antichains
	if bit := c.may[op]; bit != 0 {
		for _, p := range before.now {
			after.add(possible{p.state, p.left | bit})
		}
		return c.situation(&after, before.begun|bit)
	}
	if before.later == nil {
		before.later = c.later(before)
	}
	for _, p := range before.later {
		for _, s := range c.follow(op, p.state) {
			after.add(possible{s, p.left})
		}
	}
	return c.situation(&after, before.begun)
}

// later returns the states in which the structure may be, and those that calls which may still take effect make of them.
func (c *choices) later(of *situation) []possible {
	var all antichains
	queue := slices.Clone(of.now)
	for _, p := range of.now {
		all.add(p)
	}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		if !all.has(p) {
			continue
		}
		if p.left != 0 && bits.OnesCount64(of.begun&^p.left) == c.effects {
			c.limited = true
			continue
		}
		for op, bit := range c.may {
			if p.left&bit == 0 {
				continue
			}
			for _, s := range c.follow(op, p.state) {
				if next := (possible{s, p.left &^ bit}); all.add(next) {
					queue = append(queue, next)
				}
			}
		}
	}
	return all.list()
}

// follow returns the numbers of the states that may follow a state by an operation.
func (c *choices) follow(op, state int) []int {
	for len(c.after[op]) <= state {
		c.after[op] = append(c.after[op], followers{})
	}
	if !c.after[op][state].known {
		c.after[op][state] = followers{true, c.numbersOf(c.of.Step(c.states[state], c.ops[op].Input, c.ops[op].Output))}
	}
	return c.after[op][state].of
}

func (c *choices) numbersOf(states []any) (numbers []int) {
	for _, s := range states {
		n, known := c.numbers[s]
		if !known {
			n = len(c.states)
			c.numbers[s], c.states = n, append(c.states, s)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

func (c *choices) situation(of *antichains, begun uint64) *situation {
	s := &situation{now: of.list(), begun: begun}
	for _, p := range s.now {
		s.hash = bits.RotateLeft64(s.hash, 5) ^ maphash.Comparable(c.seed, p)
	}
	return s
}

// antichains are states in which the structure may be, without those that explain no more than another of them: the same
// state with fewer calls that may take effect.
type antichains struct {
	left [][]uint64 // by the number of the state
}

func (a *antichains) has(p possible) bool { return slices.Contains(a.left[p.state], p.left) }

// add adds p. It returns false if that would explain no more.
func (a *antichains) add(p possible) bool {
	for len(a.left) <= p.state {
		a.left = append(a.left, nil)
	}
	all := a.left[p.state]
	if slices.ContainsFunc(all, func(left uint64) bool { return p.left&^left == 0 }) {
		return false
	}
	a.left[p.state] = append(slices.DeleteFunc(all, func(left uint64) bool { return left&^p.left == 0 }), p.left)
	return true
}

// list returns them by their numbers.
func (a *antichains) list() (all []possible) {
	for state, lefts := range a.left {
		slices.Sort(lefts)
		for _, left := range lefts {
			all = append(all, possible{state, left})
		}
	}
	return all
}
