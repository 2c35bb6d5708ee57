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

// oneTripData is the most data, in bytes, that is appended by the operation
// that appends or creates: given more than the upstream takes in one item,
// that operation deletes the item, while the older ones leave it alone. An
// upstream's limit is at least 1 kB, with the key and what memcached adds.
const oneTripData = 512

// appendTo appends data to the item under key. If there is none, it creates
// one with exptime if create is set.
func (c *Call) appendTo(key, data []byte, create bool, exptime int64) outcome {
	if !create {
		return c.appendOnly(key, data)
	}
	if len(data) <= oneTripData && c.env.AppendCreates(key) {
		r := c.ask(Op{Kind: AppendOrCreate, Key: key, Data: data, Exptime: exptime})
		return c.outcome(r, full)
	}
	for range maxTries {
		if r := c.ask(Op{Kind: Append, Key: key, Data: data}); r.Status != NotStored {
			return c.outcome(r, full)
		}
		if r := c.ask(Op{Kind: Add, Key: key, Data: data, Exptime: exptime}); r.Status != NotStored {
			return c.outcome(r, full)
		}
		// There is an item: created meanwhile, in which case appending works,
		// or full.
		if o := c.appendOnly(key, data); o != missing {
			return o
		}
	}
	c.contended(key)
	return failed
}

// appendOnly appends data to the item under key and tells a missing item from
// a full one.
func (c *Call) appendOnly(key, data []byte) outcome {
	r := c.ask(Op{Kind: Append, Key: key, Data: data})
	if r.Status != NotStored {
		return c.outcome(r, full)
	}
	switch r := c.ask(Op{Kind: Probe, Key: key}); r.Status {
	case Hit:
		return full
	case Missing:
		return missing
	default:
		return c.outcome(r, full)
	}
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

func (c *Call) contended(key []byte) {
	c.sayf("SERVER_ERROR %s is changed by others all the time: given up after %d tries; try again", key, maxTries)
}
