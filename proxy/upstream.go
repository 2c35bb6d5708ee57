package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"net"
	"time"

	"github.com/panjf2000/gnet/v2"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// state is how an upstream is doing, as one loop sees it.
type state uint8

const (
	connecting state = iota // also: connected, but its version is not known yet
	up
	down
)

func (s state) String() string { return [...]string{"connecting", "up", "down"}[s] }

const (
	// maxQueued is how much may wait to be written to an upstream, in bytes,
	// before those who add to it are paused.
	maxQueued = 1 << 20
	// maxPending is how many requests may wait for an upstream's answer before
	// those who add to them are paused.
	maxPending = 64 << 10
	// The pause before connecting again grows from minPause to maxPause.
	minPause = 50 * time.Millisecond
	maxPause = 5 * time.Second
)

// upstream is one loop's connection to one memcached. Requests are pipelined,
// and replies belong to them in the order in which they were sent.
type upstream struct {
	loop    *loop
	index   int
	name    string
	state   state
	wire    *wire // nil without a connection
	pending fifo
	expired int    // requests at the start of pending whose time is up
	heard   uint32 // the tick at which something was last received
	unsent  int    // requests at the end of pending that have not been written
	touched bool
	sharers int       // callbacks whose requests wait for the end of the turn
	shared  int       // what that was at the end of the last turn that had any
	waiters []*client // paused until there is less to be written

	reader  replyReader
	front   pending // the request whose reply is being delivered
	answer  answer  // and the reply; both are here to be off the heap
	version version
	limit   int    // the longest item it takes, as memcached counts, in bytes; 0 if not known
	epoch   uint32 // how many connections there have been
	refusal []byte // what its keys' requests are answered while it is down

	settled  bool // the first attempt to connect has come to an end
	attempts int
	retry    *time.Timer
	stats    upstreamStats
}

func newUpstream(l *loop, index int) *upstream {
	u := &upstream{loop: l, index: index, name: l.server.config.Upstreams[index].Name}
	u.reader.pool = &l.pool
	u.reader.limit = l.server.config.MaxItemSize + protocol.MaxLine
	u.refusal = u.errorLine("is not connected yet")
	return u
}

// errorLine returns what a client is told when something is wrong with u.
func (u *upstream) errorLine(what string) []byte {
	return fmt.Appendf(nil, "SERVER_ERROR upstream %s %s\r\n", u.name, what)
}

// connect begins to connect. The outcome is reported to the loop.
func (u *upstream) connect() {
	l := u.loop
	go func() {
		if err := u.dial(); err != nil {
			l.run(func() { u.lost(describe(err)) })
		}
	}()
}

// dial connects and hands the connection to the loop. It waits until the loop
// has it.
func (u *upstream) dial() error {
	s := u.loop.server
	ctx, cancel := context.WithTimeout(s.context, s.config.ConnectTimeout)
	defer cancel()
	conn, err := s.config.Upstreams[u.index].Dial(ctx)
	if err != nil {
		return err
	}
	registered, err := u.loop.events.Enroll(gnet.NewContext(s.context, u), conn)
	if err != nil {
		_ = conn.Close()
		return err
	}
	return (<-registered).Err
}

// describe shortens what the net package says to what went wrong.
func describe(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		if op.Timeout() {
			return "connecting timed out"
		}
		return op.Err.Error()
	}
	return err.Error()
}

// opened is called when the connection is there. It asks for the version, and
// only after that is the upstream up.
func (u *upstream) opened(conn gnet.Conn) {
	u.epoch++
	u.limit = 0
	u.wire = &wire{loop: u.loop, conn: conn, fd: conn.Fd(), owner: u}
	u.wire.out.pool = &u.loop.pool
	u.wire.out.write([]byte("version\r\n"))
	u.push(pending{sink: u, command: protocol.Version})
	u.wire.out.write([]byte("stats settings\r\n"))
	u.push(pending{sink: settings{u}, command: protocol.Stats})
}

// settings takes an upstream's settings. They are used, not needed: there are
// servers without them.
type settings struct{ upstream *upstream }

