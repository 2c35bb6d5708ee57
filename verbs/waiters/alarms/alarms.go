// Package alarms orders what is to be done at certain times. It reads no clock: all times are passed in, in milliseconds
// by any clock that its user chooses. It is not safe for concurrent use.
package alarms

import "container/heap"

// Alarm is a time at which something is to be done. Whoever has one allocates it, usually as a part of another value.
type Alarm[T any] struct {
	At    int64 // when it is due, once it was set
	Of    T     // what it is the alarm of
	place int   // index in Alarms, plus one; 0 if it is not set
}

// IsSet reports whether the alarm is set, and not due yet.
func (a *Alarm[T]) IsSet() bool { return a.place > 0 }

// Alarms is a heap of the alarms that are set, the earliest first. It implements [heap.Interface].
type Alarms[T any] []*Alarm[T]

// Len implements [heap.Interface].
func (s Alarms[T]) Len() int { return len(s) }

// Less implements [heap.Interface].
func (s Alarms[T]) Less(i, j int) bool { return s[i].At < s[j].At }

// Swap implements [heap.Interface].
func (s Alarms[T]) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].place, s[j].place = i+1, j+1
}

// Push implements [heap.Interface].
func (s *Alarms[T]) Push(a any) {
	*s = append(*s, a.(*Alarm[T]))
	a.(*Alarm[T]).place = len(*s)
}

// Pop implements [heap.Interface].
func (s *Alarms[T]) Pop() any {
	last := len(*s) - 1
	a := (*s)[last]
	a.place, (*s)[last] = 0, nil
	*s = (*s)[:last]
	return a
}

// Set sets a for a time, whether it was set or not.
func (s *Alarms[T]) Set(a *Alarm[T], at int64) {
	if a.At = at; a.place > 0 {
		heap.Fix(s, a.place-1)
	} else {
		heap.Push(s, a)
	}
}

// Unset unsets a if it is set.
func (s *Alarms[T]) Unset(a *Alarm[T]) {
	if a.place > 0 {
		heap.Remove(s, a.place-1)
	}
}

// Passed unsets the earliest alarm and returns it if its time has come, else nil.
func (s *Alarms[T]) Passed(now int64) *Alarm[T] {
	if len(*s) == 0 || (*s)[0].At > now {
		return nil
	}
	return heap.Pop(s).(*Alarm[T])
}
