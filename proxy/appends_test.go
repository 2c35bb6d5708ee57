package proxy

import "testing"

// Queues are found by their keys, whatever hashes these have.
func TestAppendQueuesWithTheSameHash(t *testing.T) {
	var a appends
	const hash = 7
	keys := []string{"one", "two", "three"}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		var queues []*appendQueue
		for _, key := range keys {
			queues = append(queues, a.queue([]byte(key), hash))
		}
		gone := map[int]bool{}
		for _, n := range order {
			a.remove(queues[n])
			gone[n] = true
			for i, key := range keys {
				want := queues[i]
				if gone[i] {
					want = nil
				}
				if q := a.find([]byte(key), hash); q != want {
					t.Errorf("order %v, %d removed: found %p under %s, expected %p", order, n, q, key, want)
				}
			}
		}
	}
}
