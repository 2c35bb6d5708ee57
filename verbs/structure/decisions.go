package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// The calls of an event loop that decide on the same structure wait for each other: one leads, and
// decides for those that wait. See decide.go.

// Decisions are the deciding calls of one event loop, by the keys of their structures, and what the
// loop remembers of structures that are contended or full.
// It is not safe for concurrent use.
type Decisions struct {
	byKey     map[string]*decisions
	gathering []string // keys of structures that calls will decide on at the end of the turn, see gather.go
	orders    orders
	full      fulls
}

// decisions are the calls that decide on one structure, of which one leads, or will lead at the
// end of the turn (gather.go).
type decisions struct {
	waiting []*decision // in order of arrival, without those that the leader decides now
	tidied  bool        // the leader, or one of those that wait, tidies up
}

// decision is one call's decision.
type decision struct {
	// choose decides, given the structure as fold, and prepares the call's answer. It is called
	// again if the append fails because the structure has changed.
	choose func(p *verbs.Pace, fold format.Fold) Choice
	kind   *format.Kind // of the call; what is under the key may be of another one
	alone  bool         // decide it separately, as it may take long or much memory
	order  *Order
	given  bool // it consists only of the order, see Engine.GiveOrder
	first  *First
	create bool // it creates the structure if there is none

	waiter  verbs.Waiter
	lead    lead
	outcome verbs.Reply
}

// lead is how a decision has come to lead:
//
//	unpromoted ──done──▶ promoted ──endLead──▶ sheltered ──holdAsLeader, letAppend──▶ promoted
type lead uint8

const (
	unpromoted lead = iota // it waits, or leads since no other call did when it began
	promoted               // it has waited, and leads now
	sheltered              // the same, and the leader before it has held back appends for it
)

// isPromoted reports whether the decision has waited, and leads now.
func (l lead) isPromoted() bool { return l != unpromoted }

// First is an operation that a call wants carried out before its tokens are appended, in the same batch, see
// [Engine.DecideToAdd].
type First struct {
	Op    verbs.Op
	Asked bool // it was carried out: once, however often the tokens are appended
	Reply verbs.Reply
}

// firstOf returns what is to be carried out before the tokens that the decision d has chosen, nil if nothing is.
func (d *decision) firstOf(tokens []byte) *First {
	if d.first == nil || d.first.Asked || len(tokens) == 0 {
		return nil
	}
	return d.first
}

// mostDecided is how many calls are decided together at most.
const mostDecided = 256

// DecisionsOf returns empty Decisions, for tests. If orders is set, calls append orders, or ask for precedence, without racing
// first.
func DecisionsOf(orders bool) (s Decisions) {
	s.orders.always = orders
	return s
}

// NoteClock notes, for tests, that at the time now by [verbs.Env.Uptime], the clock of the upstream of the structure
// under key was ahead of it by ahead, all in milliseconds.
func (s *Decisions) NoteClock(key []byte, ahead, now int64) { s.orders.learn(key, ahead, now) }

// join adds d. It returns true if d leads, false if it has to wait.
func (s *Decisions) join(key []byte, d *decision) (leads bool) {
	of := s.byKey[string(key)]
	if leads = of == nil; leads {
		if of = new(decisions); s.byKey == nil {
			s.byKey = map[string]*decisions{}
		}
		s.byKey[string(key)] = of
	}
	if d.tidies() {
		of.tidied = true
	}
	if !leads {
		of.waiting = append(of.waiting, d)
	}
	return leads
}

// led reports whether calls decide on the structure under key.
func (s *Decisions) led(key []byte) bool { return s.byKey[string(key)] != nil }

// tidied reports whether a call tidies up the structure under key as its leader, or waits to do so.
func (s *Decisions) tidied(key []byte) bool {
	of := s.byKey[string(key)]
	return of != nil && of.tidied
}

// with returns d, the leader, and the waiting decisions to make together with it.
func (s *Decisions) with(key []byte, d *decision) []*decision {
	all := []*decision{d}
	if d.alone {
		return all
	}
	of := s.byKey[string(key)]
	n := 0
	for n < len(of.waiting) && len(all) < mostDecided && of.waiting[n].goesWith(d) {
		all = append(all, of.waiting[n])
		n++
	}
	of.waiting = slices.Delete(of.waiting, 0, n)
	return all
}

// tidies reports whether a call leads by d only to tidy the structure up, see leader.asLeader. d may be nil.
func (d *decision) tidies() bool { return d != nil && d.choose == nil && d.order == nil }

// goesWith reports whether d can be decided together with the leader's decision.
func (d *decision) goesWith(leader *decision) bool {
	return !d.alone && d.given == leader.given && d.create == leader.create && d.kind == leader.kind
}

// putBack puts some of these back at the front of those that wait.
func (s *Decisions) putBack(key []byte, some []*decision) {
	if len(some) > 0 {
		of := s.byKey[string(key)]
		of.waiting = slices.Insert(of.waiting, 0, some...)
	}
}

// leave removes d, whose call was closed while it waited.
func (s *Decisions) leave(key []byte, d *decision) {
	if of := s.byKey[string(key)]; of != nil {
		of.waiting = slices.DeleteFunc(of.waiting, func(other *decision) bool { return other == d })
		of.tidied = of.tidied && !d.tidies()
	}
}

// done is called when all[0] stops leading. It wakes the others of all, whose outcomes are set, and
// makes the next waiting call the leader. It returns that call, or nil if none waits.
func (s *Decisions) done(key []byte, all []*decision) (next *decision) {
	for _, d := range all[1:] {
		d.waiter.Wake()
	}
	of := s.byKey[string(key)]
	if all[0].tidies() {
		of.tidied = false
	}
	if len(of.waiting) == 0 {
		delete(s.byKey, string(key))
		return nil
	}
	next = of.waiting[0]
	of.waiting = slices.Delete(of.waiting, 0, 1)
	next.lead = promoted
	next.waiter.Wake()
	return next
}

// Order describes how a decision is carried out as an order, see order.go.
type Order struct {
	// Append appends the order's tokens, with the batch's id, to dst, which has those of other
	// calls.
	Append func(dst []byte, to *Batch) []byte
	// Remembered says that the order's result is remembered for [format.OrderLasts]; Take does not find it
	// later.
	Remembered bool
	// Looks says that Append uses Batch.Fold. It matters for [Engine.GiveOrder]: the call may have waited
	// since it read the structure.
	Looks bool
	// Wants is how many elements the order asks for. Only the verb uses it, in Append and Take.
	Wants int
	// Use is what Take does with the structure.
	Use Use
	// Take prepares the call's answer from the result that fold remembers under id, beginning with
	// element from. It returns how many elements it took, and false if fold remembers nothing under
	// id.
	Take func(p *verbs.Pace, fold format.Fold, id *format.OrderID, from int) (n int, ok bool)
}

// Batch is the orders that the calls of one event loop append together.
type Batch struct {
	ID   format.OrderID
	Pace *verbs.Pace // of the call that appends the orders
	Fold format.Fold // the structure as a call of the loop has last read it; nil if no order [Order.Looks] at it
	// Notes is for the orders' kind: what the orders so far have noted for those that follow.
	Notes any
}

// Choice is what a call has decided to do, given the fold of its structure.
type Choice struct {
	// Tokens are the tokens to append. They are in a buffer of the call.
	Tokens []byte
	// Empties says that the structure is empty after that: its fold has no members and would write
	// nothing.
	Empties bool
}
