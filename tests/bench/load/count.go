//go:build linux

package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Count is what was counted within a window: in a closed loop the batches
// answered in it, in an open loop those that were due in it.
type Count struct {
	Requests uint64                  // answered,
	Failed   uint64                  // and those of them that were refused with SERVER_ERROR
	Took     *hdrhistogram.Histogram // latencies of batches in nanoseconds, to their last reply
}

// NewCount returns a count of nothing. Latencies are kept to three digits, from
// a microsecond to a minute.
func NewCount() Count {
	return Count{Took: hdrhistogram.New(time.Microsecond.Nanoseconds(), time.Minute.Nanoseconds(), 3)}
}

// Add adds what another has counted.
func (c *Count) Add(d Count) {
	c.Requests += d.Requests
	c.Failed += d.Failed
	c.Took.Merge(d.Took)
}

// answered counts a batch.
func (c *Count) answered(b *Batch, took int64) error {
	c.Requests += b.requests
	c.Failed += b.failed
	return c.Took.RecordValue(took)
}
