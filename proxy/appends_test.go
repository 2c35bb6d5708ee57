package proxy

import "testing"

// Queues are found by their keys, whatever hashes these have.
func TestAppendQueuesWithTheSameHash(t *testing.T) {
	a := appends{queues: map[uint32]*appendQueue{}}
	keys := []string{"one", "two", "three"}
	var queues []*appendQueue
	for _, key := range keys {
		q := a.queue([]byte(key))
		if q.next == nil { // as if all had the hash of the first
			delete(a.queues, q.hash)
			q.hash = hashKey([]byte("one"))
			q.next = a.queues[q.hash]
			a.queues[q.hash] = q
		}
		queues = append(queues, q)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		for i, n := range order {
			a.remove(queues[n])
			left := 0
			for q := a.queues[queues[n].hash]; q != nil; q = q.next {
				if left++; q == queues[n] {
					t.Fatalf("order %v: queue %d is still there", order, n)
				}
			}
			if left != len(order)-1-i {
				t.Fatalf("order %v: %d queues are left of %d", order, left, len(order)-1-i)
			}
		}
		if len(a.queues) != 0 {
			t.Fatalf("order %v: there are still queues", order)
		}
		for _, q := range queues {
			q.next, q.listed = a.queues[q.hash], true
			a.queues[q.hash] = q
		}
	}
	if q := a.find([]byte("one")); q != queues[0] {
		t.Errorf("found %p for a key whose queue is %p", q, queues[0])
	}
}
