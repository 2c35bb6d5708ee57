package execution

import (
	"bytes"
	"hash/maphash"

	"github.com/memverbs/memverbs/proxy/pool"
)

// appendQueues finds queues by their items. Items with the same key on two upstreams differ.
//
// A map with the items as keys would take three times as long: it would hash the key for each
// access, and allocate a copy of each key.
type appendQueues struct {
	seed   maphash.Seed
	byHash map[uint64]*appendQueue // by the hash of the key; more with the same hash follow in same
}

func newAppendQueues() appendQueues {
	return appendQueues{maphash.MakeSeed(), map[uint64]*appendQueue{}}
}

// hash returns the hash of an item's key.
func (a *appendQueues) hash(key []byte) uint64 { return maphash.Bytes(a.seed, key) }

// none reports whether there are no queues.
func (a *appendQueues) none() bool { return len(a.byHash) == 0 }

// find returns the queue of an item, whose key has that hash, or nil if there is none.
func (a *appendQueues) find(hash uint64, owner *pool.Member, key []byte) *appendQueue {
	q := a.byHash[hash]
	for q != nil && (q.owner != owner || !bytes.Equal(q.key, key)) {
		q = q.same
	}
	return q
}

// add adds the queue of an item that has none.
func (a *appendQueues) add(hash uint64, q *appendQueue) {
	q.hash, q.same = hash, a.byHash[hash]
	a.byHash[hash] = q
}

// remove removes a queue.
func (a *appendQueues) remove(q *appendQueue) {
	first := a.byHash[q.hash]
	switch {
	case first != q:
		for first.same != q {
			first = first.same
		}
		first.same = q.same
	case q.same == nil:
		delete(a.byHash, q.hash)
	default:
		a.byHash[q.hash] = q.same
	}
	q.same = nil
}
