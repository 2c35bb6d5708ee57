package execution

import (
	"cmp"

	"github.com/memverbs/memverbs/proxy/guess"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// batches limits the reads that verbs send to an upstream in long batches. A verb that reads every row of a
// table sends up to a thousand reads at once, and all other requests wait until they are answered. So a verb
// asks before it prepares such a batch, see [verbs.BatchSlot]. While enough batches are under way, verbs wait, and
// clients are served round-robin: each waits for one batch of every other client, however many these want to
// send.
type batches struct {
	queue fairQueue
	ready bool // some verbs that wait may be able to send their batch
	each  int  // bytes to expect of each answer if the verb does not know; 0 before the first answer
}

const (
	// leastOfRead is how many bytes a read of a batch counts as at least: in the time that a
	// read without data takes an upstream, it sends about this many bytes.
	leastOfRead = 256
	// firstOfRead is how many bytes each answer of the first batch is expected to have, if the verb does
	// not know.
	firstOfRead = 64 << 10
	// mostBatched is how many bytes the batches under way to an upstream may count as together. A
	// batch that counts as more is under way alone.
	mostBatched = 1 << 20
)

// begins reports whether r may send the batch that op asks for. If not, r waits.
func (b *batches) begins(r *Execution, op *verbs.Op) bool {
	if b.queue.len() == 0 && b.hasRoom(r.ownerOf(op), b.weight(op)) {
		b.start(r, op)
		return true
	}
	b.queue.add(&r.caller.batches, r)
	b.ready = true
	return false
}

// weight returns how many bytes the batch that op asks for counts as.
func (b *batches) weight(op *verbs.Op) int {
	each := op.Bytes
	if each < 0 {
		each = cmp.Or(b.each, firstOfRead)
	}
	return int(op.Number) * max(each, leastOfRead)
}

func (b *batches) hasRoom(u *pool.Member, weight int) bool {
	return u.Verbs.Batched == 0 || u.Verbs.Batched+weight <= mostBatched
}

// start counts the batch of r, until it is answered.
func (b *batches) start(r *Execution, op *verbs.Op) {
	r.batch = batch{of: r.ownerOf(op), weight: b.weight(op), unknown: op.Bytes < 0}
	r.batch.of.Verbs.Batched += r.batch.weight
}

// end stops counting the batch of r, which was answered or never sent.
func (b *batches) end(r *Execution) {
	if r.batch.of == nil {
		return
	}
	r.batch.of.Verbs.Batched -= r.batch.weight
	if r.batch.unknown && len(r.trip.ops) > 0 {
		b.each = guess.After(b.each, r.batch.read/len(r.trip.ops), leastOfRead)
	}
	r.batch = batch{}
	b.ready = true
}

// next takes a verb out of the queue: that of the first client, from the i-th on, whose batch may be sent now, or
// whose client is gone. It returns nil if there is none, and the client's place in the queue.
func (b *batches) next(i int) (*Execution, int) {
	for ; i < b.queue.len(); i++ {
		r := b.queue.at(i)
		if op := &r.trip.ops[0]; r.caller.attention == gone || b.hasRoom(r.ownerOf(op), b.weight(op)) {
			_, line := b.queue.take(i)
			b.queue.enter(line)
			return r, i
		}
	}
	return nil, i
}
