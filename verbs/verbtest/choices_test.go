package verbtest

import (
	"math/rand/v2"
	"testing"

	"github.com/anishathalye/porcupine"
)

// adds is a call that adds one of two numbers to a sum; it answers with what the sum was.
type adds struct{ one, other int }

var sumModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{0} },
	Step: func(state, input, output any) []any {
		sum, a := state.(int), input.(adds)
		if was, known := output.(int); known && was != sum {
			return nil
		}
		return []any{sum + a.one, sum + a.other}
	},
}

// A history with choices is judged as porcupine judges it, whether calls are answered or not.
func TestChoices(t *testing.T) {
	r, right := rand.New(rand.NewPCG(1, 2)), 0
	const histories = 3000
	for n := range histories {
		var ops []porcupine.Operation
		for range 2 + r.IntN(5) {
			from := r.IntN(8)
			var answer any
			if r.IntN(3) > 0 {
				answer = r.IntN(6)
			}
			ops = append(ops, Operation(adds{r.IntN(3), r.IntN(3)}, answer, from, from+r.IntN(5)))
		}
		want := porcupine.CheckOperations(sumModel.ToModel(), ops)
		if got := LinearizableBy(&sumModel, ops); got != want {
			t.Fatalf("history %d: %v, as porcupine finds %v: %v", n, got, want, ops)
		}
		if want {
			right++
		}
	}
	if right < histories/10 || right > histories*9/10 {
		t.Errorf("of %d histories %d are right", histories, right)
	}
}
