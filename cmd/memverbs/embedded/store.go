package embedded

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// maxItemLimit is the largest maxItem that [New] accepts, in bytes: otter's weights
// have 32 bits.
const maxItemLimit = 1 << 30

// Store is a cache of items that is accessed over connections. It is safe for
// concurrent use.
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

// New returns a store for up to memory bytes of items (keys, values and overhead), none
// larger than maxItem bytes or half of memory. As in memcached, the size of an item is
// its key, its value and some 60 bytes, so a value of maxItem bytes is too large.
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
		// Evicting on the goroutine that stores keeps the memory bounded however fast
		// clients store, and leaves nothing for Close to wait for.
		Executor: func(task func()) { task() },
	})
	if err != nil {
		return nil, err
	}
	s.cache = cache
	return s, nil
}

// weigh returns the weight of an item for otter.
func weigh(key string, it *item) uint32 {
	weight := it.size(len(key)) + bookkeeping
	return uint32(weight)
}

// lookup returns the item under key, or nil.
func (s *Store) lookup(key []byte) *item {
	it, _ := s.cache.GetIfPresent(string(key))
	return it
}

// update atomically replaces the item under key by the result of change. Both may be
// nil for no item. If change returns old, nothing happens.
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

// touch gives the item under key another time to expire and returns it, or nil. It
// returns even an item that has thereby expired.
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

// nextCAS returns a CAS that nextCAS has not returned before.
func (s *Store) nextCAS() uint64 { return s.lastCAS.Add(1) }
