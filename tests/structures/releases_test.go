package structures

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// This version and the last release change the same structures at once, as they do while proxies are replaced, and are
// killed and started again meanwhile.
func TestStructuresAreLinearizableBesideTheLastRelease(t *testing.T) {
	for _, kinds := range [][]*kind{{sets, setsOfGroups}, {lists}, {tables}, {rankings}, {locks}, {limits}} {
		t.Run(kinds[0].name, func(t *testing.T) {
			soak{kinds: kinds, faults: faultsOfTheWay, share: 0.01, second: harness.StartRelease}.run(t, 2*time.Second)
		})
	}
}

func TestTasksAreDoneBesideTheLastRelease(t *testing.T) {
	doTasks(t, atLength(300, 10_000), harness.StartRelease)
}
