package front

import "testing"

// What follows each state of a pace for each event.
func TestPaceStates(t *testing.T) {
	t.Parallel()
	for i, follows := range [...]struct{ waits, wakes, turnEnds paceState }{
		flowing: {blocked, flowing, flowing},
		blocked: {blocked, flowing, blocked},
		resting: {resting, resting, blocked},
	} {
		state := paceState(i)
		if next := state.waits(); next != follows.waits {
			t.Errorf("state %d, a request has to wait: state %d follows, expected %d", i, next, follows.waits)
		}
		if next := state.wakes(); next != follows.wakes {
			t.Errorf("state %d, the client is woken: state %d follows, expected %d", i, next, follows.wakes)
		}
		if next := state.turnEnds(); next != follows.turnEnds {
			t.Errorf("state %d, the turn ends: state %d follows, expected %d", i, next, follows.turnEnds)
		}
	}
}
