package execution

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// A read is shared until it is written, by those that ask for the same only.
func TestSharedReadsAreFound(t *testing.T) {
	one := &sharedRead{asked: []byte(" a"), begin: 5}
	two := &sharedRead{asked: []byte(" a b"), begin: 9}
	reads := unsent{list: []*sharedRead{one, two}}
	for asked, want := range map[string]*sharedRead{" a": one, " a b": two, " b": nil, " b a": nil, "a": nil} {
		if got := reads.find([]byte(asked), 5, 5); got != want {
			t.Errorf("%q: found %p, expected %p", asked, got, want)
		}
	}
	if got := reads.find([]byte(" a"), 5, 6); got != nil {
		t.Errorf("a read that comes before the last one of the batch is shared")
	}
	if got := reads.find([]byte(" a"), 6, 6); got != nil {
		t.Errorf("a read that was begun to be written is shared")
	}
	if len(reads.list) != 1 {
		t.Errorf("%d reads are looked through, expected 1", len(reads.list))
	}
}

// A verb that also changes something does not share its read, which must come after the
// change.
func TestOnlyReadsAreShared(t *testing.T) {
	for _, test := range []struct {
		kinds []verbs.OpKind
		want  bool
	}{
		{[]verbs.OpKind{verbs.Fetch}, true},
		{[]verbs.OpKind{verbs.Fetch, verbs.Probe}, true},
		{[]verbs.OpKind{verbs.Append, verbs.Probe}, false},
		{[]verbs.OpKind{verbs.Fetch, verbs.Delete}, false},
	} {
		r := &Execution{}
		for _, kind := range test.kinds {
			r.trip.ops = append(r.trip.ops, verbs.Op{Kind: kind})
		}
		if got := r.onlyReads(); got != test.want {
			t.Errorf("%v: %v", test.kinds, got)
		}
	}
}

// owner is a client that has so many requests in flight.
type owner int

func (o owner) HasOnly(n int) bool { return int(o) <= n }
func (owner) Progress()            {}

// A verb shares a read if all that its client has in flight are verbs that wait for the same.
func TestReadsOfAClientStayInOrder(t *testing.T) {
	read, other := &sharedRead{}, &sharedRead{}
	for _, test := range []struct {
		running, inFlight int
		reading           *sharedRead
		readers           int
		want              bool
	}{
		{1, 1, nil, 0, true},
		{1, 2, nil, 0, false}, // and a plain command
		{2, 2, nil, 0, false}, // and a verb that waits for something else
		{2, 2, read, 1, true},
		{2, 3, read, 1, false},
		{3, 3, read, 1, false},
		{3, 3, read, 2, true},
		{3, 3, other, 2, false},
	} {
		c := Caller{Owner: owner(test.inFlight), executions: make([]*Execution, test.running), reading: test.reading, readers: test.readers}
		if got := c.onlyReads() && c.mayJoin(read); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// Verbs of one operation are counted as readers of a read until its reply arrives. Those of
// several are not: they wait for other reads, too.
func TestReadersAreCounted(t *testing.T) {
	var c Caller
	read, other := &sharedRead{}, &sharedRead{}
	simple, several := &Execution{trip: trip{ops: make([]verbs.Op, 1)}}, &Execution{trip: trip{ops: make([]verbs.Op, 2)}}
	for _, step := range []struct {
		do      func()
		readers int
	}{
		{func() { c.joined(read, simple) }, 1},
		{func() { c.joined(read, simple) }, 2},
		{func() { c.arrived(other) }, 2},
		{func() { c.arrived(read) }, 0},
		{func() { c.joined(other, several) }, 0},
		{func() { c.joined(read, simple) }, 1},
	} {
		if step.do(); c.readers != step.readers {
			t.Errorf("%d readers, expected %d", c.readers, step.readers)
		}
	}
}
