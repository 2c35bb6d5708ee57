package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// OnDown is what clients of a pool get for the keys of an upstream that is down.
type OnDown uint8

const (
	// Refuse refuses all requests.
	Refuse OnDown = iota
	// Miss answers gets as if the keys were missing, and refuses changes and verbs.
	Miss
	// Spare sends get, set, add and delete to another pool meanwhile, in which nothing
	// lives longer than SpareTTL, and refuses everything else. Verbs never go elsewhere:
	// when the upstream is back there would be two structures under one key, and members
	// would be lost or come back.
	Spare
)

// misses reports whether the reply to command may be a miss because the upstream is down.
func (d OnDown) misses(command protocol.Command) bool {
	return d == Miss && (command.Retrieval() || command == protocol.MetaGet)
}

// missOf returns the reply to command for keys that are missing.
func missOf(command protocol.Command) string {
	if command == protocol.MetaGet {
		return "EN\r\n"
	}
	return "END\r\n"
}

// sparable reports whether command is sent to a spare pool.
func sparable(command protocol.Command) bool {
	switch command {
	case protocol.Get, protocol.Set, protocol.Add, protocol.Delete:
		return true
	}
	return false
}

// isDown reports whether u is down, rather than not tried yet.
func isDown(u *pool.Member) bool { return u.Tried && u.State != upstream.Up }

// spareFor returns the upstream of the spare pool that has key while its owner u is down; u if
// u is up, if no spare pool has it, or if that is read-only and command is a change.
func (p *loopPool) spareFor(u *pool.Member, command protocol.Command, key []byte) *pool.Member {
	if p.spare == nil || !isDown(u) || !sparable(command) || p.spare.shared.Guard.ReadOnly && !command.ReadOnly() {
		return u
	}
	if other := p.spare.Owner(key); !isDown(other) {
		return other
	}
	return u
}

// probeEvery is how often an upstream is probed when it is idle.
const probeEvery = time.Second

// watchUpstreams starts probing idle upstreams.
func (l *loop) watchUpstreams() {
	if l.config.probeEvery > 0 {
		l.timers.probing = time.AfterFunc(l.config.probeEvery, func() { l.post(l.probe) })
	}
}

// probe probes all idle upstreams.
func (l *loop) probe() {
	for _, u := range l.pools.members {
		u.Probe()
	}
	l.timers.probing.Reset(l.config.probeEvery)
}

// capExptime lowers an exptime of memcached, in seconds, so that an item lives no longer than
// ttl.
func capExptime(exptime int64, ttl time.Duration, now time.Time) int64 {
	most := int64(ttl / time.Second)
	ends := protocol.TimeOf(exptime, now).Unix()
	if exptime != 0 && ends <= now.Unix()+most {
		return exptime
	}
	return most
}
