package tasks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Large contents are fetched a megabyte at a time once it is known how large they are, so that
// others need not wait for all of them.
func TestLargeContentsComeInParts(t *testing.T) {
	for _, test := range []struct{ size, trips int }{{10, 4}, {100_000, 5}, {400_000, 13}} {
		w := verbtest.NewWorld(t, theVerbs)
		data := strings.Repeat("x", test.size)
		for i := range 20 {
			w.Send(fmt.Sprintf("taskput k t%02d 0 0 %d\r\n%s", i, test.size, data))
		}
		w.Send("tasktake k 60")
		if n := strings.Count(w.Send("tasktake k 60 19"), data+"\r\n"); n != 19 {
			t.Fatalf("%d tasks of %d bytes were taken", n, test.size)
		}
		if trips := w.Client.Routine.Account().Trips; trips != test.trips {
			t.Errorf("19 contents of %d bytes came in %d round trips, expected %d", test.size, trips, test.trips)
		}
	}
}
