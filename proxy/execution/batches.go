package execution

import (
	"cmp"

	"github.com/memverbs/memverbs/proxy/guess"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs"
)

// batches limits the reads that verbs send to an upstream in long batches. A verb that looks at every row
// of a table sends up to a thousand at once, and everybody else's next request waits until they are answered.
// So a verb waits for its turn before it prepares such a batch, see [verbs.Turn], and when there are enough
// under way, clients take turns: each waits for one batch of every other client, however many these want.
type batches struct {
	queue fairQueue
	ready bool // there may be room for some of those that wait
	each  int  // bytes to expect of each answer where the verb does not know; 0 before there was one
}

const (
	// leastOfRead is how many bytes a read of a batch counts as at least: an upstream sends
	// about so many in the time that a read without data takes it.
	leastOfRead = 256
	// firstOfRead is how many bytes each answer of the first batch is expected to have, if the verb does
	// not know.
	firstOfRead = 64 << 10
	// mostBatched is how many bytes the batches under way to an upstream may count as together. A
	// batch that counts as more is under way alone.
	mostBatched = 1 << 20
)

// begins gives r its turn, which op asks for, or has it wait and returns false.
func (b *batches) begins(r *Execution, op *verbs.Op) bool {
	if u := r.ownerOf(op); b.queue.len() == 0 && b.hasRoom(u, b.weight(op)) {
		b.give(r, u, op)
		return true
	}
	b.queue.add(&r.caller.batches, r)
	b.ready = true
	return false
}

// weight returns how many bytes the batch counts as that op asks for.
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

// give counts the batch of r, until it is answered.
func (b *batches) give(r *Execution, u *pool.Member, op *verbs.Op) {
	r.batch = batch{of: u, weight: b.weight(op), unknown: op.Bytes < 0}
	u.Verbs.Batched += r.batch.weight
}

// batch is what is counted of a verb's batch, from its turn until the batch is answered. It is zero otherwise.
type batch struct {
	of      *pool.Member
	weight  int  // bytes that it counts as
	read    int  // bytes of its answers so far
	unknown bool // the verb did not know how long they would be
}

// end ends the turn of r, whose batch has been answered, or which has ended without one.
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

// next resumes the verbs for whose batches there is room now, and reports whether there were any. It is
// called at the end of the callback, so that no verb is resumed inside another one.
func (b *batches) next() bool {
	if !b.ready {
		return false
	}
	b.ready = false
	resumed := false
	for i := 0; i < b.queue.len(); {
		r := b.queue.at(i)
		op := &r.trip.ops[0]
		u := r.ownerOf(op)
		if !r.caller.gone && !b.hasRoom(u, b.weight(op)) {
			i++
			continue
		}
		_, line := b.queue.take(i)
		b.queue.enter(line)
		resumed = true
		if r.caller.gone && r.Verb.ReadOnly { // nobody wants the answer
			r.abandon()
			continue
		}
		b.give(r, u, op)
		r.resumeWith(verbs.Reply{Status: verbs.Stored})
	}
	return resumed
}
