package front

import "testing"

// What follows each state of an input for each event.
func TestInputStates(t *testing.T) {
	t.Parallel()
	for state, follows := range [...]struct{ end, ignore inputState }{
		arriving: {ended, ignored},
		ended:    {ended, ignored},
		ignored:  {ignored, ignored},
	} {
		in := input{state: inputState(state)}
		if in.end(); in.state != follows.end {
			t.Errorf("state %d, the end: state %d follows, expected %d", state, in.state, follows.end)
		}
		in.state = inputState(state)
		if in.ignore(); in.state != follows.ignore {
			t.Errorf("state %d, the client leaves: state %d follows, expected %d", state, in.state, follows.ignore)
		}
	}
}
