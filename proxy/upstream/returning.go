package upstream

import (
	"fmt"
	"sync"

	"github.com/memverbs/memverbs/protocol"
)

// While an upstream is down, or not in its pool, clients go on without it: what they change or
// delete meanwhile is outdated there when it is back. So it may be flushed before it is used
// again ([Env.FlushOnReturn]): by the loop that connects first, once for each outage.

// outages is what all loops know about the outages of an upstream. It is safe for concurrent
// use.
type outages struct {
	mu       sync.Mutex
	begun    uint64 // so far
	flushed  uint64 // those of them after which it was flushed
	flushing bool   // a loop is flushing it
	told     uint64 // those of them whose end has been logged
}

// begin counts an outage.
func (o *outages) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
}

// total returns how many outages there were.
func (o *outages) total() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.begun
}

// toFlush reports whether the upstream has to be flushed first, and whether another loop is
// doing that.
func (o *outages) toFlush() (has, other bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	has = o.begun > o.flushed
	other = has && o.flushing
	o.flushing = o.flushing || has
	return has, other
}

// haveFlushed ends what toFlush has begun.
func (o *outages) haveFlushed(done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushing = false
	if done {
		o.flushed = o.begun
	}
}

// ended reports whether an outage has ended whose end has not been logged.
func (o *outages) ended() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	ended := o.begun > o.told
	o.told = o.begun
	return ended
}

// MarkReturning says that the upstream was in its pool before, and may have outdated values.
func (r *Remote) MarkReturning() { r.health.outages.begin() }

// flushFirst flushes the upstream if it has to be before it is used. It returns false if it
// need not.
func (u *Upstream) flushFirst() bool {
	if !u.env.FlushOnReturn {
		return false
	}
	has, other := u.remote.health.outages.toFlush()
	switch {
	case other:
		u.attempts = max(u.attempts, 1) // it can be reached, so no outage is to be counted
		u.lost("is being flushed")
	case has:
		u.First.Ask("flush_all\r\n", Pending{Sink: flushing{u}, Command: protocol.FlushAll})
	}
	return has
}

// flushing receives the answer to the flush of an upstream that has returned.
type flushing struct{ upstream *Upstream }

// Answered implements [Sink].
func (f flushing) Answered(_ *Pending, a *Answer) {
	done := !a.Fail && string(a.Last.Line) == "OK"
	f.upstream.remote.health.outages.haveFlushed(done)
	switch {
	case done:
		f.upstream.isUp()
	case !a.Fail:
		f.upstream.First.Fail(fmt.Sprintf("can't be flushed on its return: %s", a.Last.Line))
	}
}
