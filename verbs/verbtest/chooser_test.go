package verbtest

import (
	"fmt"
	"testing"
)

func TestInTurnTakesEveryDecision(t *testing.T) {
	choose := Exhaustive{Faults: 1, Left: 1}
	seen := map[string]bool{}
	for more := true; more; more = choose.Next() {
		var run []int
		for range 3 {
			run = append(run, choose.Pick(2), choose.Fault(2))
		}
		seen[fmt.Sprint(run)] = true
	}
	if len(seen) != 8*(1+3*2) {
		t.Errorf("%d schedules", len(seen))
	}
}
