package upstream

import "testing"

// A record has whole requests, or a part of one that is longer. That of which the beginning was
// written before, perhaps, is alone.
func TestDivide(t *testing.T) {
	for _, test := range []struct {
		written uint64
		ends    []Position
		from    int
		most    int
		want    int
	}{
		{0, []Position{10, 30, 60}, 0, 100, 10}, // the first may have begun before
		{0, []Position{10, 30, 60}, 10, 50, 50},
		{0, []Position{10, 30, 60}, 10, 49, 20},
		{0, []Position{10, 30, 60}, 10, 19, 19}, // it is longer
		{0, []Position{10, 30, 60}, 29, 31, 1},
		{5, []Position{10, 30, 60}, 0, 100, 5},
		{10, []Position{10, 30, 60}, 0, 100, 50},
		{60, []Position{10, 30, 60}, 0, 7, 7}, // nothing is known of it
		{1<<32 - 5, []Position{1<<32 - 5, 3, 20}, 0, 100, 25},
		{1<<32 - 5, []Position{1<<32 - 5, 3, 20}, 0, 24, 8},
	} {
		c := Connection{written: test.written}
		for _, end := range test.ends {
			c.pending.push(&Pending{end: end})
		}
		if got := c.Divide(test.from, test.most); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}
