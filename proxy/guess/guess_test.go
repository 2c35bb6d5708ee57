package guess

import "testing"

// A guess rises at once, falls by an eighth of the difference, and not below the least.
func TestAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ before, size, least, after int }{
		{0, 0, 0, 0},
		{0, 100, 10, 100},
		{0, 100, 200, 200},
		{100, 800, 10, 800},
		{800, 800, 10, 800},
		{800, 0, 10, 700},
		{800, 0, 750, 750},
		{800, 799, 10, 800},
	} {
		if after := After(test.before, test.size, test.least); after != test.after {
			t.Errorf("%+v: %d", test, after)
		}
	}
}
