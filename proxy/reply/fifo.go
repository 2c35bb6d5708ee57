package reply

// fifo is a queue in one piece of memory. The zero value is an empty queue.
type fifo[T any] struct {
	list  []T
	first int // in list
}

// rest returns what is in the queue.
func (q *fifo[T]) rest() []T { return q.list[q.first:] }

// push appends more. Before the memory grows, it is used from its start again.
func (q *fifo[T]) push(more ...T) {
	if len(q.list)+len(more) > cap(q.list) && q.first >= len(q.list)/2 {
		q.list = append(q.list[:0], q.list[q.first:]...)
		q.first = 0
	}
	q.list = append(q.list, more...)
}

// drop removes the first n.
func (q *fifo[T]) drop(n int) {
	if q.first += n; q.first == len(q.list) {
		q.list, q.first = q.list[:0], 0
	}
}
