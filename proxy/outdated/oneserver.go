package outdated

import "time"

// Keys is what is outdated on one server.
type Keys struct {
	ledger  *ledger
	server  string
	entries map[string]string // by key: the pool that may have a copy of it, empty for none
	deleted batches
	flushes flushes
	unknown uint64 // changes whose keys were not remembered for lack of room, since Known
	counts  Counts
}

// Counts are the counts of one server.
type Counts struct {
	Remembered int    // keys that are remembered now
	Deleted    uint64 // since the start
	Forgotten  uint64 // changes of keys that were not remembered, for lack of room, since the start
}

// batches are the batches that are being deleted.
type batches map[*Batch]struct{}

// Batch is some keys that are being deleted. Pools are the pools that may have copies of them, empty for
// none.
type Batch struct{ Keys, Pools []string }

// Add remembers a key, and that the pool of that name, if it is not empty, may have a copy of it. If
// there is no room, it counts the key.
func (k *Keys) Add(key []byte, pool string) {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	k.add(string(key), pool)
}

func (k *Keys) add(key, pool string) {
	before, has := k.entries[key]
	if !has && !k.ledger.reserve(key) {
		k.unknown++
		k.counts.Forgotten++
		k.ledger.heir.forget(k.server)
		return
	}
	if pool == "" {
		pool = before
	}
	k.entries[key] = pool
	k.ledger.heir.note(Record{Server: k.server, Key: key, Pool: pool})
}

// remove forgets a key that is in no batch.
func (k *Keys) remove(key string) {
	delete(k.entries, key)
	k.ledger.release(key)
}

// Take returns up to most keys to delete. Done must be called for them. It returns nil if none are
// left; then busy says that other batches are being deleted.
func (k *Keys) Take(most int) (b *Batch, busy bool) {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	if len(k.entries) == 0 {
		return nil, len(k.deleted) > 0
	}
	b = &Batch{}
	for key, pool := range k.entries {
		if len(b.Keys) == most {
			break
		}
		delete(k.entries, key)
		b.Keys, b.Pools = append(b.Keys, key), append(b.Pools, pool)
	}
	if k.deleted == nil {
		k.deleted = batches{}
	}
	k.deleted[b] = struct{}{}
	return b, false
}

// Done says whether the keys of a batch were deleted. If not, they are remembered again.
func (k *Keys) Done(b *Batch, deleted bool) {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	delete(k.deleted, b)
	for i, key := range b.Keys {
		later, has := k.entries[key]
		if deleted || has {
			k.ledger.release(key)
		}
		switch {
		case deleted:
			k.counts.Deleted++
		case !has, later == "":
			k.entries[key] = b.Pools[i]
		}
	}
}

// Unknown returns how many changes of keys were not remembered, for lack of room, since Known.
func (k *Keys) Unknown() uint64 {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	return k.unknown
}

// Known resets the count of changes whose keys were not remembered: everything that can be done
// about them is done.
func (k *Keys) Known() {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	k.unknown = 0
}

// Counts returns the counts.
func (k *Keys) Counts() Counts {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	c := k.counts
	c.Remembered = len(k.entries)
	for b := range k.deleted {
		c.Remembered += len(b.Keys)
	}
	return c
}

// Flush remembers a flush of everything at a time, which may be in the future.
func (k *Keys) Flush(at time.Time) {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	k.flushes.add(at, time.Now())
	k.ledger.heir.note(Record{Server: k.server, Flush: at})
}

// TakeFlush returns when everything is to be flushed, and forgets that. It is the zero time if it is not.
func (k *Keys) TakeFlush() (at time.Time) {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	at = k.flushes.next(time.Now())
	k.flushes = flushes{}
	return at
}

// Flushed is called when the server was flushed, so that nothing remembered so far is left there. Only
// keys with copies in other pools are still remembered.
func (k *Keys) Flushed() {
	k.ledger.mu.Lock()
	defer k.ledger.mu.Unlock()
	for key, pool := range k.entries {
		if pool == "" {
			k.remove(key)
		}
	}
	k.unknown = 0
}
