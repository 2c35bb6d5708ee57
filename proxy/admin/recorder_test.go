package admin

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
	"github.com/memverbs/memverbs/proxy/status"
)

// A snapshot is recorded at every step, whether or not somebody looks at the page; while the proxy does not answer, none is.
func TestRecorder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var asked atomic.Int64
		var hangs atomic.Bool
		source := func(context.Context) (*status.Snapshot, error) {
			asked.Add(1)
			if hangs.Load() {
				return nil, errors.New("it hangs")
			}
			s := full()
			s.Taken = time.Now()
			s.Pools[0].Commands[0].Results = status.Results{status.OK: 5 * uint64(time.Since(began)/time.Second)}
			return s, nil
		}
		var h history.History
		ctx, stop := context.WithCancel(t.Context())
		go record(ctx, source, &h)
		time.Sleep(10*history.Step + time.Second)
		synctest.Wait()
		all := h.Of("one", time.Time{})
		if len(all) != 10 || asked.Load() != 11 || all[9].Requests != 5 || !all[9].At.Equal(began.Add(10*history.Step)) {
			t.Errorf("%d snapshots, %d points: %+v", asked.Load(), len(all), all)
		}
		hangs.Store(true)
		time.Sleep(5 * history.Step)
		synctest.Wait()
		if n := len(h.Of("one", time.Time{})); n != 10 {
			t.Errorf("%d points, expected a gap", n)
		}
		stop()
		synctest.Wait()
		time.Sleep(history.Span)
		if asked.Load() != 16 {
			t.Errorf("asked %d times, expected an end", asked.Load())
		}
	})
}
