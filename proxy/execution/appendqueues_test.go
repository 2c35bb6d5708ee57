package execution

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/pool"
)

// Queues whose keys have the same hash are told apart, in whatever order they are removed.
func TestAppendQueuesOfOneHash(t *testing.T) {
	const hash = 1
	one, other := &pool.Member{}, &pool.Member{}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		a := newAppendQueues()
		queues := []*appendQueue{
			{item: item{owner: one, key: []byte("a")}},
			{item: item{owner: one, key: []byte("b")}},
			{item: item{owner: other, key: []byte("a")}},
		}
		for _, q := range queues {
			if found := a.find(hash, q.owner, q.key); found != nil {
				t.Errorf("%q is found before it is added", q.key)
			}
			a.add(hash, q)
		}
		left := len(queues)
		for _, i := range order {
			for _, q := range queues {
				if found := a.find(hash, q.owner, q.key); found != nil && found != q {
					t.Errorf("order %v, %d left: another queue than that of %q is found", order, left, q.key)
				}
			}
			q := queues[i]
			if a.find(hash, q.owner, q.key) != q {
				t.Errorf("order %v, %d left: %q is not found", order, left, q.key)
			}
			a.remove(q)
			if left--; a.find(hash, q.owner, q.key) != nil || a.none() != (left == 0) {
				t.Errorf("order %v, %d left: %q is found, or it is wrong that there are none: %v", order, left, q.key, a.none())
			}
		}
	}
}
