package upstream

import (
	"fmt"
	"math"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/outdated"
)

// Before an upstream that was away is used again, what is outdated on it is deleted: the keys that clients
// have changed meanwhile, or have tried to change, and all keys if clients have sent a flush_all. Copies
// of keys in spare pools are deleted with them. An upstream that fails meanwhile is cleared again when it
// is back.

// mostDeleted is how many keys are deleted at a time.
const mostDeleted = 500

// busyPause is the pause before checking again whether another pool with the same server has deleted
// its batch of keys.
const busyPause = 10 * time.Millisecond

// clear deletes what is outdated, and then tells the other loops.
func (u *Upstream) clear(term uint32) {
	p := &u.Remote.presence
	if u.reach != reached || !p.isTerm(term) {
		return
	}
	if u.env.OnReturn == Keep {
		p.cleared(term)
		return
	}
	if at := u.flushTime(); !at.IsZero() {
		u.flush(at, term)
		return
	}
	switch batch, busy := u.Remote.outdated.Take(mostDeleted); {
	case batch != nil:
		u.deleteAll(batch, term)
	case busy:
		time.AfterFunc(busyPause, func() { u.env.Net.Post(func() { u.clear(term) }) })
	default:
		p.cleared(term)
	}
}

// flushTime returns when to flush the upstream, or the zero time if it need not be flushed.
func (u *Upstream) flushTime() time.Time {
	keys := u.Remote.outdated
	at := keys.TakeFlush()
	if u.env.OnReturn == Flush && (keys.Unknown() > 0 || u.Remote.presence.hasLeft()) {
		return time.Now()
	}
	return at
}

// flush flushes the upstream.
func (u *Upstream) flush(at time.Time, term uint32) {
	request, delay := "flush_all\r\n", time.Until(at)
	if delay > 0 {
		request = fmt.Sprintf("flush_all %d\r\n", int(math.Ceil(delay.Seconds())))
	}
	flushed := SinkFunc(func(_ *Pending, a *Answer) { u.flushed(a, at, term) })
	u.First.Ask(request, Pending{Sink: flushed, Command: protocol.FlushAll})
}

// flushed receives the answer to the flush of an upstream.
func (u *Upstream) flushed(a *Answer, at time.Time, term uint32) {
	if a.Failed() || string(a.Last.Line) != "OK" {
		u.Remote.outdated.Flush(at)
		if !a.Failed() {
			u.refusesClearing("can't be flushed on its return", a)
		}
		return
	}
	if time.Until(at) <= 0 {
		u.Remote.outdated.Flushed()
		u.Remote.presence.doubts(none)
		u.Remote.health.log.Info("upstream was flushed on its return")
	}
	u.clear(term)
}

// deletion is a batch of keys that are being deleted.
type deletion struct {
	upstream *Upstream
	batch    *outdated.Batch
	term     uint32
	waiting  int  // answers outstanding; one more until all deletions have been sent
	failed   bool // a key may not have been deleted
}

// deleteAll deletes a batch.
func (u *Upstream) deleteAll(b *outdated.Batch, term uint32) {
	d := &deletion{upstream: u, batch: b, term: term, waiting: 1}
	for i, key := range b.Keys {
		d.delete(u, key, d)
		if b.Pools[i] != "" {
			d.deleteCopy(u.env.SpareOf(b.Pools[i], key), key)
		}
	}
	d.arrived()
}

// deleteCopy deletes a key from an upstream of a spare pool, which is nil if there is no such pool any
// more. If that upstream is away too, it remembers the key. A copy whose deletion fails remains until it expires, after the
// spare pool's TTL.
func (d *deletion) deleteCopy(from *Upstream, key string) {
	switch {
	case from == nil:
	case from.State == Up:
		d.delete(from, key, SinkFunc(func(*Pending, *Answer) { d.arrived() }))
	default:
		from.Remember([]byte(key), "")
	}
}

// delete deletes a key from u. If the connection is lost, u remembers the key, too.
func (d *deletion) delete(u *Upstream, key string, sink Sink) {
	req := protocol.DeletionOf([]byte(key))
	d.waiting++
	u.First.Request(&req, &Pending{Sink: sink, Command: req.Command, Loss: LossUnnoticed})
}

// Answered implements [Sink].
func (d *deletion) Answered(_ *Pending, a *Answer) {
	if a.IsError() {
		d.failed = true
	}
	if !a.Failed() && d.failed {
		d.upstream.refusesClearing("refuses to delete what is outdated", a)
	}
	d.arrived()
}

// refusesClearing is called when the upstream has answered a deletion or a flush with an error. The
// upstream stays down, because otherwise its old values would be read, and is cleared again after a
// growing pause.
func (u *Upstream) refusesClearing(what string, a *Answer) {
	why := fmt.Sprintf("%s: %s", what, a.Last.Line)
	u.Remote.health.refusesClearing(why)
	u.First.Fail(why)
}

// arrived is called when a key, or its copy, has been deleted, or can't be.
func (d *deletion) arrived() {
	if d.waiting--; d.waiting > 0 {
		return
	}
	d.upstream.Remote.outdated.Done(d.batch, !d.failed)
	if !d.failed {
		d.upstream.Remote.deleted.Add(uint64(len(d.batch.Keys)))
	}
	d.upstream.clear(d.term)
}

// isBack logs that all loops use the upstream, with the outage that has ended.
func (u *Upstream) isBack(o recovery) {
	u.Remote.health.isBack(u.Version, o)
	if u.env.OnReturn != Keep {
		deleted, forgotten := u.Remote.returned()
		u.Remote.health.isCleared(deleted, forgotten, o.doubt)
	}
}
