package upstream

// take has u's loop follow a message of presence, later. turn is that of presence when it was sent, and reason is for the
// outage, if there is one.
func (u *Upstream) take(m message, turn uint32, reason string) {
	u.env.Net.Post(func() { u.follow(m, turn, reason) })
}

// follow does what a message says.
func (u *Upstream) follow(m message, turn uint32, reason string) {
	switch m {
	case toConnect:
		u.hurry()
	case toStandDown:
		u.standDown(reason)
	case toClear:
		u.clear(turn)
	case toHoldBack:
		u.holdBack(turn)
	case toServe:
		u.serve(turn)
	case toPart:
		u.part()
	}
}
