package rankings

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// eager returns a world that keeps a view of the ranking k.
func eager(t *testing.T) *verbtest.World {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	return w
}

// A view of a ranking that is unchanged in memcached still undoes what expires, and asks for no
// more than a probe.
func TestViewUndoes(t *testing.T) {
	w := eager(t)
	w.Expect("zadd k 1 a", "STORED")
	w.Expect("zincrbyp k 5 a 7 b 2", "6 7")
	w.Expect("zcard k", "2")
	fold := w.Kept.Fold("k")
	for _, want := range []string{"6 7", "6 7", "1 null", "1 null"} {
		w.Expect("zget k a b", want)
		w.Cost(1)
		w.Clock += 1000
	}
	if w.Kept.Fold("k") != fold {
		t.Error("the log was folded again")
	}
}

// A call that decides brings the view up to the time, too.
func TestDecisionOnViewUndoes(t *testing.T) {
	w := eager(t)
	w.Expect("zincrbyp k 5 a 2", "5")
	w.Expect("zincrby k 1 a", "6")
	w.Cost(1 + 1)
	w.Clock += 3000
	w.Expect("zincrby k 1 a", "2")
	w.Cost(1)
}

// So does one that first has the parts of the ranking read, so that they are not evicted.
func TestDecisionAfterProbeUndoes(t *testing.T) {
	w := eager(t)
	w.Settings.StructureItemSize = 200
	for i := range 100 {
		w.Expect(fmt.Sprintf("zadd k 1 m%d", i), "STORED")
	}
	w.Expect("zincrbyp k 5 a 30", "5")
	w.Expect("zcard k", "101")
	if fold := w.Kept.Fold("k"); fold == nil || fold.Live() != 101 {
		t.Fatal("there is no view")
	}
	w.Clock += views.PartsLast + 1000
	w.Expect("zincrby k 1 a", "1")
}

// If a view that is due is in use, the other call does not see it change, and this one does not
// see what has expired.
func TestViewInUseIsNotChanged(t *testing.T) {
	w := eager(t)
	var pairs strings.Builder
	for i := range 50 {
		fmt.Fprintf(&pairs, " %d m%d", i, i)
	}
	w.Expect("zincrbyp k"+pairs.String()+" 2 noreply", "STORED")
	w.Expect("zadd k 1 a", "STORED")
	w.Expect("zcard k", "51")
	other := verbtest.NewCaller(t, w, theVerbs)
	other.Routine.Inside().Pace.Slice = 5
	other.Start("zrank k m49")
	carryOut := func(op verbs.Op) verbs.Reply { return w.Do(t, op) }
	for range 4 { // in the middle of it
		other.CarryOut(0, carryOut)
	}
	if !other.Busy() {
		t.Fatal("it does not pause")
	}
	w.Clock += 3000
	w.Expect("zcard k", "1")
	for other.Busy() {
		other.CarryOut(0, carryOut)
	}
	if other.Answer != "50\r\n" {
		t.Errorf("the other answered %q", other.Answer)
	}
	w.Expect("zrevrange k 0 -1 withscores", "VALUE k 0 3", "a 1", "END")
}

// If so much has expired that others would have to wait, the log is read again.
func TestViewOfMuchThatExpires(t *testing.T) {
	w := eager(t)
	var log strings.Builder
	for i := range verbs.SliceTokens + 10 {
		fmt.Fprintf(&log, "z~1@1700000002:%d ", i)
	}
	w.Put("k", log.String()+"z=1:a ", 0, 0)
	w.Expect("zcard k", fmt.Sprint(verbs.SliceTokens+11))
	w.Clock += 3000
	w.Expect("zcard k", "1")
	w.Expect("zincrby k 1 a", "2")
}

// crowd is calls that read the same large ranking at once, whose score of m7 is 7.
type crowd struct {
	w      *verbtest.World
	all    []*verbtest.Caller
	pauses int
}

func newCrowd(t *testing.T, n int) *crowd {
	c := &crowd{w: eager(t)}
	var log strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&log, "z=%d:m%d ", i, i)
	}
	c.w.Put("k", log.String(), 0, 0)
	for range n {
		caller := verbtest.NewCaller(t, c.w, theVerbs)
		pace := &caller.Routine.Inside().Pace
		pause := pace.Pause
		pace.Slice, pace.Pause = 20, func() { c.pauses++; pause() }
		caller.Start("zget k m7")
		c.all = append(c.all, caller)
	}
	return c
}

