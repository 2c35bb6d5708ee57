package upstream

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Bulk is a loop's second connection to an upstream, for large replies. Replies come in
// order, so on one connection everybody's small ones would wait behind somebody's large
// ones. The two connections know nothing of each other, so who needs the order of requests
// has them on one of the two (Lane).
//
// It is opened when it is first needed and then kept. Upstreams that hold small
// values only, as most do, are so spared half of the connections, of which
// memcached allows 1024 unless told otherwise. If it can't be had, perhaps because
// of that limit, nothing fails: the first connection carries the large replies
// as well, and after a pause who needs it tries again.
//
// Once it is up, the two are one: if either is given up, so is the other, as what
// is wrong with one is wrong with the server behind both. So a reply on either is
// of the same epoch, and a comparison, which is made on the first connection, is
// made by the server that the CAS is from, if at all. There is one exception:
// a server may close connections that are idle, and the second alone is no loss if
// nothing is under way on it.
type Bulk struct {
	Connection
	State    State
	epoch    uint32 // that it was asked for in
	attempts int
	pause    time.Time // the end of the pause before the next attempt
}

// Ready reports whether requests can go on the second connection. If there is none,
// it begins to connect, unless that has failed a short time ago.
//
// A request without a lane that was refused late may be under way on the first
// connection still, though who asked does not wait for it any more. So nothing new goes
// on the second before that has been answered.
func (b *Bulk) Ready() bool {
	u := b.upstream
	if b.State == Down && u.State == Up && time.Now().After(b.pause) {
		b.State, b.epoch = Connecting, u.Epoch
		b.connect()
	}
	return b.State == Up && u.First.expired == 0
}

// opened implements [keeper]. That the server answers shows that it has really
// taken the connection.
func (b *Bulk) opened() bool {
	if b.upstream.State != Up || b.epoch != b.upstream.Epoch {
		b.State = Down
		return false
	}
	b.Ask("version\r\n", Pending{Sink: b, Command: protocol.Version})
	return true
}

// Answered takes the version.
func (b *Bulk) Answered(_ *Pending, a *Answer) {
	switch {
	case a.Fail:
	case a.Last.Kind != protocol.ReplyVersion:
		b.Fail(fmt.Sprintf("refuses connections: %s", a.Last.Line))
	default:
		b.State, b.attempts, b.greeted = Up, 0, true
		b.upstream.health().hasSecond()
	}
}

// lost implements [keeper].
func (b *Bulk) lost(why string) {
	if b.State == Up && b.pending.len() > 0 {
		b.upstream.lost(why)
		return
	}
	if b.State == Connecting && b.upstream.State == Up {
		b.upstream.health().lacksSecond(b.upstream, why)
	}
	failed := b.drop()
	b.State, b.pause = Down, time.Now().Add(pauseBefore(b.attempts))
	b.attempts++
	b.failAll(failed, b.upstream.ErrorLine(why))
}

// drop is drop of Connection. A connection that is still being made is dropped by
// opened.
func (b *Bulk) drop() pendingQueue {
	if b.conn != nil {
		b.State = Down
	}
	return b.Connection.drop()
}
