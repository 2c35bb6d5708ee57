package execution

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/state"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// flight is a group of appends of a queue that are carried out together, by an operation of their own or by
// the change of a verb that holds the item:
//
//	         are sent      the reply has come
//	      ┌──────────▶ sent ──────────▶ answered ──┐
//	      │             ▲ lost its race, and       │
//	      │  lead       │ are sent once more       │
//	empty ┼──────────▶ leading ────────────────────┼─▶ empty
//	      │                they have the reply     │
//	      └──────────▶ takenAlong ─────────────────┘
//	         are taken along      the verb is done, or has lost its race, and they wait again
type flight struct {
	state   flightState
	appends []operation // none if it is empty
	data    []byte      // joined, if there are several
	op      verbs.Op    // that has been sent
	led     structure.LedAppend
	reply   verbs.Reply // to op
}

// flightState is a state of a flight.
type flightState uint8

const (
	empty flightState = iota
	sent
	leading  // they are sent as a verb's decision is, so that verbs which decide wait
	answered // the appends get their replies at the end of the callback
	takenAlong
)

// sends returns the state that follows when appends are sent.
func (s flightState) sends() flightState { return state.Next(s, sent, 1<<empty|1<<leading) }

// leads returns the state that follows when appends are sent that lead.
func (s flightState) leads() flightState { return state.Next(s, leading, 1<<empty) }

// taken returns the state that follows when a verb takes appends along.
func (s flightState) taken() flightState { return state.Next(s, takenAlong, 1<<empty) }

// receives returns the state that follows when the reply has come.
func (s flightState) receives() flightState { return state.Next(s, answered, 1<<sent) }

// ends returns the state that follows when the appends have got their replies, or wait again.
func (s flightState) ends() flightState {
	return state.Next(s, empty, 1<<leading|1<<answered|1<<takenAlong)
}

// end empties the flight. Its appends, and op, may refer to what verbs have read.
func (f *flight) end() {
	clear(f.appends)
	f.state, f.appends, f.op.Data = f.state.ends(), f.appends[:0], nil
}

// fill moves the first n of the waiting appends into the flight, and returns the others.
func (f *flight) fill(waiting []operation, n int) []operation {
	f.appends = append(f.appends[:0], waiting[:n]...)
	return slices.Delete(waiting, 0, n)
}
