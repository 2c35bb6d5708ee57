package verbtest

import "math/rand/v2"

// Chooser makes the decisions of a schedule.
type Chooser interface {
	Pick(n int) int  // returns one of n alternatives, from 0
	Fault(n int) int // returns 0 for no mishap, or one of n mishaps, from 1
}

// AtRandom decides at random by a seed, and records its decisions.
type AtRandom struct {
	*rand.Rand
	Rate  float64 // probability of a mishap
	Taken []int
}

// NewRandom returns a chooser that decides by a seed. rate is the probability of a
// mishap for each operation.
func NewRandom(seed uint64, rate float64) *AtRandom {
	return &AtRandom{Rand: rand.New(rand.NewPCG(seed, 0)), Rate: rate}
}

// Pick implements [Chooser].
func (r *AtRandom) Pick(n int) int {
	if n == 1 {
		return 0
	}
	return r.take(r.IntN(n))
}

// Fault implements [Chooser].
func (r *AtRandom) Fault(n int) int {
	if r.Float64() >= r.Rate {
		return r.take(0)
	}
	return r.take(1 + r.IntN(n))
}

func (r *AtRandom) take(n int) int {
	r.Taken = append(r.Taken, n)
	return n
}

// AsBefore repeats recorded decisions, and then always takes the first alternative.
type AsBefore struct {
	Taken []int
	at    int
}

// Pick implements [Chooser].
func (c *AsBefore) Pick(n int) int {
	if n == 1 {
		return 0
	}
	if c.at++; c.at > len(c.Taken) {
		return 0
	}
	return c.Taken[c.at-1] % n
}

// Fault implements [Chooser].
func (c *AsBefore) Fault(n int) int { return c.Pick(n + 1) }

// Exhaustive takes all possible combinations of decisions, one schedule after another.
type Exhaustive struct {
	Picked, of []int
	at         int
	Faults     int // mishaps allowed in one schedule
	Left       int
}

// Pick implements [Chooser].
func (c *Exhaustive) Pick(n int) int {
	if n == 1 {
		return 0
	}
	if c.at == len(c.Picked) {
		c.Picked, c.of = append(c.Picked, 0), append(c.of, n)
	}
	c.at++
	return c.Picked[c.at-1]
}

// Fault implements [Chooser].
func (c *Exhaustive) Fault(n int) int {
	if c.Left == 0 {
		return 0
	}
	f := c.Pick(n + 1)
	if f > 0 {
		c.Left--
	}
	return f
}

// Next prepares the next schedule. It returns false if there is none.
func (c *Exhaustive) Next() bool {
	last := len(c.Picked) - 1
	for last >= 0 && c.Picked[last]+1 == c.of[last] {
		last--
	}
	if last < 0 {
		return false
	}
	c.Picked, c.of = c.Picked[:last+1], c.of[:last+1]
	c.Picked[last]++
	c.at, c.Left = 0, c.Faults
	return true
}
