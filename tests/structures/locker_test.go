package structures

import (
	"fmt"
	"math/rand/v2"
)

// locker takes a lock with one token after another, holds it on as it likes, and releases
// it, unless it forgets to. Now and then it mistakes the lock for its own.
type locker struct {
	kind   *kind
	random *rand.Rand
	id     int
	rounds int
	holds  bool
}

func newLocker(k *kind, id int, random *rand.Rand) client {
	return &locker{kind: k, id: id, random: random}
}

func (c *locker) choose() action {
	n := c.random.IntN(100)
	switch {
	case n < 15:
		return action{verb: c.kind.verb("get")}
	case n < 20 && c.holds: // it forgets the lock
		c.rounds++
		c.holds = false
		return c.timed("lock")
	case n < 60 && c.holds, n < 18:
		return action{verb: c.kind.verb("unlock"), words: []string{c.token()}}
	case c.holds, n < 21:
		return c.timed("relock")
	}
	return c.timed("lock")
}

func (c *locker) token() string { return fmt.Sprintf("%d.%d", c.id, c.rounds) }

func (c *locker) timed(verb string) action {
	return action{verb: c.kind.verb(verb), words: []string{c.token(), oneOf(c.random, "1", "1", "2")}}
}

func (c *locker) learn(a action, answer string) {
	switch {
	case a.verb.reads:
	case a.verb.name == "unlock":
		c.holds = c.holds && answer == unanswered
		c.rounds += c.random.IntN(2)
	case answer != unanswered:
		c.holds = answer == "STORED"
	}
}
