package execution

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
)

// A queue whose hold has expired is in work until it has been looked at, though no verb runs any more.
func TestFreedQueueIsInWork(t *testing.T) {
	t.Parallel()
	x, _ := newLogging()
	x.Clock = clock.New(time.Hour, func(func()) bool { return true }, func() bool { return false })
	defer x.Clock.Stop()
	x.appends = appends{core: &x.core, env: &x.env, queues: newAppendQueues()}
	if x.Work.Any() {
		t.Error("something is in work before anything began")
	}
	key := []byte("k")
	x.appends.Hold(key, key, true)
	x.Work.EndCallback()
	if !x.Work.Any() {
		t.Error("a queue that is held is not in work")
	}
	x.appends.Hold(key, key, false)
	x.Work.EndCallback()
	if !x.Work.Any() || !x.GoOn() || !x.appends.queues.none() {
		t.Error("the queue has been forgotten")
	}
	if !x.Work.Any() {
		t.Error("what has ended in this callback is not in work until the end of that")
	}
	x.Work.EndCallback()
	if x.Work.Any() || x.GoOn() {
		t.Error("something is in work when all has ended")
	}
}
