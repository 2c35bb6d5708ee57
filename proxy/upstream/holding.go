package upstream

// holdBack begins to hold back requests.
func (u *Upstream) holdBack(turn uint32) {
	if u.removed || !u.Remote.presence.is(holding, turn) {
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
		u.Remote.presence.holds(u.hold.turn)
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
	if !u.removed && u.Remote.presence.is(serving, turn) {
		u.hold = hold{}
		u.isUp()
		u.env.Returned(u)
	}
}
