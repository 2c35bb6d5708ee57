package front

import "testing"

// What follows each state of a gate for each event, of a listener without passwords and of one with.
func TestGate(t *testing.T) {
	t.Parallel()
	type both [2]gateState
	events := map[string]func(gateState, bool) gateState{
		"recognized": gateState.recognized,
		"reloaded":   gateState.reloaded,
		"wrong":      gateState.wrong,
		"answered":   func(s gateState, _ bool) gateState { return s.answered() },
	}
	for i, follows := range [...]map[string]both{
		unrecognized: {"recognized": {unlocked, locked}, "reloaded": {unrecognized, unrecognized}, "wrong": {unlocked, penalized}, "answered": {unrecognized, unrecognized}},
		locked:       {"recognized": {locked, locked}, "reloaded": {unlocked, locked}, "wrong": {unlocked, penalized}, "answered": {locked, locked}},
		penalized:    {"recognized": {penalized, penalized}, "reloaded": {unlocked, penalized}, "wrong": {unlocked, penalized}, "answered": {locked, locked}},
		unlocked:     {"recognized": {unlocked, unlocked}, "reloaded": {unlocked, locked}, "wrong": {unlocked, penalized}, "answered": {unlocked, unlocked}},
		admitted:     {"recognized": {admitted, admitted}, "reloaded": {admitted, admitted}, "wrong": {unlocked, penalized}, "answered": {admitted, admitted}},
	} {
		state := gateState(i)
		if passes := state == unlocked || state == admitted; state.passes() != passes {
			t.Errorf("state %d: requests are carried out: %t, expected %t", state, state.passes(), passes)
		}
		for name, event := range events {
			for i, demands := range []bool{false, true} {
				if next := event(state, demands); next != follows[name][i] {
					t.Errorf("state %d, %s, passwords %t: state %d follows, expected %d", state, name, demands, next, follows[name][i])
				}
			}
		}
	}
}
