package locks

import "github.com/memverbs/memverbs/verbs"

// Description says who holds the places of a lock of several holders.
type Description struct {
	Places  []Place // that are held, in the order of their numbers
	Holders int     // the largest number of holders that one of them has asked for
	Bytes   int     // of the items of these places
	TTL     int64   // seconds until the last of them ends, -1 for never
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
			d.add(Place{i + 1, string(held.token)}, held.holders, &r)
		}
	}
	return d, true
}

// add adds a place that is held, given the reply that has read its item.
func (d *Description) add(p Place, holders int, r *verbs.Reply) {
	switch {
	case len(d.Places) == 0 || r.TTL < 0:
		d.TTL = r.TTL
	case d.TTL >= 0:
		d.TTL = max(d.TTL, r.TTL)
	}
	d.Holders = max(d.Holders, holders)
	d.Places = append(d.Places, p)
	d.Bytes += len(r.Data)
}
