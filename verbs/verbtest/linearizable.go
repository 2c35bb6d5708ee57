package verbtest

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
)

// thinking is the time limit for one history. With a dozen calls that may or may not
// have happened, it could take hours.
const thinking = 20 * time.Second

// unjudged is how many histories [Linearizable] has not judged, as that would have taken too
// long.
var unjudged atomic.Int64

// Operation converts a call, which began in the step from and ended in the step to, for
// porcupine. A call without an answer, which is nil, may have happened at any time since,
// or never, which is the same as at the very end.
func Operation(input, answer any, from, to int) porcupine.Operation {
	if answer == nil {
		return porcupine.Operation{Input: input, Call: int64(2 * from), Return: math.MaxInt64}
	}
	return porcupine.Operation{Input: input, Call: int64(2 * from), Output: answer, Return: int64(2*to + 1)}
}

// Linearizable reports whether some order of ops, each at one moment between its call and
// its return, has these answers in the model. As a rule calls without an answer had no
// effect, so that is tried first.
func Linearizable(model porcupine.Model, ops []porcupine.Operation) bool {
	answered := slices.DeleteFunc(slices.Clone(ops), func(o porcupine.Operation) bool { return o.Output == nil })
	return porcupine.CheckOperations(model, answered) || judged(porcupine.CheckOperationsTimeout(model, ops, thinking))
}

// judged reports whether a history is right as far as is known.
func judged(verdict porcupine.CheckResult) bool {
	if verdict == porcupine.Unknown {
		unjudged.Add(1)
	}
	return verdict != porcupine.Illegal
}
