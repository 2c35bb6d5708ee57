package execution

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/verbs"
)

// A batch that has to wait has waited since then, whoever used its queue before.
func TestBatchWaitsSinceItCame(t *testing.T) {
	x, _ := newLogging()
	x.Clock = clock.New(time.Hour, func(func()) bool { return true }, func() bool { return false })
	defer x.Clock.Stop()
	x.appends = appends{core: &x.core, env: &x.env, queues: newAppendQueues()}
	key := []byte("k")
	x.appends.Hold(key, key, true)
	x.Clock.Ticks += 10 * longWait
	batch := &Execution{executor: x, target: target{owner: x.Pool.All[0], key: key}, caller: &Caller{}, trip: trip{ops: []verbs.Op{{Kind: verbs.Append, Key: key}, {Kind: verbs.Probe, Key: key}}}}
	if !x.appends.delays(batch) {
		t.Fatal("it does not wait, though another verb holds the item")
	}
	if x.appends.Hold(key, key, false); x.appends.Overdue(key, key) {
		t.Error("it is overdue at once")
	}
}
