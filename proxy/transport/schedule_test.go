package transport

import (
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// What follows each state of a schedule for each event.
func TestSchedule(t *testing.T) {
	t.Parallel()
	states := []schedule{idle, gathering, due, later, full, over}
	for name, event := range map[string]struct {
		to      func(schedule) schedule
		follows []schedule
	}{
		"sent":           {schedule.sent, []schedule{due, due, due, later, full, over}},
		"gathered":       {schedule.gathered, []schedule{gathering, gathering, due, later, full, over}},
		"enough":         {schedule.enough, []schedule{idle, idle, due, later, full, over}},
		"the turn ended": {schedule.turnEnded, []schedule{idle, gathering, due, idle, full, over}},
		"begun":          {schedule.begun, []schedule{idle, gathering, idle, later, full, over}},
		"cut":            {schedule.cut, []schedule{later, gathering, due, later, full, over}},
		"filled":         {schedule.filled, []schedule{full, gathering, due, later, full, over}},
		"emptied":        {schedule.emptied, []schedule{idle, gathering, due, later, idle, over}},
	} {
		for i, state := range states {
			if next := event.to(state); next != event.follows[i] {
				t.Errorf("state %d, %s: state %d follows, expected %d", state, name, next, event.follows[i])
			}
		}
	}
	for _, state := range states {
		if accepts := state != full && state != over; state.accepts() != accepts {
			t.Errorf("state %d: the socket may accept more: %t, expected %t", state, !accepts, accepts)
		}
	}
}

// counted is an owner that counts what it is told.
type counted struct {
	Owner
	wrote, drained int
}

func (o *counted) Wrote(n int) { o.wrote += n }
func (o *counted) Drained()    { o.drained++ }

// newPaired returns a Conn that writes to a socket, of a loop whose turn is to end, and its owner.
func newPaired(t *testing.T, turn int) (*Conn, *counted) {
	near, far, err := connected()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = near.Close(), unix.Close(far) })
	c, o := &Conn{}, &counted{}
	c.Init(&Loop{poller: &poller{}, buffers: &Buffers{}, turn: ending}, int32(turn), o)
	c.fd = far
	return c, o
}

// The list of those that are written at the end of the turn has some twice, and some that have been sent
// since. They are written once, and only if they are to be written then.
func TestListedTwiceIsWrittenOnce(t *testing.T) {
	t.Parallel()
	c, o := newPaired(t, 100)
	for range 2 {
		c.Out.Write([]byte("reply"))
		c.SendLater()
		c.Send()
		c.loop.Flush()
	}
	c.Out.Write([]byte("reply"))
	c.SendLater()
	other, told := newPaired(t, 100)
	other.loop = c.loop
	other.Out.Write([]byte("reply"))
	other.SendLater()
	other.Send()
	other.loop.Flush()
	if o.wrote != 10 || o.drained != 2 || len(c.loop.gathered) != 4 {
		t.Fatalf("%d bytes were written at %d times, %d are listed", o.wrote, o.drained, len(c.loop.gathered))
	}
	c.loop.WriteOn()
	c.loop.Flush()
	if o.wrote != 15 || o.drained != 3 || told.drained != 1 || len(c.loop.gathered) != 0 {
		t.Errorf("%d bytes were written at %d times, those of the other at %d, %d are listed", o.wrote, o.drained, told.drained, len(c.loop.gathered))
	}
}

// Long output is written over several turns, and sending it in between changes nothing.
func TestLongOutputTakesTurns(t *testing.T) {
	t.Parallel()
	c, o := newPaired(t, 100)
	c.Out.Write(make([]byte, 250))
	c.SendLater()
	var after []int
	for range 4 {
		c.loop.WriteOn()
		c.Send()
		c.loop.Flush()
		c.Send()
		c.loop.Flush()
		after = append(after, o.wrote)
	}
	if !slices.Equal(after, []int{100, 200, 250, 250}) || c.schedule != idle {
		t.Errorf("after each turn %v bytes were written, and the schedule is %d", after, c.schedule)
	}
}

// What has been written directly meanwhile need not be written at the end of the turn.
func TestNothingIsLeftAtTheEndOfTheTurn(t *testing.T) {
	t.Parallel()
	c, o := newPaired(t, 100)
	c.Out.Write([]byte("reply"))
	c.SendLater()
	c.Pass([]byte(" and more"))
	c.loop.WriteOn()
	c.loop.Flush()
	if o.wrote != 14 || o.drained != 0 || c.schedule != idle {
		t.Errorf("%d bytes were written, %d times more was; the schedule is %d", o.wrote, o.drained, c.schedule)
	}
}

// However many Conns have output in one turn, little of it waits for the end of the turn, and no Conn is forgotten.
func TestLittleIsGathered(t *testing.T) {
	t.Parallel()
	const conns, size = 5*mostGathered + 1, 12_000
	first, _ := newPaired(t, 1<<20)
	all, l := []*Conn{first}, first.loop
	for len(all) < conns {
		c, _ := newPaired(t, 1<<20)
		c.loop, c.Out.Buffers = l, l.buffers
		all = append(all, c)
	}
	for _, c := range all {
		c.Out.Write(make([]byte, size))
		c.SendLater()
		if l.Flush(); l.buffers.InUse() > mostGathered*OwnBuffer {
			t.Fatalf("%d bytes wait", l.buffers.InUse())
		}
	}
	l.WriteOn()
	l.Flush()
	for _, c := range all {
		if written := c.owner.(*counted).wrote; written != size || c.schedule != idle {
			t.Errorf("%d bytes were written, state %d follows", written, c.schedule)
		}
	}
}
