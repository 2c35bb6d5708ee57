package eventlogs

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// The place in the ring of a chunk that has not begun is still taken by the
// oldest chunk that is kept, in an item that would expire at the very moment
// when an early event is due.

// toShared appends the event to an item that may be one of the last round, and
// sees to it that it lives through this round.
func (p *put) toShared() verbs.Outcome {
	there := p.renew()
	if there == verbs.Told {
		return verbs.Told
	}
	o := p.appendEvent(p.item, 0)
	if there == verbs.Absent && o == verbs.Done {
		return p.makeSure()
	}
	return o
}

// makeSure makes sure of an event that was put where no item had been. That item
// may have been made by the put of a late event just before, to expire early;
// it may even have expired since, and the event with it.
func (p *put) makeSure() verbs.Outcome {
	for range verbs.MaxTries {
		r := p.Ask(p.Part(verbs.Fetch, p.item))
		switch {
		case r.Status != verbs.Hit && r.Status != verbs.Missing:
			p.Fail(r)
			return verbs.Told
		case !bytes.Contains(r.Data, p.Buf):
			if o := p.appendEvent(p.item, 0); o != verbs.Done {
				return o
			}
		case !ringOf(p.Env).lastRound(r.TTL, p.ttl):
			return verbs.Done
		case p.renew() == verbs.Told:
			return verbs.Told
		}
	}
	p.Fail(verbs.Contended(p.item))
	return verbs.Told
}

// renew gives the item the time to live of this round, should it be one of the
// last. It returns Done if there is an item, and Absent if there is none.
func (p *put) renew() verbs.Outcome {
	r := p.Ask(p.Part(verbs.Probe, p.item))
	if r.Status == verbs.Hit {
		if !ringOf(p.Env).lastRound(r.TTL, p.ttl) {
			return verbs.Done
		}
		p.renewed = true
		r = p.Ask(verbs.Op{Kind: verbs.Touch, Key: p.item, Of: p.Key, Exptime: p.exptime})
	}
	switch r.Status {
	case verbs.Stored:
		return verbs.Done
	case verbs.Missing:
		return verbs.Absent
	}
	p.Fail(r)
	return verbs.Told
}

// trim drops from an item that was renewed what is no longer kept, so that one
// that is renewed in every round does not grow for ever. It is let go if that
// fails.
func (p *put) trim() {
	r := p.Ask(p.Part(verbs.Fetch, p.item))
	if r.Status != verbs.Hit || !r.Swappable() {
		return
	}
	kept, ok := keep(r.Data, ringOf(p.Env).oldest(p.now))
	if ok && len(kept) < len(r.Data) {
		swap := p.Swap(p.item, kept, r)
		swap.Of = p.Key
		p.SwapAll([]verbs.Op{swap})
	}
}
