package verbs

import "bytes"

// The place in the ring of a chunk that has not begun is still taken by the
// oldest chunk that is kept, in an item that would expire at the very moment
// when an early event is due.

// toShared appends the event to an item that may be one of the last round, and
// sees to it that it lives through this round.
func (p *put) toShared() outcome {
	there := p.renew()
	if there == failed {
		return failed
	}
	o := p.appendEvent(p.item, 0)
	if there == missing && o == stored {
		return p.makeSure()
	}
	return o
}

// makeSure makes sure of an event that was put where no item had been. That item
// may have been made by the put of a late event just before, to expire early;
// it may even have expired since, and the event with it.
func (p *put) makeSure() outcome {
	for range maxTries {
		r := p.ask(p.part(Fetch, p.item))
		switch {
		case r.Status != Hit && r.Status != Missing:
			p.fail(r)
			return failed
		case !bytes.Contains(r.Data, p.buf):
			if o := p.appendEvent(p.item, 0); o != stored {
				return o
			}
		case !p.env.Options().lastRound(r.TTL, p.ttl):
			return stored
		case p.renew() == failed:
			return failed
		}
	}
	p.fail(contended(p.item))
	return failed
}

// renew gives the item the time to live of this round, should it be one of the
// last. It returns stored if there is an item, and missing if there is none.
func (p *put) renew() outcome {
	r := p.ask(p.part(Probe, p.item))
	if r.Status == Hit {
		if !p.env.Options().lastRound(r.TTL, p.ttl) {
			return stored
		}
		p.renewed = true
		r = p.ask(Op{Kind: Touch, Key: p.item, Of: p.key, Exptime: p.exptime})
	}
	switch r.Status {
	case Stored:
		return stored
	case Missing:
		return missing
	}
	p.fail(r)
	return failed
}

// trim drops from an item that was renewed what is no longer kept, so that one
// that is renewed in every round does not grow for ever. It is let go if that
// fails.
func (p *put) trim() {
	r := p.ask(p.part(Fetch, p.item))
	if r.Status != Hit || !r.swappable() {
		return
	}
	kept, ok := keep(r.Data, p.env.Options().oldest(p.now))
	if ok && len(kept) < len(r.Data) {
		swap := p.swap(p.item, kept, r)
		swap.Of = p.key
		p.swapAll([]Op{swap})
	}
}
