package verbtest

import (
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// What belongs to no structure is found. The parts of one that has expired are not taken for that.
func TestStray(t *testing.T) {
	w := NewWorld(t, new(verbs.List))
	tr := &Track{rules: &Rules{}}
	s := NewSchedule(w, &AsBefore{}, nil, nil)
	w.Put("k", "@0123456789abcdef:1:3 ", 0, 0)
	for _, id := range []string{"0123456789abcdef", "expired_expired_", "stray_stray_stra"} {
		w.Put("k:"+id+".0", "+a ", 0, 0)
	}
	both := []string{"k:expired_expired_.0", "k:stray_stray_stra.0"}
	if got := tr.stray(s); !slices.Equal(got, both) {
		t.Errorf("%q, not %q", got, both)
	}
	s.Calls = []*Call{{Request: "vanish k", Gone: "@expired_expired_:1:3 ", Expired: true}}
	if got := tr.stray(s); !slices.Equal(got, both[1:]) {
		t.Errorf("once a head has expired: %q, not %q", got, both[1:])
	}
}
