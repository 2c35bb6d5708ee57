package front

import (
	"github.com/memverbs/memverbs/proxy/admission"

	"github.com/memverbs/memverbs/proxy/state"
)

// A client may send thousands of short requests at once. The limit on outstanding replies bounds
// those that wait for an upstream, but not those that the proxy answers itself, that have no reply,
// or that fail at once because their upstream is down. So after some requests a client rests until
// the loop has served the others. Thousands of clients may do this at the same time. So a turn of
// the loop is full when it has carried out many requests of all clients together. In a full turn, a
// client whose input has waited rests at once, and one whose input has just arrived rests soon; the
// next turn is divided among those that rest.

// Effort is counted in requests. A verb counts as several, and so does a request with many words or
// with a long answer of the proxy's own.
const (
	// clientEffort is how much effort a client's input may take in one turn of the event loop.
	clientEffort = 256
	// fullEffort is how much effort for all clients together makes a turn full.
	fullEffort = 64 * clientEffort
	// lateEffort is how much effort a client's input may take in a full turn if it has just arrived.
	lateEffort = clientEffort / 16
	// verbEffort is how many requests a verb counts as, since it takes several times as long.
	verbEffort = 4
	// wordsEffort is how many keys or arguments take as long as a request.
	wordsEffort = 4
	// mostForWords is the most requests that the words of one request count as. If a few large requests
	// filled a turn, other large ones would wait in memory and could take all of it.
	mostForWords = clientEffort / 4
	// answerEffort is how many bytes of an answer of the proxy's own take as long as a request to be made
	// and sent.
	answerEffort = 64
)

// pace says whether a client's requests are carried out as they arrive:
//
//	       ┌──its next request has to wait──▶ blocked
//	flowing ◀──the client is woken────────────┘  ▲
//	       └──it has had its share──▶ resting ───┘ the loop's turn ends
//
// While it is resting, waking it changes nothing.
type pace struct {
	state  paceState
	woken  bool              // in the loop's list of clients to proceed
	effort int32             // how much was carried out in this turn of the loop
	waiter *admission.Waiter // in the queue for what the next request needs; nil if the client has not had to wait
}

// paceState is a state of a pace.
type paceState uint8

const (
	flowing paceState = iota
	blocked
	resting
)

// waits returns the state that follows when the next request has to wait.
func (s paceState) waits() paceState { return max(s, blocked) }

// wakes returns the state that follows when the client may proceed.
func (s paceState) wakes() paceState { return state.Next(s, flowing, 1<<blocked) }

// turnEnds returns the state that follows the end of the loop's turn.
func (s paceState) turnEnds() paceState { return min(s, blocked) }
