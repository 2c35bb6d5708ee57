package waiters

import "container/heap"

// alarm is a time at which something is to be done: a line tries, or the time of a waiter is over.
type alarm struct {
	at     int64 // in milliseconds, by the clock of the table
	place  int   // index in alarms, plus one; 0 if it is not set
	line   *line
	waiter *Waiter // nil for the alarm of a line
}

// alarms is a heap of the alarms that are set, the earliest first. It implements [heap.Interface].
type alarms []*alarm

// Len implements [heap.Interface].
func (s alarms) Len() int { return len(s) }

// Less implements [heap.Interface].
func (s alarms) Less(i, j int) bool { return s[i].at < s[j].at }

// Swap implements [heap.Interface].
func (s alarms) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].place, s[j].place = i+1, j+1
}

// Push implements [heap.Interface].
func (s *alarms) Push(a any) {
	*s = append(*s, a.(*alarm))
	a.(*alarm).place = len(*s)
}

// Pop implements [heap.Interface].
func (s *alarms) Pop() any {
	last := len(*s) - 1
	a := (*s)[last]
	a.place, (*s)[last] = 0, nil
	*s = (*s)[:last]
	return a
}

// set sets a for a time, whether it was set or not.
func (s *alarms) set(a *alarm, at int64) {
	if a.at = at; a.place > 0 {
		heap.Fix(s, a.place-1)
	} else {
		heap.Push(s, a)
	}
}

// unset unsets a if it is set.
func (s *alarms) unset(a *alarm) {
	if a.place > 0 {
		heap.Remove(s, a.place-1)
	}
}

// passed unsets the earliest alarm and returns it if its time has come, else nil.
func (s *alarms) passed(now int64) *alarm {
	if len(*s) == 0 || (*s)[0].at > now {
		return nil
	}
	return heap.Pop(s).(*alarm)
}
