package transport

import (
	"testing"

	"github.com/memverbs/memverbs/proxy/secure"
)

// What the peer's machine has of the piece that is being written counts as confirmed, in whole
// records, but never as more than that piece.
func TestUnconfirmedOfSealed(t *testing.T) {
	t.Parallel()
	const record = secure.MaxRecord + secure.MaxOverhead
	for _, test := range []struct{ begun, covers, kernel, unconfirmed int }{
		{0, 0, 0, 0},
		{0, 0, 100, 100},        // all of it is of earlier pieces
		{1000, 5000, 1500, 500}, // a part of it
		{1000, 5000, 0, 0},      // a part of a record
		{3*record + 5, 1 << 20, 0, -3 * (16 << 10)},      // three records
		{3*record + 5, 1 << 20, record, -2 * (16 << 10)}, // of which one is not confirmed
		{2 * record, 20000, 0, -20000},                   // of small records
	} {
		s := secured{begun: test.begun, covers: test.covers}
		if got := s.unconfirmed(test.kernel); got != test.unconfirmed {
			t.Errorf("%+v: %d", test, got)
		}
	}
}