func (s settings) answered(_ *pending, a *answer) {
	if a.fail {
		return
	}
	for line := range bytes.Lines(a.data) {
		if value, ok := bytes.CutPrefix(line, []byte("STAT item_size_max ")); ok {
			n, _ := protocol.ParseUint(bytes.TrimSpace(value))
			s.upstream.limit = int(min(n, math.MaxInt32))
		}
	}
}

// answered takes the version.
func (u *upstream) answered(_ *pending, a *answer) {
	if a.fail {
		return // and lost has seen to it
	}
	if a.last.Kind != protocol.ReplyVersion {
		u.fail(fmt.Sprintf("refuses connections: %s", a.last.Line))
		return
	}
	u.version = parseVersion(a.last.Line)
	u.state, u.attempts = up, 0
	u.loop.server.health[u.index].gained(u)
	u.settle()
}

// settle notes that the first attempt to connect has come to an end.
func (u *upstream) settle() {
	if !u.settled {
		u.settled = true
		u.loop.server.settled.Done()
	}
}

// push enters a request that has been appended to the output.
func (u *upstream) push(p pending) {
	u.loop.startTicks()
	if u.pending.len() == 0 {
		u.heard = u.loop.ticks
	}
	p.deadline = u.loop.after(u.loop.server.config.Timeout)
	u.pending.push(p)
	u.stats.Requests++
	u.unsent++
	if !u.touched {
		u.touched = true
		u.loop.touched = append(u.loop.touched, u)
	}
}

// dispatch decides, at the end of a callback, when the requests that came with
// it are written: together with those of other clients that are readable now, at
// the end of the loop's turn. They are written at once if they are many, or if
// nothing is under way and the last time there were no others.
func (u *upstream) dispatch() {
	switch {
	case u.wire == nil:
	case u.unsent == u.pending.len() && u.shared <= 1, u.wire.out.size >= ownBuffer:
		u.wire.send()
	default:
		u.loop.endOfTurn(u)
	}
}

// request sends what a client asked for.
func (u *upstream) request(r *protocol.Request, p pending) {
	out := &u.wire.out
	out.extend(r.AppendTo(out.room(r.Len())))
	u.push(p)
}

// operate sends what a verb asked for.
func (u *upstream) operate(op *verbs.Op, p pending) {
	out := &u.wire.out
	out.extend(op.AppendTo(out.room(len(op.Key) + len(op.Data) + 128)))
	p.command = op.Command()
	u.push(p)
}

// busy reports whether so much waits to be written that c, who wants to add to
// it, has to wait. It is woken when that is over.
func (u *upstream) busy(c *client) bool {
	if u.state != up || u.wire.out.size < maxQueued && u.pending.len() < maxPending {
		return false
	}
	if c.waitsFor != u {
		c.waitsFor = u
		u.waiters = append(u.waiters, c)
	}
	return true
}

// drained is called after something has been written.
func (u *upstream) drained() {
	if u.wire.out.size == 0 {
		u.unsent = 0
	}
	u.releaseIfIdle()
}

// releaseIfIdle lets those who wait go on when there is room for them.
func (u *upstream) releaseIfIdle() {
	if len(u.waiters) > 0 && u.wire.out.size < maxQueued/2 && u.pending.len() < maxPending/2 {
		u.release()
	}
}

func (u *upstream) release() {
	for _, c := range u.waiters {
		c.waitsFor = nil
		u.loop.wake(c)
	}
	clear(u.waiters)
	u.waiters = u.waiters[:0]
}

var keySeed = maphash.MakeSeed()

// hashKey is used to check that a value belongs to the request it came for.
func hashKey(key []byte) uint32 { return uint32(maphash.Bytes(keySeed, key)) | 1 }

// read takes what the upstream sent.
func (u *upstream) read(data []byte) {
	u.heard = u.loop.ticks
	if u.reader.stream.rest > 0 {
		data = u.pass(data)
	}
	u.reader.feed(data)
	for u.wire != nil && u.reader.more() {
		if u.pending.len() == 0 {
			u.fail("sent something that was not asked for")
			return
		}
		ready, err := u.reader.next(u.pending.front())
		if err != nil {
			u.fail("sent " + err.Error())
			return
		}
		if !ready {
			break
		}
		u.deliver()
	}
	if u.wire == nil {
		return
	}
	u.reader.leave()
	if u.reader.stream.rest > 0 {
		u.move()
	}
	u.releaseIfIdle()
}

