package structures

import (
	"math/rand/v2"
	"slices"
)

// anybody is a client that does anything.
type anybody struct {
	kind   *kind
	random *rand.Rand
}

func newAnybody(k *kind, _ int, random *rand.Rand) client { return &anybody{k, random} }

func (c *anybody) choose() action {
	a := action{verb: c.chooseVerb()}
	if a.verb.words != nil {
		a.words = a.verb.words(c.random)
	}
	return a
}

func (c *anybody) chooseVerb() *verb {
	all := 0
	for _, v := range c.kind.verbs {
		all += v.share
	}
	n := c.random.IntN(all)
	i := slices.IndexFunc(c.kind.verbs, func(v *verb) bool { n -= v.share; return n < 0 })
	return c.kind.verbs[i]
}

func (c *anybody) learn(action, string) {}

// upTo returns a function that makes up one to most names.
func upTo(most int) func(*rand.Rand) []string {
	return func(random *rand.Rand) (list []string) {
		for range 1 + random.IntN(most) {
			list = append(list, oneOf(random, names...))
		}
		return list
	}
}

func oneOf[T any](random *rand.Rand, list ...T) T { return list[random.IntN(len(list))] }
