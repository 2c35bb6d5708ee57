package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// isDown reports whether u is down, rather than not tried yet.
func isDown(u *pool.Member) bool { return u.Tried && u.State != upstream.Up }

// spareFor returns the upstream of the spare pool that has key while its owner u is down; u if
// u is up, if no spare pool has it, or if that is read-only and command is a change.
func (p *loopPool) spareFor(u *pool.Member, command protocol.Command, key []byte) *pool.Member {
	if p.spare == nil || !isDown(u) || !config.Sparable(command) || p.spare.shared.Guard.ReadOnly && !command.ReadOnly() {
		return u
	}
	if other := p.spare.Owner(key); !isDown(other) {
		return other
	}
	return u
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
