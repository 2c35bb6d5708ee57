package verbs

import "fmt"

// Outcome is what became of an attempt to append.
type Outcome uint8

const (
	Told   Outcome = iota // it has failed, and the client has been told
	Done                  // appended, or created
	Absent                // there is no item, and none was to be created
	Full                  // the item would outgrow the upstream's limit
)

// MaxTries bounds how often a call tries again after somebody else's change
// got in its way.
const MaxTries = 16

const (
	// SurelyTaken is how much data, in bytes, fits into an item of any
	// upstream: the smallest limit that memcached can be given is 1 kB.
	SurelyTaken = 512
	// ItemOverhead is what memcached needs of an item's limit beside key and
	// data, in bytes, and some more.
	ItemOverhead = 128
)

// Fits reports whether an upstream takes data in an item of the structure under key. If not, the
// operations that append and say more than "not stored" would have memcached
// delete the item, while the older ones leave it alone.
func (c *Call) Fits(structure, key, data []byte) bool {
	return Fits(c.Env, structure, key, len(data))
}

// Fits is [Call.Fits] for data of a size, in bytes, outside a call.
func Fits(env Env, structure, key []byte, size int) bool {
	return size <= SurelyTaken || len(key)+size+ItemOverhead <= env.ItemLimit(structure, key)
}

// Part returns an operation on a part of the structure that the call is about.
func (c *Call) Part(kind OpKind, key []byte) Op { return Op{Kind: kind, Key: key, Of: c.Key} }

// AppendTo appends data to an item of the structure that the call is about. If there is none, it creates
// one with exptime if create is set. Where the upstream tells how long the item
// is now, so does size.
func (c *Call) AppendTo(key, data []byte, create bool, exptime int64) (o Outcome, size int) {
	if create && c.Fits(c.Key, key, data) && c.Env.AppendCreates(c.Key) {
		r := c.Ask(Op{Kind: AppendOrCreate, Key: key, Of: c.Key, Data: data, Exptime: exptime})
		c.Grown = r.Grown
		return c.outcome(r, Full), r.Size
	}
	for range MaxTries {
		if o, size = c.appendOnly(key, data); o != Absent || !create {
			return o, size
		}
		if r := c.Ask(Op{Kind: Add, Key: key, Of: c.Key, Data: data, Exptime: exptime}); r.Status != NotStored {
			c.Grown = len(data)
			return c.outcome(r, Full), len(data)
		}
	}
	c.Fail(Contended(key))
	return Told, 0
}

// appendOnly appends data to an item of the structure that the call is about. Where the upstream does not
// tell the size then, it is asked for along with that.
//
// An item that has taken nothing is full if it was there before, and after is
// still the same. One that is there only after may just have been created.
func (c *Call) appendOnly(key, data []byte) (Outcome, int) {
	kind := Append
	if c.Fits(c.Key, key, data) && c.Env.AppendCreates(c.Key) {
		kind = AppendSized
	}
	var before Reply
	for n := range MaxTries {
		c.Ops = append(c.Ops[:0], Op{Kind: kind, Key: key, Of: c.Key, Data: data})
		if kind == Append || n > 0 {
			c.Ops = append(c.Ops, c.Part(Probe, key))
		}
		replies := c.AskAll(c.Ops)
		r, probe := replies[0], replies[len(replies)-1]
		switch {
		case r.Status != NotStored:
			c.Grown = r.Grown
			return c.outcome(r, Full), max(r.Size, probe.Size)
		case len(replies) == 1:
		case probe.Status == Missing:
			return Absent, 0
		case probe.Status != Hit:
			return c.outcome(probe, Full), 0
		case before.Status == Hit && before.CAS == probe.CAS:
			return Full, probe.Size
		default:
			before = probe
		}
	}
	c.Fail(Contended(key))
	return Told, 0
}

// outcome turns the reply to a change into an outcome, notStored for
// NotStored. It tells the client of a failure.
func (c *Call) outcome(r Reply, notStored Outcome) Outcome {
	switch r.Status {
	case Stored:
		return Done
	case NotStored:
		return notStored
	}
	c.Fail(r)
	return Told
}

// Contended is the outcome of what others got in the way of all the time.
func Contended(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s is changed by others all the time: given up after many tries; try again", key)}
}
