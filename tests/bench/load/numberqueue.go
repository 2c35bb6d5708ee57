//go:build linux

package load

// queue holds indices of connections, first in, first out.
type queue struct {
	items []int // a ring
	first int
	size  int
}

func (q *queue) empty() bool { return q.size == 0 }

func (q *queue) push(i int) {
	if q.size == len(q.items) {
		q.grow()
	}
	q.items[(q.first+q.size)%len(q.items)] = i
	q.size++
}

func (q *queue) pop() int {
	i := q.items[q.first]
	q.first = (q.first + 1) % len(q.items)
	q.size--
	return i
}

func (q *queue) grow() {
	items := make([]int, max(16, 2*len(q.items)))
	n := copy(items, q.items[q.first:])
	copy(items[n:], q.items[:q.first])
	q.items, q.first = items, 0
}
