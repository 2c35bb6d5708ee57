package proxy

import "testing"

// Queues are found by their keys and upstreams, whatever hashes these have.
func TestAppendQueuesWithTheSameHash(t *testing.T) {
	var a appends
	const hash = 7
	here, there := &gate{}, &gate{}
	items := []struct {
		key   string
		owner *gate
	}{{"one", here}, {"two", here}, {"one", there}}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		var queues []*appendQueue
		for _, item := range items {
			queues = append(queues, a.queue([]byte(item.key), nil, item.owner, hash))
		}
		gone := map[int]bool{}
		for _, n := range order {
			a.remove(queues[n])
			gone[n] = true
			for i, item := range items {
				want := queues[i]
				if gone[i] {
					want = nil
				}
				if q := a.find([]byte(item.key), item.owner, hash); q != want {
					t.Errorf("order %v, %d removed: found %p under %s, expected %p", order, n, q, item.key, want)
				}
			}
		}
	}
}
