package waiters

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"testing"
)

// board is notes that are read by calls on some event loops, and put up through this process and others.
type board struct {
	now     int64
	notes   []int64 // the place of each
	awaited Awaited
	loops   []*readers
	tries   int
}

// readers are the calls of an event loop. They read in two steps: they look, and later their result comes, so that
// something may come between.
type readers struct {
	*board
	table  *Table
	posted []func()
	sent   []*reader // calls that have not looked yet
	looked []*reader // and that have, whose results have not come yet
}

// reader is a call that waits for more than so many notes from a place on.
type reader struct {
	Waiter
	loop    *readers
	from    int64
	more    int
	answer  string // empty while it waits
	sees    Result
	asked   int // how many notes there were when it asked
	hurried bool
}

func newBoard(loops int) *board {
	b := &board{}
	for range loops {
		l := &readers{board: b}
		l.table = NewTable(&b.awaited, func() int64 { return b.now }, func(fn func()) { l.posted = append(l.posted, fn) })
		b.loops = append(b.loops, l)
	}
	return b
}

// Try implements [Call].
func (c *reader) Try() {
	c.loop.tries++
	c.loop.sent = append(c.loop.sent, c)
}

// Over implements [Call].
func (c *reader) Over(answer []byte) { c.answer = "shared " + string(answer) }

func (l *readers) await(from int64, more int, ms int64) *reader {
	c := &reader{loop: l, from: from, more: more, asked: len(l.notes)}
	l.table.Await(&c.Waiter, c, Request{Key: []byte("k"), All: true, Alike: fmt.Append(nil, from, " ", more), For: ms})
	return c
}

// wide is how many places are seen together: whoever looks from one of them on sees all of these.
const wide = 10

// take takes the n-th of some calls.
func take(list *[]*reader, n int) *reader {
	c := (*list)[n]
	*list = append((*list)[:n:n], (*list)[n+1:]...)
	return c
}

// count returns how many notes there are from the call's place on.
func (c *reader) count() (found int) {
	for _, place := range c.loop.notes {
		if place >= c.from {
			found++
		}
	}
	return found
}

// look has a call look that was sent.
func (l *readers) look(n int) {
	c := take(&l.sent, n)
	from := c.from / wide
	seen := []int64{from}
	for _, place := range l.notes {
		if place/wide >= from {
			seen = append(seen, place)
		}
	}
	found := c.count()
	c.sees = Result{Outcome: Nothing, Answer: fmt.Append(nil, found), Sight: Sight{From: from, Mark: maphash.String(seed, fmt.Sprint(seen)) | 1}}
	if found > c.more {
		c.sees.Outcome = Found
	}
	l.looked = append(l.looked, c)
}

// come passes on the result of a call that has looked.
func (l *readers) come(n int) {
	c := take(&l.looked, n)
	if whose := l.table.Tried(&c.Waiter, c.sees); whose != nil {
		whose.call.(*reader).answer = string(c.sees.Answer)
	}
	l.table.GoOn()
}

// settle does everything that needs no time.
func (b *board) settle() {
	for busy := true; busy; {
		busy = false
		for _, l := range b.loops {
			for len(l.sent)+len(l.looked)+len(l.posted) > 0 {
				busy = true
				switch {
				case len(l.posted) > 0:
					fn := l.posted[0]
					l.posted = l.posted[1:]
					fn()
				case len(l.sent) > 0:
					l.look(0)
				default:
					l.come(0)
				}
			}
		}
	}
}

// put puts up a note; through this process if so.
func (b *board) put(place int64, through bool) {
	b.notes = append(b.notes, place)
	if through {
		b.awaited.Fed([]byte("k"))
	}
}

// pass lets ms milliseconds pass, one after another.
func (b *board) pass(ms int) {
	for range ms {
		b.now++
		for _, l := range b.loops {
			l.table.Pass()
		}
		b.settle()
	}
}

// While nothing comes, one call looks at a time, the one that sees most, however many wait; a new one looks once. What is
// new is looked at once for all calls that are alike, and once for each other one.
func TestOneProbesForAll(t *testing.T) {
	b := newBoard(1)
	l := b.loops[0]
	var calls []*reader
	for i := range 100 {
		calls = append(calls, l.await(int64(3-i%4)*wide, 0, 60_000))
	}
	if b.settle(); b.tries != 100 {
		t.Errorf("%d tries of 100 calls", b.tries)
	}
	b.pass(1000)
	b.tries = 0
	if b.pass(10_000); b.tries > 51 || b.tries < 48 {
		t.Errorf("%d tries in ten seconds", b.tries)
	}
	b.tries = 0
	b.put(wide, true)
	if b.settle(); b.tries > 1+100 {
		t.Errorf("%d tries after something was added", b.tries)
	}
	for i, c := range calls {
		if (c.answer != "") != (i%4 > 1) {
			t.Errorf("call %d is answered %q", i, c.answer)
		}
	}
	b.pass(1000)
	if b.tries = 0; true {
		b.pass(2000)
	}
	if b.tries > 11 {
		t.Errorf("%d tries in two seconds", b.tries)
	}
	b.tries = 0
	b.put(3*wide, true)
	if b.settle(); b.tries > 1+2 {
		t.Errorf("%d tries for two kinds of calls", b.tries)
	}
	if l.table.Waiting() > 0 {
		t.Errorf("%d calls wait", l.table.Waiting())
	}
	b.pass(2*mostGap + grid)
	if l.table.Lines()+len(l.table.alarms)+b.awaited.Lines() > 0 {
		t.Error("something is left")
	}
}

