package upstream

import (
	"time"

	"github.com/memverbs/memverbs/proxy/status"
)

// lost implements [keeper]. The second connection is closed with the first, see Bulk.
func (u *Upstream) lost(why string) {
	if !u.ends() {
		begins, served := u.Remote.presence.fail(u, why)
		if begins {
			u.Remote.deleted.Store(0)
			u.Remote.health.isDown(why, served)
			if !served && !u.Remote.informed {
				u.Remote.presence.doubts(atStart)
			}
		}
	}
	u.reach, u.heldBack = u.reach.lost(), heldBack{}
	u.State, u.refusal = Down, u.ErrorLine(isDown+why)
	u.failBoth(u.ErrorLine(why))
	u.reconnect()
}

// failBoth closes both connections. It answers what was in flight on them with an error, and what waits
// is answered as the upstream's state says.
func (u *Upstream) failBoth(reason []byte) {
	first, bulk := u.First.drop(), u.Bulk.drop()
	u.First.failAll(first, reason)
	u.Bulk.failAll(bulk, reason)
	u.noteTried()
}

// standDown stops using the upstream because another loop can't reach it, although this one may. Requests
// in flight are still answered.
func (u *Upstream) standDown(reason string) {
	if u.reach == removed {
		return
	}
	u.heldBack = heldBack{}
	u.State, u.refusal = Down, u.ErrorLine(isDown+reason)
	u.noteTried()
}

// A connection that was up for leastIdle, and is closed while nothing is in flight, is replaced without an
// outage: servers and firewalls close idle connections.
const leastIdle = time.Second

// renews implements [keeper]. It connects again while requests wait if the upstream is used, and nothing is in
// flight. If that fails, the upstream is down.
func (u *Upstream) renews() bool {
	if u.State != Up || u.InFlight() > 0 || time.Since(u.upSince) < leastIdle {
		return false
	}
	u.Stats.Counts[status.Errors]++
	u.Remote.presence.leave(u)
	u.State, u.Tried, u.reach = Connecting, false, unreached
	u.First.drop()
	u.Bulk.drop()
	if !u.ends() {
		u.First.connect()
	}
	return true
}

// Remove closes the connections for good, because no pool has u any more and nothing is in
// flight.
func (u *Upstream) Remove() {
	u.Close()
	u.reach = removed
	u.Remote.presence.leave(u)
	u.State, u.refusal = Down, u.ErrorLine("was removed from its pool")
	u.failBoth(u.refusal)
}