// deliver hands the reply that the reader holds to who asked for it.
func (u *upstream) deliver() {
	p, a := &u.front, &u.answer
	*p, *a = u.pending.pop(), u.reader.take()
	a.epoch = u.epoch
	u.expired = max(0, u.expired-1)
	if a.last.Kind == protocol.ReplyError {
		u.stats.Errors++
	}
	u.loop.stats.count(p, &u.reader)
	if u.reader.oversize > 0 {
		*a = answer{fail: true, data: u.errorLine(fmt.Sprintf(
			"holds a value of %d bytes under this key, more than --max-item-size", u.reader.oversize))}
	}
	p.sink.answered(p, a)
	p.sink = nil
	u.reader.done(a)
}

// fail gives up the connection.
func (u *upstream) fail(why string) {
	u.stats.Errors++
	w := u.wire
	u.lost(why)
	if w != nil {
		_ = u.loop.events.Close(w.conn)
	}
}

// broken is called when writing fails.
func (u *upstream) broken(err error) { u.fail("can't be written to: " + err.Error()) }

// lost is called when the connection is gone, or could not be had. What is
// pending fails: it may have been carried out, so it is not sent again.
func (u *upstream) lost(why string) {
	if u.state == up {
		u.loop.server.health[u.index].lost(u, why)
	} else if u.attempts == 0 {
		u.loop.server.health[u.index].missing(why)
	}
	u.state, u.refusal = down, u.errorLine("is down: "+why)
	u.drop()
	failed := u.pending
	u.pending, u.unsent, u.expired = fifo{}, 0, 0
	reason := u.errorLine(why)
	for failed.len() > 0 {
		p := failed.pop()
		p.sink.answered(&p, &answer{data: reason, fail: true})
	}
	u.release()
	u.settle()
	u.reconnect()
}

// drop lets go of what belongs to the connection.
func (u *upstream) drop() {
	if w := u.wire; w != nil {
		u.wire = nil
		w.ended = true
		w.out.drop()
		u.loop.flow.forget(w)
	}
	u.reader.reset()
}

// reconnect tries again after a pause that grows, and that no two loops or
// proxies share.
func (u *upstream) reconnect() {
	if u.loop.server.context.Err() != nil {
		return
	}
	pause := min(minPause<<min(u.attempts, 16), maxPause)
	pause = pause/2 + rand.N(pause)
	u.attempts++
	u.retry = time.AfterFunc(pause, u.connect)
}

// onTick refuses the requests that have waited for too long, and gives up the
// connection if nothing at all has come meanwhile: one that is slow with a lot
// to send is not broken, and the requests behind are better off on it. It
// reports whether anything is waited for.
func (u *upstream) onTick() bool {
	timeout := u.loop.server.config.Timeout
	late := u.errorLine(fmt.Sprintf("did not answer within %v", timeout))
	for u.expired < u.pending.len() && u.loop.passed(u.pending.at(u.expired).deadline) {
		p := *u.pending.at(u.expired)
		u.pending.at(u.expired).sink = nobody{}
		u.expired++
		u.stats.Timeouts++
		p.sink.answered(&p, &answer{data: late, fail: true})
	}
	if u.expired > 0 && int32(u.loop.ticks-u.heard) >= int32(min(timeout/u.loop.tick, maxTicks)) {
		u.fail(fmt.Sprintf("did not answer within %v", timeout))
	}
	return u.pending.len() > 0
}

// nobody takes the replies to requests that have been refused meanwhile.
type nobody struct{}

func (nobody) answered(*pending, *answer) {}

// closed is called when gnet is about to close the connection.
func (u *upstream) closed(conn gnet.Conn) {
	if u.wire != nil && u.wire.conn == conn {
		u.stats.Errors++
		u.lost("closed the connection")
	}
}
