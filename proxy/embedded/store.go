package embedded

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// maxItemLimit is the largest item that [New] allows, in bytes: otter weighs
// an item with 32 bits.
const maxItemLimit = 1 << 30

// Store is a cache of items that is reached over connections. Its methods may
// be called by several goroutines.
type Store struct {
	cache   *otter.Cache[string, *item]
	clock   otter.Clock
	memory  int
	maxItem int
	started int64 // second
	lastCAS atomic.Uint64
	counts  counts
	flush   flush

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]struct{} // the store's ends
	serves sync.WaitGroup
}

// New returns a store that holds up to memory bytes of items (keys, values and
// overhead), none larger than maxItem bytes, nor than half of memory. As in
// memcached an item's size is its key, its value and some 60 bytes, so a value
// of maxItem bytes is too large.
func New(memory, maxItem int) (*Store, error) {
	return newStore(memory, maxItem, newSystemClock())
}

func newStore(memory, maxItem int, clock otter.Clock) (*Store, error) {
	if memory <= 0 {
		return nil, errors.New("embedded store: it needs memory")
	}
	if maxItem <= 0 || maxItem > maxItemLimit {
		return nil, errors.New("embedded store: the largest item must have between 1 byte and 1 GiB")
	}
	s := &Store{
		clock:   clock,
		memory:  memory,
		maxItem: min(maxItem, memory/2),
		conns:   make(map[net.Conn]struct{}),
	}
	s.started = s.now()
	s.lastCAS.Store(1) // memcached's first item has the CAS 2
	cache, err := otter.New(&otter.Options[string, *item]{
		MaximumWeight:    uint64(memory),
		Weigher:          weigh,
		ExpiryCalculator: otter.ExpiryWritingFunc(remaining),
		Clock:            clock,
		OnAtomicDeletion: s.counts.deletion,
		// Evicting on the goroutine that stored keeps the memory bounded
		// however fast clients store, and leaves nothing to wait for in Close.
		Executor: func(task func()) { task() },
	})
	if err != nil {
		return nil, err
	}
	s.cache = cache
	return s, nil
}

// weigh returns what otter counts an item for.
func weigh(key string, it *item) uint32 {
	weight := it.size(len(key)) + bookkeeping
	return uint32(weight)
}

// lookup returns the item under key, or nil.
func (s *Store) lookup(key []byte) *item {
	it, _ := s.cache.GetIfPresent(string(key))
	return it
}

// update replaces the item under key by what change makes of it, and nobody
// else changes it meanwhile. Both may be nil for no item. An item that change
// returns as it was is left alone.
func (s *Store) update(key []byte, change func(old *item, now int64) *item) {
	s.cache.Compute(string(key), func(old *item, _ bool) (*item, otter.ComputeOp) {
		now := s.now()
		switch next := change(old, now); {
		case next == old:
			return old, otter.CancelOp
		case next == nil || next.expired(now):
			return nil, otter.InvalidateOp
		default:
			return next, otter.WriteOp
		}
	})
}

// remove deletes the item under key and reports whether there was one.
func (s *Store) remove(key []byte) bool {
	_, found := s.cache.Invalidate(string(key))
	return found
}

// touch gives the item under key another time to expire and returns it, or
// nil. An item that thereby expires is returned once more.
func (s *Store) touch(key []byte, expires int64) (touched *item) {
	s.update(key, func(old *item, now int64) *item {
		if old == nil {
			return nil
		}
		touched = old.clone()
		touched.expires = expires
		touched.read(now)
		return touched
	})
	return touched
}

// nextCAS returns a number that no item has been given.
func (s *Store) nextCAS() uint64 { return s.lastCAS.Add(1) }