// What others add is found by all within 200 ms, whenever that is.
func TestAddedByOthersForAll(t *testing.T) {
	for after := range 450 {
		b := newBoard(1)
		calls := []*reader{b.loops[0].await(2*wide, 0, 60_000), b.loops[0].await(0, 1, 60_000)}
		b.settle()
		b.pass(after)
		calls = append(calls, b.loops[0].await(2*wide+5, 0, 60_000))
		b.put(2*wide+7, false)
		b.put(0, false)
		b.pass(mostGap + grid)
		for i, c := range calls {
			if c.answer == "" {
				t.Fatalf("call %d waits on, %d ms after", i, after)
			}
		}
	}
}

// Whenever something was added, and whatever comes between a look and its result: no call waits on for which there is
// enough, none is answered that there is when there is not, and each that has waited to its end has seen what was there
// when it asked.
func TestAllRandomly(t *testing.T) {
	for seed := range uint64(4000) {
		if wrong := allRandomly(seed); wrong != "" {
			t.Fatalf("seed %d: %s", seed, wrong)
		}
	}
}

func allRandomly(seed uint64) (wrong string) {
	r := rand.New(rand.NewPCG(seed, 11))
	b := newBoard(1 + r.IntN(2))
	var calls []*reader
	through := true // the last note was put through this process
	kinds, most := 1+r.Int64N(3), 1+r.IntN(4)
	for range 20 + r.IntN(100) {
		l := b.loops[r.IntN(len(b.loops))]
		switch r.IntN(9) {
		case 0, 1:
			calls = append(calls, l.await(wide/2*r.Int64N(2*kinds), r.IntN(most), 1+r.Int64N(1500)))
		case 2:
			if r.IntN(2) == 0 {
				through = r.IntN(3) > 0
				b.put(r.Int64N(4*wide), through)
			}
		case 3:
			if len(calls) > 0 {
				c := calls[r.IntN(len(calls))]
				if c.hurried = true; r.IntN(2) == 0 {
					c.loop.table.Hurry(&c.Waiter)
				} else {
					c.loop.table.Drop(&c.Waiter)
				}
			}
		case 4:
			b.now += r.Int64N(40)
			l.table.Pass()
		case 5:
			if len(l.posted) > 0 {
				fn := l.posted[0]
				l.posted = l.posted[1:]
				fn()
			}
		case 6, 7:
			if n := len(l.sent); n > 0 {
				l.look(r.IntN(n))
			}
		default:
			if n := len(l.looked); n > 0 {
				l.come(r.IntN(n))
			}
		}
	}
	b.settle()
	if !through {
		b.pass(mostGap + grid)
	}
	for i, c := range calls {
		found := 0
		fmt.Sscan(c.answer, &found)
		fmt.Sscanf(c.answer, "shared %d", &found)
		before := 0
		for _, place := range b.notes[:c.asked] {
			if place >= c.from {
				before++
			}
		}
		switch {
		case c.answer == "" && c.count() > c.more:
			return fmt.Sprintf("call %d waits on for more than %d from %d on: %v", i, c.more, c.from, b.notes)
		case c.answer != "" && !c.hurried && found < before:
			return fmt.Sprintf("call %d is answered %q, but there were %d when it asked", i, c.answer, before)
		case c.answer == "shared ":
			if !c.hurried {
				return fmt.Sprintf("call %d is told nothing", i)
			}
		}
	}
	for range 4 {
		b.now += 500
		b.pass(1)
	}
	if b.awaited.Lines() > 0 {
		return fmt.Sprintf("%d lines are left", b.awaited.Lines())
	}
	for _, l := range b.loops {
		if l.table.Waiting()+l.table.Lines()+len(l.table.alarms) > 0 {
			return fmt.Sprintf("%d calls, %d lines and %d alarms are left", l.table.Waiting(), l.table.Lines(), len(l.table.alarms))
		}
	}
	return ""
}
