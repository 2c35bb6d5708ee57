package execution

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// flight is a group of appends of a queue that are carried out together, by an operation of their own or by
// the change of a verb that holds the item:
//
//	         are sent      the reply has come
//	      ┌──────────▶ sent ──────────▶ answered ──┐
//	empty ┤                                        ├─▶ empty
//	      └──────────▶ riding ─────────────────────┘
//	         are taken along      the verb is done, or has lost its race, and they wait again
type flight struct {
	state   flightState
	appends []operation // none if it is empty
	data    []byte      // of all of them, if that is more than one
	op      verbs.Op    // that has been sent
	reply   verbs.Reply // to op
}

// flightState is a state of a flight.
type flightState uint8

const (
	empty flightState = iota
	sent
	answered // the appends get their replies at the end of the callback
	riding
)

// sends follows when appends are sent.
func (s flightState) sends() flightState {
	if s == empty {
		return sent
	}
	return s
}

// rides follows when a verb takes appends along.
func (s flightState) rides() flightState {
	if s == empty {
		return riding
	}
	return s
}

// receives follows when the reply has come.
func (s flightState) receives() flightState {
	if s == sent {
		return answered
	}
	return s
}

// ends follows when the appends have got their replies, or wait again.
func (s flightState) ends() flightState {
	if s == answered || s == riding {
		return empty
	}
	return s
}

// end empties the flight. Its appends, and op, may refer to what verbs have read.
func (f *flight) end() {
	clear(f.appends)
	f.state, f.appends, f.op.Data = f.state.ends(), f.appends[:0], nil
}

// board makes the first n of those that wait its appends, and returns the others.
func (f *flight) board(waiting []operation, n int) []operation {
	f.appends = append(f.appends[:0], waiting[:n]...)
	return slices.Delete(waiting, 0, n)
}
