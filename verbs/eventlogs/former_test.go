package eventlogs

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Events that have remained at a former place are read in order beside those that were put since, also if that place becomes the log's
// own once more, and however many items a chunk has at either place.
func TestFormerEventsAreRead(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		var want []string
		put := func(items int64) {
			t.Helper()
			data := fmt.Sprint("event ", len(want))
			if items > 0 { // in a chunk of their own
				w.Clock += 10_000
				fillChunk(w, "l", items)
				for i := range items {
					want = append(want, fmt.Sprint("filler ", i))
				}
			}
			putLog(w, "l", w.Clock, data, "STORED")
			want = append(want, data)
			w.Clock++
			fetchLog(w, "l 1", want...)
		}
		put(0)
		put(0)
		w.Leave()
		put(4)
		put(0)
		w.Model, w.Former = w.Former, w.Model
		w.Clock = w.Former.Clock
		put(0)
		put(20)
	})
}

// A log that has more events at a former place than are read at once is read, too.
func TestLongLogAtFormerPlace(t *testing.T) {
	w := newWorld(t)
	w.Settings.LogChunks = 100
	var want []string
	for i := range 100 {
		if i == 70 {
			w.Leave()
		}
		putLog(w, "l", w.Clock, fmt.Sprint(i), "STORED")
		want = append(want, fmt.Sprint(i))
		w.Clock += 9_900
	}
	fetchLog(w, "l 1", want...)
}
