package waiters

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// process is some event loops whose calls wait for one list, and another process that pushes to it too.
type process struct {
	t       *testing.T
	now     int64
	list    []string
	awaited Awaited
	loops   []*loop
	tries   int
	moments int    // how often something happened so far
	empty   int    // when the list was last empty
	wrong   string // what was wrong first
}

type loop struct {
	*process
	table  *Table
	posted []func()
	making []*taker // whose calls are being made
}

// taker is a call that takes the first element of the list.
type taker struct {
	Waiter
	loop    *loop
	name    string
	asked   int    // when it asked
	answer  string // empty while it waits
	hurried bool
}

func newProcess(t *testing.T, loops int) *process {
	p := &process{t: t}
	for range loops {
		l := &loop{process: p}
		l.table = NewTable(&p.awaited, func() int64 { return p.now }, func(fn func()) { l.posted = append(l.posted, fn) })
		p.loops = append(p.loops, l)
	}
	return p
}

// Try implements [Call].
func (c *taker) Try() {
	c.loop.process.tries++
	c.loop.making = append(c.loop.making, c)
}

// Over implements [Call].
func (c *taker) Over(nothing []byte) {
	c.answer = "over " + string(nothing)
	if p := c.loop.process; len(p.list) > 0 && p.empty < c.asked && !c.hurried && p.wrong == "" {
		p.wrong = fmt.Sprintf("%s is told that there is nothing, though there was %q all the time", c.name, p.list)
	}
}

// happens notes that something has happened.
func (p *process) happens() {
	if p.moments++; len(p.list) == 0 {
		p.empty = p.moments
	}
}

// await begins a call.
func (l *loop) await(name string, ms int64) *taker {
	l.happens()
	c := &taker{loop: l, name: name, asked: l.moments}
	l.table.Await(&c.Waiter, c, Request{Key: []byte("k"), For: ms})
	return c
}

// carryOut carries out the first of the calls that are being made.
func (l *loop) carryOut() {
	c := l.making[0]
	l.making = l.making[1:]
	answer, how := "nothing", Nothing
	if len(l.list) > 0 {
		answer, l.list, how = l.list[0], l.list[1:], Found
	}
	l.happens()
	if whose := l.table.Tried(&c.Waiter, Result{Outcome: how, Answer: []byte(answer)}); whose != nil {
		whose.call.(*taker).answer = answer
	}
	l.table.GoOn()
}

// settle carries out everything that needs no time.
func (p *process) settle() {
	for busy := true; busy; {
		busy = false
		for _, l := range p.loops {
			for len(l.making)+len(l.posted) > 0 {
				busy = true
				if len(l.posted) > 0 {
					fn := l.posted[0]
					l.posted = l.posted[1:]
					fn()
				} else {
					l.carryOut()
				}
			}
		}
	}
}

// push adds elements through this process.
func (p *process) push(elements ...string) {
	p.list = append(p.list, elements...)
	p.awaited.Fed([]byte("k"))
}

// pass lets ms milliseconds pass, one after another.
func (p *process) pass(ms int) {
	for range ms {
		p.now++
		for _, l := range p.loops {
			l.table.Pass()
		}
		p.settle()
	}
}

func (p *process) expect(c *taker, want string) {
	p.t.Helper()
	if c.answer != want {
		p.t.Errorf("%s: answered %q, not %q", c.name, c.answer, want)
	}
}

// Who asks first is served first; nobody is served twice, and nobody of those for whom there is nothing.
func TestInOrder(t *testing.T) {
	p := newProcess(t, 1)
	var calls []*taker
	for i := range 20 {
		calls = append(calls, p.loops[0].await(fmt.Sprint("call ", i), 10_000))
	}
	p.settle()
	if p.tries != 1 {
		t.Errorf("%d tries, though the first has found nothing", p.tries)
	}
	var elements []string
	for i := range 15 {
		elements = append(elements, fmt.Sprint("element ", i))
	}
	p.push(elements...)
	p.settle()
	for i, c := range calls {
		want := ""
		if i < len(elements) {
			want = elements[i]
		}
		p.expect(c, want)
	}
	if p.tries > 1+20 {
		t.Errorf("%d tries of 20 calls", p.tries)
	}
}

