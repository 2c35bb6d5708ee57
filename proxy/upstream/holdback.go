package upstream

// holdBack begins to hold back requests.
func (u *Upstream) holdBack(term uint32) {
	if u.reach == removed || !u.Remote.presence.is(holdingBack, term) {
		return
	}
	u.Tried, u.heldBack = false, heldBack{true, term}
	u.reportHeldBack()
}

// reportHeldBack tells the presence when no request is in flight any more that may make something
// outdated.
func (u *Upstream) reportHeldBack() {
	if u.heldBack.unreported && u.sparing == 0 {
		u.heldBack.unreported = false
		u.Remote.presence.holdsBack(u.heldBack.term)
	}
}

// Spares counts a change that goes to a spare pool because u is down.
func (u *Upstream) Spares() { u.sparing++ }

// Spared ends what Spares has counted.
func (u *Upstream) Spared() {
	u.sparing--
	u.reportHeldBack()
}

// serve begins to use the upstream.
func (u *Upstream) serve(term uint32) {
	if u.reach != removed && u.Remote.presence.is(serving, term) {
		u.heldBack = heldBack{}
		u.isUp()
		u.env.Returned(u)
	}
}
