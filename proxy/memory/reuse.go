package memory

// Reuse keeps objects that are not in use, to be used again. The zero value has none.
type Reuse[T any] []*T

// maxReuse is how many objects Keep keeps at most.
const maxReuse = 1024

// Take returns an object that was kept, as it was left, or else a new one, which is zero.
func (r *Reuse[T]) Take() *T {
	last := len(*r) - 1
	if last < 0 {
		return new(T)
	}
	object := (*r)[last]
	*r = (*r)[:last]
	return object
}

// Keep keeps an object for later, unless there are many.
func (r *Reuse[T]) Keep(object *T) { r.KeepUpTo(maxReuse, object) }

// KeepUpTo keeps an object for later, unless there are so many.
func (r *Reuse[T]) KeepUpTo(most int, object *T) {
	if len(*r) < most {
		*r = append(*r, object)
	}
}
