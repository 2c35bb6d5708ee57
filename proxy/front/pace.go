package front

import "github.com/memverbs/memverbs/proxy/admission"

// A client may send thousands of short requests at once. Those that wait for an upstream are
// limited by the replies outstanding; those that the proxy answers itself, or that have no reply,
// are not, nor are those that fail at once because their upstream is down. So a client rests after
// some requests until the loop has served the others. Thousands of clients may send so much at the
// same time. When a turn of the loop has had many requests of all clients together, it is full: then
// input that has waited rests at once, and new input soon; and those that rest share the next turn.

// How much has been carried out is counted in requests, of which a verb counts as several, and so does
// a request with many words or with a long answer of the proxy's own.
const (
	// maxTurn is how much of a client's input is carried out in one turn of the event loop.
	maxTurn = 256
	// fullTurn is how much of the input of all clients together makes a turn full.
	fullTurn = 64 * maxTurn
	// lateTurn is how much of a client's input is carried out in a full turn as it arrives.
	lateTurn = maxTurn / 16
	// verbEffort is how many requests a verb counts as, since it takes several times as long.
	verbEffort = 4
	// wordsEffort is how many keys or arguments take as long as a request.
	wordsEffort = 4
	// mostForWords is how many requests the words of one count as at most. If large requests filled turns,
	// the others would wait for theirs in memory, and take all of it.
	mostForWords = maxTurn / 4
	// answerEffort is how many bytes of an answer of the proxy's own take as long as a request to be made
	// and sent.
	answerEffort = 64
)

// pace tells whether a client's requests are carried out as they arrive:
//
//	       ┌──its next request has to wait──▶ blocked
//	flowing ◀──the client is woken────────────┘  ▲
//	       └──it has had its turn───▶ resting ───┘ the loop's turn ends
//
// While it is resting, waking it changes nothing.
type pace struct {
	state  paceState
	woken  bool             // in the loop's list of clients to proceed
	effort int              // how much was carried out in this turn of the loop
	turn   admission.Waiter // in the queue for what the next request needs
}

// paceState is a state of a pace.
type paceState uint8

const (
	flowing paceState = iota
	blocked
	resting
)

// waits follows when the next request has to wait.
func (s paceState) waits() paceState { return max(s, blocked) }

// wakes follows when the client may proceed.
func (s paceState) wakes() paceState {
	if s == blocked {
		return flowing
	}
	return s
}

// turnEnds follows at the end of the loop's turn.
func (s paceState) turnEnds() paceState { return min(s, blocked) }
