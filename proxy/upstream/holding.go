package upstream

import "time"

// hold says whether a loop holds back requests for an upstream that is about to be used again. The
// requests wait, as they do before the first attempt to connect has ended.
type hold struct {
	asked bool   // the presence waits until nothing is in flight to a spare pool
	turn  uint32 // see presence
}

// holdBack begins to hold back requests.
func (u *Upstream) holdBack(turn uint32) {
	if u.removed || !u.remote.presence.is(holding, turn) {
		return
	}
	u.Tried, u.hold = false, hold{true, turn}
	u.tellHeld()
}

// tellHeld tells the presence when no request is in flight any more that may make something
// outdated.
func (u *Upstream) tellHeld() {
	if u.hold.asked && u.sparing == 0 {
		u.hold.asked = false
		u.remote.presence.holds(u.hold.turn)
	}
}

// Spares counts a change that goes to a spare pool because u is down.
func (u *Upstream) Spares() { u.sparing++ }

// Spared ends what Spares has counted.
func (u *Upstream) Spared() {
	u.sparing--
	u.tellHeld()
}

// serve begins to use the upstream.
func (u *Upstream) serve(turn uint32) {
	if !u.removed && u.remote.presence.is(serving, turn) {
		u.hold = hold{}
		u.isUp()
		u.env.Returned(u)
	}
}

// standDown stops using the upstream because another loop can't reach it, although this one may. Requests
// in flight are still answered.
func (u *Upstream) standDown(reason string) {
	if u.removed {
		return
	}
	u.hold = hold{}
	u.State, u.refusal = Down, u.ErrorLine(isDown+reason)
	u.noteTried()
}

// hurry connects at once instead of after a pause, because another loop has a connection.
func (u *Upstream) hurry() {
	if !u.ends() && u.retry != nil && u.retry.Stop() {
		u.First.connect()
	}
}

// Prompt connects soon instead of after a long pause, because another pool uses the server again. It does
// not shorten a short pause, so that pools can't make each other try without any pause.
func (u *Upstream) Prompt() {
	if u.attempts > 1 {
		u.attempts = 0 // so that the pause is short if a running attempt fails
		u.hurry()
	}
}

// A connection that was up for leastIdle, and is closed while nothing is in flight, is replaced without an
// outage: servers and firewalls close idle connections.
const leastIdle = time.Second

// idles reports whether the upstream is up and nothing is in flight.
func (u *Upstream) idles() bool {
	return u.State == Up && u.InFlight() == 0 && time.Since(u.upSince) >= leastIdle
}

// renew connects again; requests wait meanwhile. If that fails, the upstream is down.
func (u *Upstream) renew() {
	u.Stats.Errors++
	u.remote.presence.pause(u)
	u.State, u.Tried, u.arrived = Connecting, false, false
	u.First.drop()
	u.Bulk.drop()
	if !u.ends() {
		u.First.connect()
	}
}
