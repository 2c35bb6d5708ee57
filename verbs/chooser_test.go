package verbs

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// chooser takes the decisions of a schedule.
type chooser interface {
	pick(n int) int  // one of n ways to go on
	fault(n int) int // 0, or one of n mishaps
}

// atRandom decides by a seed, and remembers what.
type atRandom struct {
	*rand.Rand
	rate  float64 // of mishaps
	taken []int
}

func newRandom(seed uint64, rate float64) *atRandom {
	return &atRandom{Rand: rand.New(rand.NewPCG(seed, 0)), rate: rate}
}

func (r *atRandom) pick(n int) int {
	if n == 1 {
		return 0
	}
	return r.take(r.IntN(n))
}

func (r *atRandom) fault(n int) int {
	if r.Float64() >= r.rate {
		return r.take(0)
	}
	return r.take(1 + r.IntN(n))
}

func (r *atRandom) take(n int) int {
	r.taken = append(r.taken, n)
	return n
}

// asBefore takes decisions that were taken before, and then the first there is.
type asBefore struct {
	taken []int
	at    int
}

func (c *asBefore) pick(n int) int {
	if n == 1 {
		return 0
	}
	if c.at++; c.at > len(c.taken) {
		return 0
	}
	return c.taken[c.at-1] % n
}

func (c *asBefore) fault(n int) int { return c.pick(n + 1) }

// inTurn takes every decision there is, one schedule after another.
type inTurn struct {
	picked, of []int
	at         int
	faults     int // mishaps allowed in one schedule
	left       int
}

func (c *inTurn) pick(n int) int {
	if n == 1 {
		return 0
	}
	if c.at == len(c.picked) {
		c.picked, c.of = append(c.picked, 0), append(c.of, n)
	}
	c.at++
	return c.picked[c.at-1]
}

func (c *inTurn) fault(n int) int {
	if c.left == 0 {
		return 0
	}
	f := c.pick(n + 1)
	if f > 0 {
		c.left--
	}
	return f
}

// next goes on to the next schedule, if there is one.
func (c *inTurn) next() bool {
	last := len(c.picked) - 1
	for last >= 0 && c.picked[last]+1 == c.of[last] {
		last--
	}
	if last < 0 {
		return false
	}
	c.picked, c.of = c.picked[:last+1], c.of[:last+1]
	c.picked[last]++
	c.at, c.left = 0, c.faults
	return true
}

func TestInTurnTakesEveryDecision(t *testing.T) {
	choose := inTurn{faults: 1, left: 1}
	seen := map[string]bool{}
	for more := true; more; more = choose.next() {
		var run []int
		for range 3 {
			run = append(run, choose.pick(2), choose.fault(2))
		}
		seen[fmt.Sprint(run)] = true
	}
	if len(seen) != 8*(1+3*2) {
		t.Errorf("%d schedules", len(seen))
	}
}
