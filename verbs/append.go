package verbs

// outcome is what became of an attempt to append.
type outcome uint8

const (
	failed  outcome = iota // the client has been told
	stored                 // appended, or created
	missing                // there is no item, and none was to be created
	full                   // the item would outgrow the upstream's limit
)

// maxTries bounds how often a call tries again after somebody else's change
// got in its way.
const maxTries = 16

const (
	// surelyTaken is how much data, in bytes, fits into an item of any
	// upstream: the smallest limit that memcached can be given is 1 kB.
	surelyTaken = 512
	// itemOverhead is what memcached needs of an item's limit beside key and
	// data, in bytes, and some more.
	itemOverhead = 128
)

// fits reports whether an upstream takes data in an item of the structure under key. If not, the
// operations that append and say more than "not stored" would have memcached
// delete the item, while the older ones leave it alone.
func (c *Call) fits(structure, key, data []byte) bool {
	return fits(c.env, structure, key, len(data))
}

func fits(env Env, structure, key []byte, size int) bool {
	return size <= surelyTaken || len(key)+size+itemOverhead <= env.ItemLimit(structure, key)
}

// Appended reports whether so many bytes of tokens are appended to the set under
// key. What is longer goes into a segment, for which the head is swapped.
func Appended(env Env, key []byte, size int) bool {
	return size <= headLimit(env, key) && fits(env, key, key, size)
}

// part returns an operation on a part of the structure that the call is about.
func (c *Call) part(kind OpKind, key []byte) Op { return Op{Kind: kind, Key: key, Of: c.key} }

// appendTo appends data to an item of the structure that the call is about. If there is none, it creates
// one with exptime if create is set. Where the upstream tells how long the item
// is now, so does size.
func (c *Call) appendTo(key, data []byte, create bool, exptime int64) (o outcome, size int) {
	if create && c.fits(c.key, key, data) && c.env.AppendCreates(c.key) {
		r := c.ask(Op{Kind: AppendOrCreate, Key: key, Of: c.key, Data: data, Exptime: exptime})
		c.grown = r.Grown
		return c.outcome(r, full), r.Size
	}
	for range maxTries {
		if o, size = c.appendOnly(key, data); o != missing || !create {
			return o, size
		}
		if r := c.ask(Op{Kind: Add, Key: key, Of: c.key, Data: data, Exptime: exptime}); r.Status != NotStored {
			c.grown = len(data)
			return c.outcome(r, full), len(data)
		}
	}
	c.fail(contended(key))
	return failed, 0
}

// appendOnly appends data to an item of the structure that the call is about. Where the upstream does not
// tell the size then, it is asked for along with that.
//
// An item that has taken nothing is full if it was there before, and after is
// still the same. One that is there only after may just have been created.
func (c *Call) appendOnly(key, data []byte) (outcome, int) {
	kind := Append
	if c.fits(c.key, key, data) && c.env.AppendCreates(c.key) {
		kind = AppendSized
	}
	var before Reply
	for n := range maxTries {
		c.ops = append(c.ops[:0], Op{Kind: kind, Key: key, Of: c.key, Data: data})
		if kind == Append || n > 0 {
			c.ops = append(c.ops, c.part(Probe, key))
		}
		replies := c.askAll(c.ops)
		r, probe := replies[0], replies[len(replies)-1]
		switch {
		case r.Status != NotStored:
			c.grown = r.Grown
			return c.outcome(r, full), max(r.Size, probe.Size)
		case len(replies) == 1:
		case probe.Status == Missing:
			return missing, 0
		case probe.Status != Hit:
			return c.outcome(probe, full), 0
		case before.Status == Hit && before.CAS == probe.CAS:
			return full, probe.Size
		default:
			before = probe
		}
	}
	c.fail(contended(key))
	return failed, 0
}

// outcome turns the reply to a change into an outcome, notStored for
// NotStored. It tells the client of a failure.
func (c *Call) outcome(r Reply, notStored outcome) outcome {
	switch r.Status {
	case Stored:
		return stored
	case NotStored:
		return notStored
	}
	c.fail(r)
	return failed
}
