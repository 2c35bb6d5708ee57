package embedded

import "bytes"

// mode says what storing does if there is an item, and if there is none. It is the value of the flag M of ms, 0 without
// one, which means the same as modeSet.
type mode byte

const (
	modeSet     mode = 'S' // store always
	modeAdd     mode = 'E' // only if there is none
	modeReplace mode = 'R' // only if there is one
	modeAppend  mode = 'A' // append the value to the old one
	modePrepend mode = 'P' // prepend it
)

// extends reports whether m keeps the old value.
func (m mode) extends() bool { return m == modeAppend || m == modePrepend }

// outcome is the outcome of an attempt to store.
type outcome uint8

const (
	stored outcome = iota
	notStored
	exists   // the item has another CAS
	notFound // there is no item to compare
)

// put is a value to store. Fields that an item has too mean the same.
type put struct {
	mode    mode
	value   []byte // copied when it is stored
	flags   uint32
	expires int64
	encoded bool

	compare    bool   // store only if the item's CAS is cas
	cas        uint64 // the CAS that the client has; no item has 0
	newCAS     uint64 // the new CAS of the item, or 0 for the next free one
	invalidate bool   // if cas is older than the item's, store as stale

	create        bool  // if there is no item to extend, create one
	createExpires int64 // with this expiry
}

// put stores p under key. If it succeeds, it is the new item, else nil.
func (s *Store) put(key []byte, p *put) (it *item, out outcome) {
	s.counts.sets.Add(1)
	s.update(key, func(old *item, now int64) *item {
		cas := p.newCAS
		if cas == 0 {
			cas = s.nextCAS() // used up even if nothing is stored, as in memcached
		}
		if it, out = p.over(old, s.maxItem-len(key)); it == nil {
			return old
		}
		it.cas, it.stored = cas, now
		return it
	})
	if it != nil {
		s.counts.stored.Add(1)
	}
	return it, out
}

// over returns the item by which p replaces old, which may be nil. room is the greatest
// size of the item, without the key.
func (p *put) over(old *item, room int) (*item, outcome) {
	switch {
	case old == nil:
		return p.overNothing()
	case p.mode == modeAdd:
		return nil, notStored
	case p.mode.extends():
		return p.extend(old, room)
	case !p.compare || p.cas == old.cas && p.cas != 0:
		return p.item(), stored
	case p.invalidate && p.cas < old.cas && p.cas != 0:
		return p.staleItem(old), stored
	}
	return nil, exists
}

func (p *put) overNothing() (*item, outcome) {
	switch {
	case p.mode.extends():
		if !p.create {
			return nil, notStored
		}
		it := p.item()
		it.expires = p.createExpires
		return it, stored
	case p.compare && p.mode != modeAdd:
		return nil, notFound
	case p.mode == modeReplace:
		return nil, notStored
	}
	return p.item(), stored
}

func (p *put) item() *item {
	return &item{content: content{value: bytes.Clone(p.value), flags: p.flags, expires: p.expires, encoded: p.encoded}}
}

// staleItem returns an item that is served until a client has renewed the old one, or
// until that would have expired.
func (p *put) staleItem(old *item) *item {
	it := p.item()
	it.stale = true
	it.expires, it.won = old.expires, old.won
	return it
}

// extend returns old with the value appended or prepended. It keeps flags and time to
// expire. Here a CAS of 0 is not compared.
func (p *put) extend(old *item, room int) (*item, outcome) {
	if p.compare && p.cas != 0 && p.cas != old.cas {
		return nil, exists
	}
	if itemSize(0, len(old.value)+len(p.value), old.flags) > room {
		return nil, notStored
	}
	first, last := old.value, p.value
	if p.mode == modePrepend {
		first, last = last, first
	}
	value := make([]byte, 0, len(first)+len(last))
	value = append(append(value, first...), last...)
	return &item{content: content{value: value, flags: old.flags, expires: old.expires}}, stored
}
