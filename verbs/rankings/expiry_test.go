package rankings

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// An increment is undone at its time, however the log is read: as a whole, extended, or by
// nothing.
func TestIncrementsAreUndone(t *testing.T) {
	log := "z=5:a z~3@1700000002:a z~7@1700000004:b z~1@1700000002:c z-c z~1@1700000006:c "
	var view Ranking
	read(t, &view, log, begun)
	for now := int64(begun); now < begun+20_000; now += 500 {
		want := plain{}.apply(log, now).at(now)
		until := view.Until()
		if !view.Extend([]byte(log), now) || !slices.Equal(view.all(), want) {
			t.Fatalf("at %d: %q, expected %q", now, view.all(), want)
		}
		view.sound(t)
		var whole Ranking
		read(t, &whole, log, now)
		if !slices.Equal(whole.all(), want) || whole.Dead() != view.Dead() {
			t.Fatalf("at %d: %q, expected %q; %d and %d dead tokens", now, whole.all(), want, whole.Dead(), view.Dead())
		}
		if now >= until && whole.Until() == until {
			t.Fatalf("at %d it is to change at %d", now, until)
		}
	}
	if view.Dead() != view.tokens-1 {
		t.Errorf("%d of %d tokens are dead", view.Dead(), view.tokens)
	}
}

// If the clock is put back before something has expired, the log has to be folded again.
func TestClockPutBack(t *testing.T) {
	log := []byte("z~3@1700000002:a ")
	for _, test := range []struct {
		now int64
		ok  bool
	}{{begun + 4000, true}, {begun + 2000, true}, {begun + 1999, false}} {
		var r Ranking
		read(t, &r, string(log), begun)
		if !r.Extend(log, begun+5000) || r.Live() != 0 || r.Extend(log, test.now) != test.ok {
			t.Errorf("at %d: %q", test.now, r.all())
		}
	}
}

// So many increments that expire at once that others would have to wait are not undone at once.
func TestManyExpirePaced(t *testing.T) {
	var log []byte
	for i := range verbs.SliceTokens + 1 {
		log = fmt.Appendf(log, "z~1@1700000002:%d ", i)
	}
	var r Ranking
	read(t, &r, string(log), begun)
	if r.Live() != verbs.SliceTokens+1 || r.Extend(log, begun+5000) {
		t.Error("it was extended")
	}
	pauses := 0
	if !r.Read(&verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}, log, begun+5000) || pauses == 0 || r.Live() != 0 {
		t.Errorf("%d members, %d pauses", r.Live(), pauses)
	}
}

// Nor is it extended when many have expired for everybody, however few at a time had for itself.
func TestManyLeave(t *testing.T) {
	var log []byte
	for i := range verbs.SliceTokens {
		log = fmt.Appendf(log, "z~1@1700000002:%d ", i)
	}
	log = fmt.Append(log, "z~1@1700000003:last ")
	var r Ranking
	read(t, &r, string(log), begun)
	for _, after := range []int64{2500, 3500} {
		if !r.Extend(log, begun+after) {
			t.Fatalf("it is not extended after %d ms", after)
		}
	}
	if r.Live() != 0 || r.Extend(log, begun+15_000) {
		t.Errorf("it was extended, and has %d members", r.Live())
	}
}

// Increments that expire together are undone together: to sort each would take too long. So it is
// however long they last.
func TestIncrementsOfOneTimeAreTogether(t *testing.T) {
	for _, step := range []int64{1, 2, 64, 1024, 1 << 20} {
		var log []byte
		const times, members = 100, 20
		for i := range times * members {
			log = fmt.Appendf(log, "z~1@%d:%d ", begun/1000+step*(1+int64(i%times)), i)
		}
		var r Ranking
		read(t, &r, string(log), begun)
		if n := len(r.pending); n < times || n > 4*times {
			t.Errorf("%d increments of %d times, %d seconds apart, expire at %d", times*members, times, step, n)
		}
		for i := range int64(times) {
			if !r.Extend(log, begun+1000*step*(1+i)) || r.Live() != members*(times-1-int(i)) {
				t.Fatalf("%d seconds apart: %d members after %d times", step, r.Live(), 1+i)
			}
			r.sound(t)
		}
	}
}
