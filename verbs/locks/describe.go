package locks

import "github.com/memverbs/memverbs/verbs"

// Description says who holds the places of a lock of several holders.
type Description struct {
	Places  []Place // that are held, in the order of their numbers
	Holders int     // the largest number of holders that one of them has asked for

	verbs.Extent // of the items of these places
}

// Place is a place of a lock that is held.
type Place struct {
	Number int // from 1 on
	Token  string
}

// Describe reads all places that the lock under the key of c may have. It returns false if it has answered with an error.
func Describe(c *verbs.Call) (d Description, ok bool) {
	if len(c.Key) > longestName {
		return d, true
	}
	at := call{Call: c}
	ops := make([]verbs.Op, 0, mostHolders)
	for place := 1; place <= mostHolders; place++ {
		ops = append(ops, at.at(place).fetch())
	}
	for i, r := range c.AskAll(ops) {
		if r.Status == verbs.Failed {
			c.Fail(r)
			return d, false
		}
		if held, is := parseItem(r.Data); r.Status == verbs.Hit && is {
			d.Places = append(d.Places, Place{i + 1, string(held.token)})
			d.Holders = max(d.Holders, held.holders)
			d.Add(&r)
		}
	}
	return d, true
}
