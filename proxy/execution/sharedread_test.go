package execution

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// A read is shared until it is written, by the same operation on the same key only.
func TestSharedReadsAreFound(t *testing.T) {
	fetch := &sharedRead{kind: verbs.Fetch, key: []byte("a"), begin: 5}
	probe := &sharedRead{kind: verbs.Probe, key: []byte("a"), begin: 9}
	reads := unsent{list: []*sharedRead{fetch, probe}}
	for _, test := range []struct {
		op   verbs.Op
		want *sharedRead
	}{
		{verbs.Op{Kind: verbs.Fetch, Key: []byte("a")}, fetch},
		{verbs.Op{Kind: verbs.Probe, Key: []byte("a")}, probe},
		{verbs.Op{Kind: verbs.Fetch, Key: []byte("b")}, nil},
		{verbs.Op{Kind: verbs.Touch, Key: []byte("a")}, nil},
	} {
		if got := reads.find(&test.op, 5, 5); got != test.want {
			t.Errorf("%+v: found %p, expected %p", test.op, got, test.want)
		}
	}
	if got := reads.find(&verbs.Op{Kind: verbs.Fetch, Key: []byte("a")}, 5, 6); got != nil {
		t.Errorf("a read that comes before the last one of the batch is shared")
	}
	if got := reads.find(&verbs.Op{Kind: verbs.Fetch, Key: []byte("a")}, 6, 6); got != nil {
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
			r.ops = append(r.ops, verbs.Op{Kind: kind})
		}
		if got := r.onlyReads(); got != test.want {
			t.Errorf("%v: %v", test.kinds, got)
		}
	}
}
