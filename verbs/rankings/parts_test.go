package rankings

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The parts of a ranking of which a view is kept are probed once a minute, also if it changes so
// much that its head is settled more often, and a new view is made each time.
func TestPartsOfBusyRankingAreProbed(t *testing.T) {
	verbtest.Long(t)
	w := verbtest.NewWorld(t, theVerbs)
	w.Clock = begun
	w.Kept = views.Eager([]byte("k"))
	for i := range 40 {
		request := "zadd k"
		for j := range 1000 {
			request += fmt.Sprintf(" %d member%d", i+j, i*1000+j)
		}
		w.Send(request)
	}
	w.Send("zcard k")
	parts, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
	oldest, looked := parts[0], 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if string(op.Key) == oldest {
			looked++
		}
		return verbs.Reply{}, false
	}
	hot, values := "", map[string]bool{}
	for i := range 250 {
		hot += fmt.Sprintf(" hot%d", i)
	}
	const minutes = 8
	for range 60 * minutes {
		w.Clock += 1000
		w.Send("zinc k" + hot)
		w.Send("zcard k")
		now, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
		values[fmt.Sprint(now)] = true
	}
	if now, _ := format.PartKeys([]byte("k"), []byte(w.Value("k"))); now[0] != oldest || len(values) < minutes {
		t.Fatalf("the oldest part is %s, which was %s, and the head was settled %d times", now[0], oldest, len(values))
	}
	if looked < minutes-2 || looked > 2*minutes {
		t.Errorf("the oldest part was probed %d times in %d minutes", looked, minutes)
	}
}
