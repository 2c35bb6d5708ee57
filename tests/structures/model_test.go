package structures

import (
	"fmt"
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

// model says which histories of one structure are right, to porcupine. In a forgetful one
// something may be evicted at any time.
func (k *kind) model(forgetful bool) porcupine.Model {
	seed := maphash.MakeSeed()
	m := &porcupine.NondeterministicModel{
		Init: func() []any { return []any{k.nothing} },
		Step: func(state, input, output any) (next []any) {
			a := input.(action)
			if a.verb == vanish {
				return []any{k.nothing}
			}
			before := []any{state}
			if forgetful {
				before = append(before, k.leftOf(state)...)
			}
			for _, s := range before {
				next = append(next, a.verb.step(s, a, output.(string))...)
			}
			return next
		},
		Hash: func(state any) uint64 { return maphash.Comparable(seed, state) },
		DescribeOperation: func(input, output any) string {
			return input.(action).String() + " → " + output.(string)
		},
		DescribeState: func(state any) string { return fmt.Sprint(state) },
	}
	if k.views != nil {
		m.Partition = func(list []porcupine.Operation) [][]porcupine.Operation { return k.views(list, forgetful) }
	}
	return m.ToModel()
}

// leftOf returns what an eviction may leave of a state.
func (k *kind) leftOf(state any) []any {
	if k.evicted == nil {
		return []any{k.nothing}
	}
	return k.evicted(state)
}

// on makes a step of one that knows its states. It returns the states that s may be in
// afterwards: none if answer can't be the answer. It takes unanswered for an answer. A verb
// that may answer in several ways returns a state for each of them.
func on[S any](step func(s S, a action, answer string) []S) func(any, action, string) []any {
	return func(s any, a action, answer string) (next []any) {
		for _, n := range step(s.(S), a, answer) {
			next = append(next, n)
		}
		return next
	}
}

// unanswered is the answer of an action of which it is not known whether it
// happened. Such an action goes on for ever as far as the checker is concerned:
// it may come at any time from its call on, or, which is the same as never,
// after everything that was seen.
const unanswered = "unanswered"

// answers returns next if the answer is the expected one or is not known.
func answers[S any](answer, expected string, next S) []S {
	if answer == expected || answer == unanswered {
		return []S{next}
	}
	return nil
}
