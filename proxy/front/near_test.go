package front

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// resender sends a lost get again, with the sink that it has.
type resender struct{ lost int }

func (r *resender) Answered(p *upstream.Pending, a *upstream.Answer) {
	if r.lost++; r.lost == 1 {
		again := *p
		again.Sink.Answered(&again, a)
	}
}

type toldTimes struct{ n int }

func (w *toldTimes) Told([]byte) { w.n++ }

// A get that is sent again, to the spare pool, tells those that have joined it once: a second answer would be taken for that
// to their next request.
func TestJoinedGetsAreToldOnce(t *testing.T) {
	t.Parallel()
	kept := near.New([]byprefix.Duration{{Text: "", For: time.Hour}}, 0)
	w := &toldTimes{}
	wait := func() near.Waiter { return w }
	_, fetch := kept.Ask([]byte("k"), wait)
	kept.Ask([]byte("k"), wait)
	r := &resender{}
	f := &nearFetch{fetch, relay{r}}
	f.Answered(&upstream.Pending{Sink: f}, &upstream.Answer{Outcome: upstream.Lost})
	if w.n != 1 || r.lost != 2 {
		t.Errorf("told %d times, answered %d times", w.n, r.lost)
	}
}
