package eventlogs

import (
	"cmp"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// found is an event that was found in an item. There may be a million, so it is small.
type found struct {
	event
	item, at uint32 // index of the item, and where in it the event begins
}

const (
	foundSize = 24 // in bytes
	// shortestEvent is the length of the shortest stored event, in bytes, in these
	// centuries: a time of 13 digits, flags, a length, and no data.
	shortestEvent = len("1700000000000 0 0\r\n\r\n")
)

// search adds the events of the n-th item that are in the interval to found. It returns
// false if the item does not consist of events.
func (f *fetch) search(n int) bool {
	item := f.items[n]
	for at := 0; at < len(item); {
		if at > 0 {
			f.Pace.Pause()
		}
		f.expect(min((len(item)-at)/shortestEvent, f.Pace.Slice))
		for i := 0; at < len(item) && i < f.Pace.Slice; i++ {
			e, ok := parseEvent(item[at:])
			if !ok {
				return false
			}
			f.count(&e)
			if f.first <= e.when && e.when <= f.last {
				f.found = append(f.found, found{e, uint32(n), uint32(at)})
			}
			at += int(e.size)
		}
	}
	return true
}

// count counts an event of an item.
func (f *fetch) count(e *event) {
	f.events++
	switch {
	case e.when <= f.last:
		f.past++
	case f.next == 0 || e.when < f.next:
		f.next = e.when
	}
}

// expect grows found for up to n more events if there are many already. As a rule there
// are few, for which append is fast enough.
func (f *fetch) expect(n int) {
	if len(f.found)*foundSize >= verbs.MuchMemory/2 && cap(f.found)-len(f.found) < n {
		f.found = verbs.Grow(&f.Pace, f.found, max(n, len(f.found)))
	}
}

// stored returns the n-th event that was found, as it is stored.
func (f *fetch) stored(n int) []byte {
	of := &f.found[n]
	return f.items[of.item][of.at:][:of.size]
}

func byTime(a, b found) int { return cmp.Compare(a.when, b.when) }

// sort sorts the events by time, stably. Usually they are in order already, since items
// are read in order. If not, it sorts slices and then merges them.
func (f *fetch) sort() {
	inOrder := true
	f.Pace.Each(len(f.found), func(from, to int) {
		inOrder = inOrder && slices.IsSortedFunc(f.found[max(from-1, 0):to], byTime)
	})
	if inOrder {
		return
	}
	f.Pace.Each(len(f.found), func(from, to int) { slices.SortStableFunc(f.found[from:to], byTime) })
	var other []found
	if len(f.found) > f.Pace.Slice {
		other = verbs.Grow(&f.Pace, other, len(f.found))
	}
	for run := f.Pace.Slice; run < len(f.found); run *= 2 {
		merged := other[:0]
		for rest := f.found; len(rest) > 0; rest = rest[min(2*run, len(rest)):] {
			one, two := rest[:min(run, len(rest))], rest[min(run, len(rest)):min(2*run, len(rest))]
			merged = f.merge(merged, one, two)
		}
		f.found, other = merged, f.found
	}
}

// merge appends two sorted lists to dst as one sorted list.
func (f *fetch) merge(dst, one, two []found) []found {
	for {
		for range f.Pace.Slice {
			if len(one) == 0 || len(two) == 0 {
				return append(append(dst, one...), two...)
			}
			if byTime(one[0], two[0]) <= 0 {
				dst, one = append(dst, one[0]), one[1:]
			} else {
				dst, two = append(dst, two[0]), two[1:]
			}
		}
		f.Pace.Pause()
	}
}
