package structure

import "testing"

// looper is an event loop whose leaders wait for precedence.
type looper struct {
	posted []func()
	ended  bool
	woken  int
}

func (l *looper) place() *place {
	t := &place{post: func(fn func()) bool {
		if !l.ended {
			l.posted = append(l.posted, fn)
		}
		return !l.ended
	}}
	t.waiter.Wake = func() { l.woken++ }
	return t
}

// run does what is posted. It returns how many leaders were woken so far.
func (l *looper) run() int {
	for _, fn := range l.posted {
		fn()
	}
	l.posted = nil
	return l.woken
}

// Leaders have precedence in the order in which they have asked, and those that only wait until nobody has it go on then.
// A loop that has ended keeps nobody waiting, and a leader that was closed is not woken.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	var all Precedence
	var loops [6]looper
	var places [6]*place
	for i := range loops {
		places[i] = loops[i].place()
	}
	key, other := []byte("k"), []byte("other")
	woken := func(want ...int) {
		t.Helper()
		for i := range loops {
			if n := loops[i].run(); n != want[i] {
				t.Errorf("loop %d was woken %d times, expected %d", i, n, want[i])
			}
		}
	}
	if all.stop(key, places[5]) || all.taken(key) || !all.ask(key, places[0]) || !all.taken(key) || all.taken(other) {
		t.Error("the first has no precedence")
	}
	if all.ask(key, places[1]) || all.ask(key, places[2]) || all.ask(key, places[3]) || !all.stop(key, places[4]) || !all.stop(key, places[5]) {
		t.Error("others don't wait")
	}
	all.leave(key, places[2]) // closed
	loops[1].ended = true
	woken(0, 0, 0, 0, 0, 0)
	all.leave(key, places[0])
	woken(0, 0, 0, 1, 0, 0)
	all.leave(key, places[3])
	all.leave(key, places[4]) // closed, when it is about to be woken
	woken(0, 0, 0, 1, 0, 1)
	if all.taken(key) || all.any.Load() != 0 || len(all.byKey) != 0 || !all.ask(key, places[0]) {
		t.Error("something is left")
	}
}
