package front

import (
	"slices"
	"testing"
	"time"
)

// What follows each state of a departure for each event.
func TestDeparture(t *testing.T) {
	t.Parallel()
	states := []departureState{staying, unheard, dismissed, hurried, finishing, leaving, lingering, receiving, gone}
	for name, event := range map[string]struct {
		to      func(departureState) departureState
		follows []departureState
	}{
		"dismissed late":  {func(s departureState) departureState { return s.dismissed(false) }, []departureState{dismissed, unheard, dismissed, hurried, finishing, leaving, lingering, receiving, gone}},
		"dismissed early": {func(s departureState) departureState { return s.dismissed(true) }, []departureState{unheard, unheard, dismissed, hurried, finishing, leaving, lingering, receiving, gone}},
		"heard":           {departureState.heard, []departureState{staying, dismissed, dismissed, hurried, finishing, leaving, lingering, receiving, gone}},
		"hurried":         {departureState.hurried, []departureState{staying, hurried, hurried, hurried, finishing, leaving, lingering, receiving, gone}},
		"in a request":    {departureState.inRequest, []departureState{staying, unheard, dismissed, finishing, finishing, leaving, lingering, receiving, gone}},
		"left":            {departureState.left, []departureState{leaving, leaving, leaving, leaving, leaving, leaving, lingering, receiving, gone}},
		"sent":            {departureState.sent, []departureState{staying, unheard, dismissed, hurried, finishing, lingering, lingering, receiving, gone}},
		"extended":        {departureState.extended, []departureState{staying, unheard, dismissed, hurried, finishing, leaving, receiving, receiving, gone}},
	} {
		for i, state := range states {
			if next := event.to(state); next != event.follows[i] {
				t.Errorf("state %d, %s: state %d follows, expected %d", state, name, next, event.follows[i])
			}
		}
	}
	for _, state := range states {
		d := departure{state: state}
		if may := slices.Contains([]departureState{unheard, dismissed}, state); d.canBeHurried() != may {
			t.Errorf("state %d: it can be hurried: %t, expected %t", state, !may, may)
		}
	}
	for cause, most := range map[cause]time.Duration{ownWish: lingerTime, dismissal: farewell, lateness: farewell} {
		d := departure{cause: cause}
		if d.linger() != most || d.dismissed() != (cause != ownWish) {
			t.Errorf("cause %d: it lingers for %v, expected %v", cause, d.linger(), most)
		}
	}
}