// While nothing comes, one call tries, 10 ms after the first time and then less often: 5 times a second in the long run,
// however many calls wait, and though others come and go.
func TestTriesRarely(t *testing.T) {
	p := newProcess(t, 1)
	for range 50 {
		p.loops[0].await("call", 60_000)
	}
	p.settle()
	p.pass(1000)
	if first := p.tries; first < 6 || first > 10 {
		t.Errorf("%d tries in the first second", first)
	}
	for range 100 { // a worker that waits for a tenth of a second again and again
		p.loops[0].await("worker", 100)
		p.pass(100)
	}
	if later := p.tries; later > 10+55+100 {
		t.Errorf("%d tries in eleven seconds, and 100 last ones of calls", later)
	}
	before := p.tries
	p.pass(10_000)
	if n := p.tries - before; n < 48 || n > 51 {
		t.Errorf("%d tries in ten seconds", n)
	}
}

// A line outlives its last call for a moment, so that a worker that waits shortly, again and again, does not ask more
// often than each call does once.
func TestOneWorkerThatWaitsShortly(t *testing.T) {
	p := newProcess(t, 1)
	for range 100 {
		c := p.loops[0].await("worker", 50)
		p.settle()
		p.pass(50)
		p.expect(c, "over nothing")
	}
	if p.tries > 100+5*5+10 {
		t.Errorf("%d tries in five seconds by 100 calls", p.tries)
	}
}

// What others push is found within 200 ms, whenever that is.
func TestPushedByOthers(t *testing.T) {
	for after := range 500 {
		p := newProcess(t, 1)
		c := p.loops[0].await("call", 60_000)
		p.settle()
		p.pass(after)
		p.list = []string{"a"}
		p.pass(mostGap + grid)
		p.expect(c, "a")
	}
}

// A push wakes calls on all loops, and each element goes to one of them.
func TestWakesAllLoops(t *testing.T) {
	p := newProcess(t, 3)
	var calls []*taker
	for _, l := range p.loops {
		calls = append(calls, l.await("call", 10_000))
	}
	p.settle()
	p.push("a", "b", "c")
	p.settle()
	for _, c := range calls {
		if c.answer == "" {
			t.Error("a call waits on")
		}
	}
	if p.push("d"); len(p.loops[0].posted) != 1 {
		t.Errorf("%d calls of a loop", len(p.loops[0].posted))
	}
	if p.push("e"); len(p.loops[0].posted) != 1 {
		t.Errorf("%d calls of a loop that has not heard of the first", len(p.loops[0].posted))
	}
}

// A call whose time is over is answered like the last that found nothing, unless that was before it asked: then it tries
// once more. Nothing is left behind.
func TestTimeIsOver(t *testing.T) {
	p := newProcess(t, 1)
	first := p.loops[0].await("first", 1000)
	p.settle()
	short := p.loops[0].await("short", 3)
	p.pass(5)
	p.expect(short, "over nothing")
	p.pass(1000)
	p.expect(first, "over nothing")
	taken := p.loops[0].await("taken", 1)
	p.list = []string{"a"}
	p.settle()
	p.expect(taken, "a")
	p.pass(mostGap + grid)
	if table := p.loops[0].table; table.Lines() != 0 || table.Waiting() != 0 || len(table.alarms) != 0 || p.awaited.Lines() != 0 || len(p.awaited.lines) != 0 {
		t.Errorf("%d lines, %d calls, %d alarms and %d awaited are left", table.Lines(), table.Waiting(), len(table.alarms), p.awaited.Lines())
	}
}

