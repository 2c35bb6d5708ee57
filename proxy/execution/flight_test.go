package execution

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// What follows each state of a flight for each event.
func TestFlight(t *testing.T) {
	t.Parallel()
	states := []flightState{empty, sent, leading, answered, takenAlong}
	for name, event := range map[string]struct {
		to      func(flightState) flightState
		follows []flightState
	}{
		"sends":    {flightState.sends, []flightState{sent, sent, sent, answered, takenAlong}},
		"leads":    {flightState.leads, []flightState{leading, sent, leading, answered, takenAlong}},
		"taken":    {flightState.taken, []flightState{takenAlong, sent, leading, answered, takenAlong}},
		"receives": {flightState.receives, []flightState{empty, answered, leading, answered, takenAlong}},
		"ends":     {flightState.ends, []flightState{empty, sent, empty, empty, empty}},
	} {
		for i, state := range states {
			if next := event.to(state); next != event.follows[i] {
				t.Errorf("state %d, %s: state %d follows, expected %d", state, name, next, event.follows[i])
			}
		}
	}
}

// A batch waits as a whole while a verb takes the appends of others along, even if the hold of that has
// expired. Otherwise its append would wait by itself, and later the batch be carried out once more.
func TestBatchWaitsForRidingAppends(t *testing.T) {
	t.Parallel()
	key := []byte("k")
	x, push := newAppending(t, key)
	push(&Caller{}, 1, "l>a ")
	if tokens := string(x.appends.TakeAlong(key, key, 1000)); tokens != "l>a " {
		t.Fatalf("%q is taken along", tokens)
	}
	x.appends.Hold(key, key, false)
	x.appends.deliver()
	batch := &Execution{executor: x, stage: working, target: target{owner: x.Pool.All[0], key: key}, caller: &Caller{}, trip: trip{ops: []verbs.Op{{Kind: verbs.Probe, Key: key}, {Kind: verbs.Append, Key: key}}}}
	if !x.appends.delays(batch) {
		t.Error("the batch does not wait")
	}
	batch.stage = batch.stage.delays()
	if x.appends.TookAlong(key, key, verbs.Reply{Status: verbs.Stored}); len(x.appends.freed) != 1 {
		t.Errorf("%d queues go on when the verb is done", len(x.appends.freed))
	}
	q := x.appends.queueOf(key, key)
	if q.proceed(); len(x.appends.ready) != 1 {
		t.Errorf("%d batches go on when the verb is done", len(x.appends.ready))
	}
}
