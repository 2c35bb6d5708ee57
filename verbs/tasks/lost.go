package tasks

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Loss is the kind under which a task that has lost its content is reported, see
// [structure.Env.NoteLost].
const Loss = "task"

// memcached evicts items that have not been read for long. The queue is read all the time, but the
// content of a task that is due tomorrow is not, so it would be evicted first. So every take also
// probes the contents of a few tasks that are not due, chosen at random; for memcached a probe is a
// use.

// looked is how many tasks a take probes.
const looked = 2

// sample returns the puts of a few tasks, chosen at random.
func (c taskCall) sample(q *Queue) (puts [][]byte) {
	for range min(looked, len(q.due)) {
		if t := &q.tasks[q.due[c.Random(len(q.due))]]; t.when > c.Env.Now() {
			puts = append(puts, bytes.Clone(t.put(q.log)))
		}
	}
	return puts
}

const (
	// sweptAtOnce is how many contents a sweep looks at in one round trip.
	sweptAtOnce = 1024
	// mostSwept is how many tasks a sweep looks at, to bound the memory for their puts.
	mostSwept = 1 << 16
)

// sweep drops tasks without contents, from the oldest on, up to about the first that has its content.
// It is for a queue that has lost many contents: reading the queue again for every few tasks that are
// dropped would take seconds.
func (c taskCall) sweep() {
	var due, lost [][]byte
	if q, _ := c.Read(c.LoadOne(c.Key, structure.Counted)).(*Queue); q != nil {
		now := c.Env.Now()
		for t := range q.inOrder(q.paceFor(&c.Pace)) {
			if t.at() > now || len(due) == mostSwept {
				break
			}
			due = append(due, bytes.Clone(t.put(q.log)))
		}
	}
	c.Release()
	for some := range slices.Chunk(due, sweptAtOnce) {
		c.AwaitBatch(len(some), 0)
		var ops []verbs.Op
		for _, put := range some {
			ops = append(ops, c.content(verbs.Probe, put))
		}
		gone := c.missing(some, c.AskAll(ops))
		if lost = append(lost, gone...); len(gone) < len(some) {
			break
		}
	}
	c.lose(lost)
}

// missing returns the puts whose contents were not found, according to replies.
func (c taskCall) missing(puts [][]byte, replies []verbs.Reply) (lost [][]byte) {
	for i, put := range puts {
		if replies[i].Status == verbs.Missing {
			lost = append(lost, put)
		}
	}
	return lost
}

// lose drops tasks whose contents are missing. If the queue still has the task, memcached has
// evicted the content, which is counted and logged.
func (c taskCall) lose(puts [][]byte) {
	if len(puts) == 0 {
		return
	}
	slices.SortFunc(puts, bytes.Compare)
	puts = slices.CompactFunc(puts, bytes.Equal) // a content may have been probed twice
	q, _ := c.Read(c.LoadOne(c.Key, structure.Counted)).(*Queue)
	puts = slices.DeleteFunc(puts, func(put []byte) bool { return q == nil || q.find(put) == nil })
	c.Release()
	most := max(c.HeadLimit(c.Key)/longestDrop, 1) // so that the tokens fit into an item
	for some := range slices.Chunk(puts, most) {
		var tokens []byte
		for _, put := range some {
			tokens = appendDrop(tokens, put)
		}
		if c.AppendExisting(tokens).Status != verbs.Stored {
			return
		}
		for _, put := range some {
			c.Env.(structure.Env).NoteLost(c.Key, c.Shown(appendContentKey(nil, c.Key, put)), Loss)
		}
	}
}
