package lists

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A list is still one if its large segments are found to cancel each other while what follows them
// is settled away.
func TestListMergedToNothingIsStillAList(t *testing.T) {
	w, other := verbtest.NewWorld(t, theVerbs), verbtest.NewWorld(t, theVerbs)
	other.Model, other.Chance = w.Model, rand.NewPCG(3, 4).Uint64
	for _, world := range []*verbtest.World{w, other} {
		world.Settings.StructureItemSize, world.Settings.LongSegment = 12, 16
	}
	head := ""
	for _, s := range []struct{ id, log string }{
		{"AAAAAAAAAAAAAAAA", "l>aaaaaaaaaaaaaa "}, {"BBBBBBBBBBBBBBBB", "l(aaaaaaaaaaaaaa "}, {"CCCCCCCCCCCCCCCC", "l<b "},
	} {
		w.Put("k:"+s.id+".0", s.log, 0, 0)
		head += fmt.Sprintf("@%s:1:%d:l ", s.id, len(s.log))
	}
	w.Put("k", head, 0, 0)
	merging, raced := false, false
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if merging && op.Kind == verbs.Fetch && string(op.Key) == "k" { // to commit the merge
			w.Instead, raced = nil, true
			other.Expect("lpop k", "VALUE k 0 1", "b", "END")
			other.Expect("rpop k", "VALUE k 0 1", "y", "END")
		}
		merging = merging || op.Kind == verbs.Add && string(op.Key) == "k:@merge"
		return verbs.Reply{}, false
	}
	w.Expect("rpush k y", "STORED")
	if !raced {
		t.Error("nothing was merged")
	}
	w.Expect("lrange k", "VALUE k 0 0", "", "END")
	w.Expect("llen k", "0")
}
