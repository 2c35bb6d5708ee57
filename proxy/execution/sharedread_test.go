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
			r.ops = append(r.ops, verbs.Op{Kind: kind})
		}
		if got := r.onlyReads(); got != test.want {
			t.Errorf("%v: %v", test.kinds, got)
		}
	}
}
