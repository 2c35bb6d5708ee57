package holding

import "container/heap"

// alarm is something that is due at a time.
type alarm struct {
	at    int64
	index int // in the alarms, plus one; 0 if it is not set
	due   func(now int64)
}

// alarms are what is due, the first first. They implement [heap.Interface].
type alarms []*alarm

// Len implements [heap.Interface].
func (s alarms) Len() int { return len(s) }

// Less implements [heap.Interface].
func (s alarms) Less(i, j int) bool { return s[i].at < s[j].at }

// Swap implements [heap.Interface].
func (s alarms) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].index, s[j].index = i+1, j+1
}

// Push implements [heap.Interface].
func (s *alarms) Push(x any) {
	a := x.(*alarm)
	*s = append(*s, a)
	a.index = len(*s)
}

// Pop implements [heap.Interface].
func (s *alarms) Pop() any {
	last := len(*s) - 1
	a := (*s)[last]
	(*s)[last], *s = nil, (*s)[:last]
	a.index = 0
	return a
}

// set sets a to a time.
func (s *alarms) set(a *alarm, at int64) {
	if a.at = at; a.index > 0 {
		heap.Fix(s, a.index-1)
		return
	}
	heap.Push(s, a)
}

// drop makes a not due any more.
func (s *alarms) drop(a *alarm) {
	if a.index > 0 {
		heap.Remove(s, a.index-1)
	}
}

// next returns the first alarm that is due by now, nil if there is none. It is not due again.
func (s *alarms) next(now int64) *alarm {
	if len(*s) == 0 || (*s)[0].at > now {
		return nil
	}
	return heap.Pop(s).(*alarm)
}
