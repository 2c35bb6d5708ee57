package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// putLong is a request to push an element whose token is long.
var putLong = fmt.Sprintf("rput k 0 300\r\n%s", strings.Repeat("x", 300))

// A writer of long elements does not read a log that can't have many dead tokens.
func TestPushOfLongElementReadsNothing(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	for i := range 400 {
		w.Expect(strings.Replace(putLong, "k", fmt.Sprint("k", i%20), 1), "STORED")
		w.Cost(1)
	}
}

// A log of short dead tokens is still read by their writers, and compacted.
func TestShortDeadTokensAreCompacted(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect(putLong, "STORED")
	for range 2000 {
		w.Expect("rpush k a", "STORED")
		w.Expect("lrem k 1 a", "STORED")
	}
	if n := strings.Count(w.Value("k"), " "); n > 2000 {
		t.Errorf("the log has %d tokens", n)
	}
}

// A call that has decided on a list with segments does not read its head, which is not to be compacted.
func TestPopReadsNoHeadWithSegments(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept = views.Eager([]byte("k"))
	w.Settings.StructureItemSize = 4 << 10
	for range 40 {
		w.Expect(putLong, "STORED")
	}
	w.Send("lrange k")
	w.Send("lrange k")
	w.Send("lpop k")
	for range 20 {
		w.Send("lpop k")
		w.Cost(1)
	}
}
