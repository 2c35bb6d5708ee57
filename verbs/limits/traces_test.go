package limits

import (
	"bytes"
	"slices"
	"strconv"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// The traces of a limit are all counters that count, as long as they do.
func TestTracesAreWhatCounts(t *testing.T) {
	w := newWorld(t)
	w.Clock = 1_700_000_000_000 // a part begins
	w.Expect("limit k 3 16 3", "1 0 0")
	req := &protocol.Request{Key: []byte("k"), Words: []byte("3 16")}
	all := traces(req, req.Key, w)
	counter := all[len(all)-2] // of the present part
	for range 17 {
		pass(w, 999)
		w.Expect("limit k 3 16 0", "0 0 "+strconv.FormatInt(1_700_000_017_000-w.Clock, 10))
		if !slices.ContainsFunc(traces(req, req.Key, w), func(key []byte) bool { return bytes.Equal(key, counter) }) {
			t.Errorf("after %d ms the traces are without %s, which counts", w.Clock-1_700_000_000_000, counter)
		}
	}
}