// Whoever is hurried takes nothing more, unless its call is being made.
func TestHurried(t *testing.T) {
	p := newProcess(t, 1)
	l := p.loops[0]
	calls := []*taker{l.await("made", 1000), l.await("waiting", 1000), l.await("next", 1000)}
	l.table.Hurry(&calls[0].Waiter)
	l.table.Hurry(&calls[1].Waiter)
	p.list = []string{"a"}
	p.settle()
	p.expect(calls[0], "a")
	p.expect(calls[1], "over ")
	p.expect(calls[2], "")
	l.table.HurryAll()
	p.settle()
	if calls[2].answer == "" {
		t.Error("a call waits on")
	}
}

// At any time, if something was added through the process and nothing else can happen without time passing, no call
// waits while there is an element. Calls on a loop are served in their order; each element is delivered once; and no call
// is told that there is nothing if there was something all the time.
func TestRandomly(t *testing.T) {
	for seed := range uint64(4000) {
		if wrong := randomly(t, seed); wrong != "" {
			t.Fatalf("seed %d: %s", seed, wrong)
		}
	}
}

// randomly runs a random history and returns what is wrong with it.
func randomly(t *testing.T, seed uint64) (wrong string) {
	r := rand.New(rand.NewPCG(seed, 7))
	p := newProcess(t, 1+r.IntN(3))
	calls := map[*loop][]*taker{}
	pushed, told := 0, true // told says that all that was pushed was followed by a push through the process
	for range 60 {
		l := p.loops[r.IntN(len(p.loops))]
		switch r.IntN(8) {
		case 0, 1:
			calls[l] = append(calls[l], l.await(fmt.Sprint("call ", len(calls[l])), 1+r.Int64N(300)))
		case 2:
			for range 1 + r.IntN(3) {
				p.list = append(p.list, fmt.Sprint(pushed))
				pushed++
			}
			if told = r.IntN(3) > 0; told {
				p.awaited.Fed([]byte("k"))
			}
		case 3:
			if len(calls[l]) > 0 {
				c := calls[l][r.IntN(len(calls[l]))]
				c.hurried = true
				l.table.Hurry(&c.Waiter)
			}
		case 4:
			p.now += r.Int64N(50)
			l.table.Pass()
		case 5:
			if len(l.posted) > 0 {
				fn := l.posted[0]
				l.posted = l.posted[1:]
				fn()
			}
		default:
			if len(l.making) > 0 {
				l.carryOut()
			}
		}
	}
	p.settle()
	if waiting := slices.ContainsFunc(p.loops, func(l *loop) bool { return l.table.Waiting() > 0 }); told && waiting && len(p.list) > 0 {
		return fmt.Sprintf("a call has not heard of %q", p.list)
	}
	p.push(fmt.Sprint(pushed))
	pushed++
	p.settle()
	if p.wrong != "" {
		return p.wrong
	}
	var got []string
	for l, all := range calls {
		waits, before := false, -1
		for _, c := range all {
			n := -1
			if _, err := fmt.Sscan(c.answer, &n); err == nil {
				got = append(got, c.answer)
			}
			switch {
			case c.answer == "":
				waits = true
			case n >= 0 && len(p.loops) == 1 && n < before:
				return fmt.Sprintf("%s got %d after another got %d", c.name, n, before)
			case n >= 0:
				before = n
			}
		}
		if waits && len(p.list) > 0 {
			return fmt.Sprintf("a call waits, and there are %q", p.list)
		}
		if l.table.Waiting() > 0 != waits {
			return fmt.Sprintf("%d calls wait", l.table.Waiting())
		}
	}
	got = append(got, p.list...)
	slices.Sort(got)
	if len(slices.Compact(got)) != pushed || len(got) != pushed {
		return fmt.Sprintf("%d elements were pushed, and are now %s", pushed, strings.Join(got, " "))
	}
	p.pass(600)
	for _, l := range p.loops {
		if l.table.Waiting()+l.table.Lines()+len(l.table.alarms)+p.awaited.Lines() > 0 {
			return fmt.Sprintf("%d calls, %d lines and %d alarms are left", l.table.Waiting(), l.table.Lines(), len(l.table.alarms))
		}
	}
	return ""
}
