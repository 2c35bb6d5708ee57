package verbs

import "fmt"

// MaxTries bounds how often a call retries after conflicting changes by others.
const MaxTries = 16

const (
	// SurelyTaken is how much data, in bytes, fits into an item of any upstream: the
	// smallest size limit that memcached can be configured with is 1 kB.
	SurelyTaken = 512
	// ItemOverhead is an upper bound of what memcached adds to the key and data of an
	// item, in bytes.
	ItemOverhead = 128
)

// Fits reports whether data fits into an item under key, a part of the structure. If it does
// not, only Append and Add are safe: the other operations would make memcached delete the
// item.
func (c *Call) Fits(structure, key, data []byte) bool {
	return Fits(c.Env, structure, key, len(data))
}

// Fits is [Call.Fits] outside a call, for data of a size in bytes.
func Fits(env Env, structure, key []byte, size int) bool {
	return size <= SurelyTaken || len(key)+size+ItemOverhead <= env.ItemLimit(structure, key)
}

// Part returns an operation on a part of the call's structure.
func (c *Call) Part(kind OpKind, key []byte) Op { return Op{Kind: kind, Key: key, Of: c.Key} }

// Creates returns an append to an item of the call's structure that creates the item with
// exptime if there is none. It returns false if the upstream may not do both.
func (c *Call) Creates(key, data []byte, exptime int64) (op Op, ok bool) {
	op = Op{Kind: AppendOrCreate, Key: key, Of: c.Key, Data: data, Exptime: exptime}
	return op, c.Fits(c.Key, key, data) && c.Env.AppendCreates(c.Key)
}

// AppendTo appends data to an item of the call's structure. If there is none and create is set, it creates one with
// exptime. It returns Stored, with Grown, and with Size if the upstream returns it; NotStored if the item would exceed
// the upstream's size limit; Missing if there is no item and create is not set; or Failed. refused says that an
// [AppendOrCreate] or, without create, an [AppendSized] was answered with NotStored just now, so that AppendTo need not
// begin with it.
func (c *Call) AppendTo(key, data []byte, create bool, exptime int64, refused bool) Reply {
	if op, ok := c.Creates(key, data, exptime); ok && create {
		if refused {
			return Reply{Status: NotStored}
		}
		return c.Ask(op)
	}
	for range MaxTries {
		r := c.AppendOnly(key, data, refused)
		if r.Status != Missing || !create {
			return r
		}
		if r = c.Ask(Op{Kind: Add, Key: key, Of: c.Key, Data: data, Exptime: exptime}); r.Status != NotStored {
			r.Grown, r.Size = len(data), len(data)
			return r
		}
	}
	return Contended(c.Shown(key))
}

// TouchAndAppend is AppendTo with create, but if there is an item, it first sets its exptime again: in the
// same round trip if the upstream can append or create.
func (c *Call) TouchAndAppend(key, data []byte, exptime int64) Reply {
	touch := Op{Kind: Touch, Key: key, Of: c.Key, Exptime: exptime}
	if op, ok := c.Creates(key, data, exptime); ok {
		c.Ops = append(c.Ops[:0], touch, op)
		replies := c.AskAll(c.Ops)
		if touched := replies[0]; !touched.touched() {
			return Reply{Err: touched.Err}
		}
		return replies[1]
	}
	if touched := c.Ask(touch); !touched.touched() {
		return Reply{Err: touched.Err}
	}
	return c.AppendTo(key, data, true, exptime, false)
}

// touched reports whether r is the reply to a touch that has not failed.
func (r *Reply) touched() bool { return r.Status == Stored || r.Status == Missing }

// AppendOnly appends data to an existing item of the call's structure. If the append does not
// return the item's size, a probe in the same round trip does. It returns Stored, NotStored if the
// item is full, Missing, or Failed.
//
// If nothing was appended, the item counts as full only if two probes in a row have
// found the same CAS. An item that only one probe has found may have been created after
// the append.
//
// refused says that an [AppendSized] was answered with NotStored just now.
func (c *Call) AppendOnly(key, data []byte, refused bool) Reply {
	kind := Append
	if c.Fits(c.Key, key, data) && c.Env.AppendCreates(c.Key) {
		kind = AppendSized
	}
	var before Reply
	for n := range MaxTries {
		c.Ops = append(c.Ops[:0], Op{Kind: kind, Key: key, Of: c.Key, Data: data})
		if kind == Append || n > 0 || refused {
			c.Ops = append(c.Ops, c.Part(Probe, key))
		}
		replies := c.AskAll(c.Ops)
		r, probe := replies[0], replies[len(replies)-1]
		switch {
		case r.Status != NotStored:
			r.Size = max(r.Size, probe.Size)
			return r
		case len(replies) == 1:
		case probe.Status != Hit:
			return probe
		case before.Status == Hit && before.CAS == probe.CAS:
			r.Size = probe.Size
			return r
		default:
			before = probe
		}
	}
	return Contended(c.Shown(key))
}

// Contended is the outcome of a change that changes by others have prevented at every try.
func Contended(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s is changed by others all the time: given up after many tries; try again", key)}
}
