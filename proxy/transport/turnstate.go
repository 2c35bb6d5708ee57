package transport

import "github.com/memverbs/memverbs/proxy/state"

// turn says how far a loop is in its turn, in which it reads all sockets that are readable:
//
//	           an event, or AwaitEndOfTurn           awaitEnd
//	resting ───────────────────────────────▶ active ──────────▶ ending
//	   ▲                                        │                  │
//	   └──────────all sockets were read─────────┴──────────────────┘
type turn uint8

const (
	resting turn = iota // nothing has happened since the loop has waited
	active              // something has
	ending              // and a descriptor was made readable, which the loop reads at the end
)

// begun returns the state that follows when something has happened.
func (t turn) begun() turn { return state.Next(t, active, 1<<resting) }

// ends returns the state that follows when the descriptor is made readable.
func (t turn) ends() turn { return state.Next(t, ending, 1<<active) }
