package tasks

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The parts of a queue of which a view is kept are probed once a minute, also if all calls find
// what they ask for.
func TestPartsOfBusyQueueAreProbed(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock = begun
	w.Kept = views.Eager([]byte("k"))
	for i := range 5_000 {
		w.Send(put(fmt.Sprintf("later%d", i), begun+86_400_000))
	}
	w.Send("tasklen k")
	parts, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
	looked := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if string(op.Key) == parts[0] {
			looked++
		}
		return verbs.Reply{}, false
	}
	const minutes = 10
	for i := range 6 * minutes {
		w.Clock += 10_000
		w.Send(put(fmt.Sprintf("now%d", i), 0))
		_, stamps := taken(t, w.Send("tasktake k 60"))
		if len(stamps) != 1 {
			t.Fatalf("%d tasks were taken", len(stamps))
		}
		w.Expect("taskdone k "+stamps[0], "DELETED")
	}
	if looked < minutes-2 || looked > 2*minutes {
		t.Errorf("the oldest part was probed %d times in %d minutes", looked, minutes)
	}
}
