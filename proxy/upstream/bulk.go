package upstream

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Bulk is a loop's second connection to an upstream, for large replies. Replies arrive in
// order, so on a single connection small replies would wait behind other clients' large
// ones. The two connections preserve no order between them, so requests that must keep
// their order use only one of the two (Lane).
//
// It is opened when it is first needed and then kept. So upstreams with small values
// only, as most are, have half as many connections, of which memcached allows 1024 by
// default. If it can't be opened, perhaps because of this limit, nothing fails: the
// first connection carries the large replies too, and after a pause the next large
// reply tries again.
//
// Once it is up, both connections are closed together, because a failure of either is a failure of
// the server. So replies on both have the same epoch, and a conditional operation, sent on the
// first connection, reaches the process that its CAS came from, or none. There is one exception: a
// server may close idle connections, and losing an idle second connection does no harm.
type Bulk struct {
	Connection
	State    State
	first    *Connection
	epoch    uint32 // in which it was opened
	attempts int
	pause    time.Time // no new attempt before this time
}

// Ready reports whether the second connection may be used. If there is none, it starts
// connecting, unless that failed a short time ago.
//
// A request that timed out, and was answered with an error, may still be in flight on
// the first connection without being counted in a lane. So the second connection is not
// used until such requests have been answered.
func (b *Bulk) Ready() bool {
	if b.State == Down && b.link.State == Up && time.Now().After(b.pause) {
		b.State, b.epoch = Connecting, b.link.Epoch
		b.connect()
	}
	return b.State == Up && b.first.expired == 0
}

// opened implements [keeper]. An answer shows that the server has really accepted the
// connection.
func (b *Bulk) opened() bool {
	if b.link.State != Up || b.epoch != b.link.Epoch {
		b.State = Down
		return false
	}
	b.authenticate()
	b.Ask("version\r\n", Pending{Sink: b, Command: protocol.Version})
	return true
}

// renews implements [keeper]. The connection is opened again when it is needed.
func (b *Bulk) renews() bool { return false }

// Answered implements [Sink] for the version.
func (b *Bulk) Answered(_ *Pending, a *Answer) {
	switch {
	case a.Failed():
	case a.Last.Kind != protocol.ReplyVersion:
		b.Fail(b.env.Login.whyUnversioned(a.Last.Line))
	default:
		b.State, b.attempts, b.greeted = Up, 0, true
		b.link.Remote.health.hasSecond()
	}
}

// lost implements [keeper].
func (b *Bulk) lost(why string) {
	if b.State == Up && b.pending.len() > 0 {
		b.first.keeper.lost(why)
		return
	}
	if b.State == Connecting && b.link.State == Up {
		b.link.Remote.health.lacksSecond(b.env.Context, why)
	}
	failed := b.drop()
	b.State, b.pause = Down, time.Now().Add(pauseBefore(b.attempts))
	b.attempts++
	b.failAll(failed, b.link.ErrorLine(why))
}

// drop is drop of Connection. If the connection is still being established, opened will
// drop it.
func (b *Bulk) drop() unanswered {
	if b.conn != nil {
		b.State = Down
	}
	return b.Connection.drop()
}