// goOn carries out an operation of each call that does not wait for another one, and reports
// whether there was any.
func (c *crowd) goOn() (some bool) {
	for _, caller := range c.all {
		if caller.Busy() && !caller.Waits() {
			caller.CarryOut(0, func(op verbs.Op) verbs.Reply { return c.w.Do(c.w.T, op) })
			some = true
		}
	}
	return some
}

func (c *crowd) finish() {
	for c.goOn() {
	}
	for _, caller := range c.all {
		if caller.Answer != "7\r\n" {
			c.w.T.Errorf("answered %q", caller.Answer)
		}
	}
}

// Of many calls that read the same large ranking at once, one folds it for all. Otherwise the
// first would be answered as late as the last.
func TestOneFoldsForAll(t *testing.T) {
	one, many := newCrowd(t, 1), newCrowd(t, 20)
	one.finish()
	many.finish()
	if one.pauses == 0 || many.pauses > 5*one.pauses { // each of them counts tokens
		t.Errorf("20 calls at once pause %d times, and one %d times", many.pauses, one.pauses)
	}
}

// If the call that folds for all is given up, others do it.
func TestOneThatFoldsForAllIsClosed(t *testing.T) {
	c := newCrowd(t, 5)
	for !c.all[1].Waits() {
		c.goOn()
	}
	c.all[0].Routine.Close()
	c.all = c.all[1:]
	c.finish()
}

// Calls that wait for the one that folds may be given up too.
func TestOnesThatWaitForFoldAreClosed(t *testing.T) {
	c := newCrowd(t, 5)
	for !c.all[1].Waits() {
		c.goOn()
	}
	c.all[1].Routine.Close()
	c.all = append(c.all[:1], c.all[2:]...)
	c.finish()
}

// A view follows a ranking whose head is settled, though some of the increments could be added up: while
// that would save little, they are kept as they are. Nor is it lost to calls that decide on it together
// after their own proxy has settled the head.
func TestViewFollowsSettlingOfIncrements(t *testing.T) {
	w := eager(t)
	w.Settings.StructureItemSize = 600
	const members = 2000
	for i := range members {
		w.Expect(fmt.Sprintf("zadd k 1 m%d", i), "STORED")
	}
	w.Expect("zcard k", fmt.Sprint(members))
	var callers []*verbtest.Caller
	for range 3 {
		callers = append(callers, verbtest.NewCaller(t, w, theVerbs))
	}
	calls, settled, read := 0, 0, 0
	fold, parts := w.Kept.Fold("k"), ""
	const all = 1200
	for busy := true; busy; {
		busy = calls < all
		for _, c := range callers { // without a pause, so that some always wait
			if !c.Busy() && calls < all {
				member := calls * 7 % members
				if calls%8 == 0 {
					member = 0
				}
				c.Start(fmt.Sprintf("zincrby k 1 m%d", member))
				calls++
			}
			if c.Busy() && !c.Waits() {
				c.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
			}
			busy = busy || c.Busy()
		}
		w.Decisions().EndTurn(w)
		keys, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
		if now := fmt.Sprint(keys); now != parts {
			parts = now
			settled++
		}
		if now := w.Kept.Fold("k"); now != nil && now != fold { // nil while calls decide
			fold = now
			read++
		}
	}
	if settled < 20 || read > settled/5 {
		t.Errorf("the head was settled %d times, and the ranking was folded %d times", settled, read)
	}
	if got, sum := sumOf(w), members+calls; got != sum {
		t.Errorf("the scores come to %d, expected %d", got, sum)
	}
}

// sumOf returns the sum of the scores of k.
func sumOf(w *verbtest.World) (sum int) {
	_, line, _ := strings.Cut(w.Send("zrange k 0 -1 withscores"), "\r\n")
	line, _, _ = strings.Cut(line, "\r\n")
	for i, word := range strings.Fields(line) {
		if i%2 == 1 { // after its member
			n, err := strconv.Atoi(word)
			if err != nil {
				w.T.Fatal(err)
			}
			sum += n
		}
	}
	return sum
}
