package format

import "slices"

// Results are what orders have resulted in, the latest last, for as many callers as a structure remembers.
type Results[T any] []Result[T]

// Result is what the orders with an id have resulted in.
type Result[T any] struct {
	ID OrderID
	Is T
}

// MostCallers is how many callers a structure remembers the last orders of.
const MostCallers = 256

// Late reports whether the result of orders of a later batch of the same caller is remembered. Then the append with these
// orders was delayed, and nobody waits for their result any more.
func (all Results[T]) Late(id *OrderID) bool {
	for i := range all {
		if of := &all[i].ID; of.Caller == id.Caller {
			return of.Batch > id.Batch
		}
	}
	return false
}

// Latest makes the result of the orders with an id the latest, and returns it, to be completed: the one that is remembered,
// or else a new one. It forgets the results of other orders of the same caller.
func (all *Results[T]) Latest(id OrderID) *T {
	latest := Result[T]{ID: id}
	for i := range *all {
		if of := &(*all)[i]; of.ID.Caller == id.Caller {
			if of.ID.Batch == id.Batch {
				latest = *of
			}
			*all = slices.Delete(*all, i, i+1)
			break
		}
	}
	if len(*all) == MostCallers {
		*all = slices.Delete(*all, 0, 1)
	}
	*all = append(*all, latest)
	return &(*all)[len(*all)-1].Is
}

// Of returns the result of the orders with an id, nil if it is not remembered.
func (all Results[T]) Of(id *OrderID) *T {
	for i := range all {
		if all[i].ID == *id {
			return &all[i].Is
		}
	}
	return nil
}

// Since returns when a result was last to be forgotten, see [OrderID.ForgottenSince].
func (all Results[T]) Since(now int64) (since int64) {
	for i := range all {
		since = max(since, all[i].ID.ForgottenSince(now))
	}
	return since
}
