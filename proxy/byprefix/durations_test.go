package byprefix

import (
	"testing"
	"time"
)

// The longest prefix of a key counts, whatever the order in which they are given.
func TestLongestPrefixCounts(t *testing.T) {
	t.Parallel()
	all := New([]Duration{{"a", time.Millisecond}, {"a:b:", 3 * time.Millisecond}, {"a:", 2 * time.Millisecond}})
	for key, want := range map[string]int64{"": 0, "b": 0, "a": 1000, "ab": 1000, "a:": 2000, "a:b": 2000, "a:b:": 3000, "a:b:c": 3000} {
		if got := all.Of([]byte(key)); got != want {
			t.Errorf("%q has %d µs, expected %d", key, got, want)
		}
	}
	if got := New([]Duration{{"", time.Second}}).Of(nil); got != 1_000_000 {
		t.Errorf("the empty prefix gives %d µs", got)
	}
}
