package limits

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Each part of a window in which something was counted has an item with a number, its counter. It expires when nobody
// counts it any more. A counter that was evicted begins anew. When the servers of the pool have changed, a part may have a counter
// at the upstream that owns the limit now, and one at each of its former places, to which nobody adds any more: they are summed up.

// longestCounter is the length, in bytes, from which an item does not count as a counter.
const longestCounter = 64

// begin begins a reading of the counters that count at a time, and returns the part that it is in.
func (c call) begin(now int64) (read reading, part int64) {
	c.Buf = c.Buf[:0]
	part = c.window.part(now)
	return reading{window: c.window, first: part - parts}, part
}

// read reads the counters that count at a time. If brief is set, their times to live are not told.
func (c call) read(now int64, brief bool) (read reading, replies []verbs.Reply, failure string) {
	read, part := c.begin(now)
	c.Ops = c.fetches(c.Ops[:0], part-parts, part+2)
	c.Ops = c.formerFetches(c.Ops, part-parts, part+2)
	for i := range c.Ops {
		c.Ops[i].Brief = brief
	}
	replies = c.AskAll(c.Ops)
	failure = c.takeAll(&read, replies)
	return read, replies, failure
}

// addAndRead adds n to the counter of the present part and reads, in the same round trip, the others that count now. It
// returns what was counted before, and the counter's key.
//
// That is all that was added before, by memcached's order, to any part that counts or that had begun by then. So of two
// additions, through whatever proxies, the later one knows of the earlier one, and if both count, it was allowed
// beside it. The reply may come so late that further parts have begun: then others may have added to these before, so these are
// read as well.
func (c call) addAndRead(n uint64) (read reading, counter []byte, failure string) {
	now := c.Env.Now()
	read, part := c.begin(now)
	counter = c.counter(part)
	c.Ops = append(c.Ops[:0], verbs.Op{Kind: verbs.IncrOrCreate, Key: counter, Of: c.Key, Number: n, Exptime: c.exptime(now)})
	c.Ops = c.fetches(c.Ops, part-parts, part)
	c.Ops = c.fetches(c.Ops, part+1, part+2)
	c.Ops = c.formerFetches(c.Ops, part-parts, part+2)
	replies := c.AskAll(c.Ops)
	added := &replies[0]
	if added.Status != verbs.Stored {
		return read, nil, added.Failure()
	}
	if failure = c.take(&read, replies[1:parts+1]); failure == "" {
		read.counts = append(read.counts, added.Number-min(n, added.Number))
		failure = c.takeAll(&read, replies[parts+1:])
	}
	if last := min(c.window.part(c.Env.Now())+1, part+parts+1); failure == "" && last > part+1 {
		c.Ops = c.fetches(c.Ops[:0], part+2, last+1)
		failure = c.take(&read, c.AskAll(c.Ops))
	}
	return read, counter, failure
}

// fetches appends the reads of the counters of the parts from first to the one before end. The key of a counter stays
// valid until the call begins to read anew.
func (c call) fetches(ops []verbs.Op, first, end int64) []verbs.Op {
	for part := first; part < end; part++ {
		ops = append(ops, verbs.Op{Kind: verbs.Fetch, Key: c.counter(part), Of: c.Key, Bytes: longestCounter, Brief: true})
	}
	return ops
}

// formerFetches appends the reads of these counters at the former places of the limit.
func (c call) formerFetches(ops []verbs.Op, first, end int64) []verbs.Op {
	for _, at := range c.Env.FormerPlaces(c.Key) {
		ops = c.fetches(ops, first, end)
		for i := len(ops) - int(end-first); i < len(ops); i++ {
			ops[i].At = at
		}
	}
	return ops
}

// counter returns the key of the counter of a part, which is appended to the call's buffer.
func (c call) counter(part int64) []byte {
	start := len(c.Buf)
	c.Buf = appendPart(append(c.Buf, c.name...), part)
	return c.Buf[start:len(c.Buf):len(c.Buf)]
}

// take appends the numbers that were read to a reading.
func (c call) take(read *reading, replies []verbs.Reply) (failure string) {
	for i := range replies {
		n, failure := c.number(&replies[i])
		if failure != "" {
			return failure
		}
		read.counts = append(read.counts, n)
	}
	return ""
}

// takeAll is take for the counters of all parts that the reading lacks. After these come, for each former place, the counters of all parts.
func (c call) takeAll(read *reading, replies []verbs.Reply) (failure string) {
	var former reading
	lacks := parts + 2 - len(read.counts)
	if failure = cmp.Or(c.take(read, replies[:lacks]), c.take(&former, replies[lacks:])); failure != "" {
		return failure
	}
	for i, n := range former.counts {
		count := &read.counts[i%(parts+2)]
		*count = min(*count, mostCounted) + min(n, mostCounted)
	}
	return ""
}

// number returns the number that a reply tells.
func (c call) number(r *verbs.Reply) (n uint64, failure string) {
	switch r.Status {
	case verbs.Missing:
		return 0, ""
	case verbs.Hit:
		n, ok := protocol.ParseUint(bytes.TrimRight(r.Data, " ")) // a decr leaves the length as it was
		if !ok {
			return 0, fmt.Sprintf("CLIENT_ERROR one of the counters of %s, %s…, holds no number", c.Shown(c.Key), c.Shown([]byte(c.name)))
		}
		return n, ""
	case verbs.Dropped:
		return 0, fmt.Sprintf("SERVER_ERROR the counters of %s can't be read now", c.Shown(c.Key))
	default:
		return 0, r.Failure()
	}
}

// exptime returns the exptime of a counter that is made now. An upstream that has hung is late with its clock by as
// long as that was, and then its items live shorter.
func (c call) exptime(now int64) int64 {
	late := min(c.Env.Silence(c.Key), longestHang) / 1000
	return verbs.Exptime(c.window.lasts()+late, now)
}

// longestHang is how long an upstream hangs at most, in milliseconds, as far as counters make up for that.
const longestHang = 10_000
