package upstream

// take has u's loop carry out an order of presence, later. turn is when it was given, and reason is for the outage, if
// there is one.
func (u *Upstream) take(o order, turn uint32, reason string) {
	u.env.Net.Post(func() { u.follow(o, turn, reason) })
}

// follow carries out an order.
func (u *Upstream) follow(o order, turn uint32, reason string) {
	switch o {
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
	}
}
