package proxy

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Replies come in order, so on one connection everybody's small ones would wait
// behind somebody's large ones. Retrievals of clients that get large values
// therefore go to the upstream on a connection of their own, and so do verbs'
// reads of segments, which are large and never change.
//
// A client's requests must take effect in their order. The two connections know
// nothing of each other, so what a client asks for on one of them waits until
// nothing of its own is under way on the other (lane).

// bulk is a loop's second connection to an upstream, for large replies.
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
type bulk struct {
	connection
	state    state
	epoch    uint32 // that it was asked for in
	attempts int
	pause    time.Time // the end of the pause before the next attempt
}

// ready reports whether requests can go on the second connection. If there is none,
// it begins to connect, unless that has failed a short time ago.
//
// An operation of a verb that was refused late may be under way on the first
// connection still, though its client is not known any more. So nothing new goes on
// the second before that has been answered.
func (b *bulk) ready() bool {
	u := b.upstream
	if b.state == down && u.state == up && time.Now().After(b.pause) {
		b.state, b.epoch = connecting, u.epoch
		b.connect()
	}
	return b.state == up && u.first.expired == 0
}

// opened implements [keeper]. That the server answers shows that it has really
// taken the connection.
func (b *bulk) opened() bool {
	if b.upstream.state != up || b.epoch != b.upstream.epoch {
		b.state = down
		return false
	}
	b.ask("version\r\n", pending{sink: b, command: protocol.Version})
	return true
}

// answered takes the version.
func (b *bulk) answered(_ *pending, a *answer) {
	switch {
	case a.fail:
	case a.last.Kind != protocol.ReplyVersion:
		b.fail(fmt.Sprintf("refuses connections: %s", a.last.Line))
	default:
		b.state, b.attempts, b.greeted = up, 0, true
		b.loop.server.health[b.upstream.index].hasSecond()
	}
}

// lost implements [keeper].
func (b *bulk) lost(why string) {
	if b.state == up && b.pending.len() > 0 {
		b.upstream.lost(why)
		return
	}
	if b.state == connecting && b.upstream.state == up {
		b.loop.server.health[b.upstream.index].lacksSecond(b.upstream, why)
	}
	failed := b.drop()
	b.state, b.pause = down, time.Now().Add(pauseBefore(b.attempts))
	b.attempts++
	b.failAll(failed, b.upstream.errorLine(why))
	b.release()
}

// drop is drop of connection. A connection that is still being made is dropped by
// opened.
func (b *bulk) drop() pendingQueue {
	if b.conn != nil {
		b.state = down
	}
	return b.connection.drop()
}
