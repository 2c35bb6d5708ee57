package eventlogs

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// An early event has a time in a chunk that has not begun. The item of that chunk is
// still used by the oldest chunk that is kept, and would expire just when the new chunk
// begins. So the item has to live on for another round.
//
// An item can also outlive its round: memcached counts its time to live from when it carries out
// the append that creates it, and after a stall that may be long after that was sent. So the first
// event that an event loop puts into an item in each round is followed by a look at how long that
// item lives.

// seen reports whether this event loop has looked at the item in this round.
func (p *put) seen() bool {
	return p.Env.Hints().Of(p.item).At == p.chunk*ringOf(p.Env).LogChunk
}

// see notes that this event loop has looked at the item in this round.
func (p *put) see() {
	p.Env.Hints().Note(string(p.item), verbs.Hint{At: p.chunk * ringOf(p.Env).LogChunk})
}

// toUnseen appends the event to an item that this event loop has not looked at in this round, looks
// at it, and extends its life if that is too short for this round.
func (p *put) toUnseen() verbs.Outcome {
	o, size, r := p.AppendAndProbe(p.item, p.Buf, p.exptime)
	if o = p.appended(o, size, 0); o != verbs.Done {
		return o
	}
	if r.Status == verbs.Hit && !p.ends(r) {
		return verbs.Done
	}
	if r.Status == verbs.Hit && !ringOf(p.Env).lastRound(r.TTL, p.ttl) {
		r = p.extend()
	}
	switch r.Status {
	case verbs.Stored:
		return verbs.Done
	case verbs.Hit, verbs.Missing:
		return p.makeSure()
	}
	p.Fail(r)
	return verbs.Told
}

// ends reports whether the item that r has probed is of the last round, or ends before this round
// does for another reason.
func (p *put) ends(r verbs.Reply) bool {
	return r.TTL >= 0 && r.TTL < p.ttl
}

// toShared appends the event to an item that may be of the last round, and extends the
// item's life through this round.
func (p *put) toShared() verbs.Outcome {
	there := p.renew()
	if there == verbs.Told {
		return verbs.Told
	}
	o := p.appendEvent(p.item, 0)
	if there == verbs.Absent && o == verbs.Done {
		o = p.makeSure()
	}
	if o == verbs.Done && p.now >= ringOf(p.Env).settled(p.chunk) {
		p.outlast()
	}
	return o
}

// outlast extends the item's life if it is too short. It is called after an event was appended
// although the upstream had been silent: memcached adds an exptime to its own clock, and if
// that was late, the item expires too early. Usually the clock has caught up when outlast asks. As
// the event is stored in any case, outlast ignores errors.
func (p *put) outlast() {
	for range 2 {
		r := p.Ask(p.Part(verbs.Probe, p.item))
		if r.Status != verbs.Hit || !p.ends(r) {
			return
		}
		p.extend()
	}
}

// extend gives the item the time to live of this round. It returns Stored; Missing if there is no item;
// or Failed.
//
// Of the round of a past chunk little is left. If a touch were held up, and carried out in the middle of
// the next round, the item would end soon after, with the events that it has by then. So the item is
// swapped, which fails once it has changed, unless its upstream keeps no CAS.
func (p *put) extend() verbs.Reply {
	touch := verbs.Op{Kind: verbs.Touch, Key: p.item, Of: p.Key, Exptime: p.exptime}
	if p.chunk >= ringOf(p.Env).chunkOf(p.now) {
		return p.Ask(touch)
	}
	for range verbs.MaxTries {
		r := p.Ask(p.Part(verbs.Fetch, p.item))
		switch {
		case r.Status != verbs.Hit:
			return r
		case !p.ends(r):
			return verbs.Reply{Status: verbs.Stored}
		case !r.Swappable():
			return p.Ask(touch)
		}
		swap := p.Swap(p.item, bytes.Clone(r.Data), r, p.exptime)
		swap.Of = p.Key
		if r = p.Ask(swap); r.Status != verbs.Exists {
			return r
		}
	}
	return verbs.Reply{Status: verbs.Stored} // the event is, though perhaps for a shorter time
}

// makeSure is called after an event was appended where renew had found no item. If a
// late event of the last round created the item in between, the item expires too early,
// or has expired already with the new event. makeSure then extends its life, or appends
// the event again.
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
		case !p.ends(r):
			return verbs.Done
		case p.renew() == verbs.Told:
			return verbs.Told
		case !ringOf(p.Env).lastRound(r.TTL, p.ttl): // the event was in no danger, and lasts now
			return verbs.Done
		}
	}
	p.Fail(verbs.Contended(p.Shown(p.item)))
	return verbs.Told
}

// renew gives the item the time to live of this round if it would end before. It
// returns Done if there is an item, and Absent if there is none.
func (p *put) renew() verbs.Outcome {
	r := p.Ask(p.Part(verbs.Probe, p.item))
	if r.Status == verbs.Hit {
		if !p.ends(r) {
			return verbs.Done
		}
		if o := ringOf(p.Env); o.lastRound(r.TTL, p.ttl) {
			p.renewed, p.over = true, p.over || o.over(p.chunk, p.now, r.TTL)
		}
		r = p.extend()
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

// trim removes expired events from a renewed item, so that an item that is renewed in
// every round does not grow for ever. Those of the last round that the item has events of stay unless that
// is over for everybody: this proxy's clock may be ahead. It does not retry if that fails.
func (p *put) trim() {
	r := p.Ask(p.Part(verbs.Fetch, p.item))
	if r.Status != verbs.Hit || !r.Swappable() {
		return
	}
	o := ringOf(p.Env)
	oldest := o.oldest(p.now)
	if !p.over {
		oldest = min(oldest, o.lastBefore(p.chunk, r.Data))
	}
	kept, ok := keep(r.Data, oldest)
	if ok && len(kept) < len(r.Data) {
		swap := p.Swap(p.item, kept, r, p.exptime)
		swap.Of = p.Key
		p.Count(p.Ask(swap))
	}
}
