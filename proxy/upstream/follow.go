package upstream

// notify has u's loop follow a message of presence, later. term is that of presence when it was sent, and reason is that of the
// outage, if there is one.
func (u *Upstream) notify(m message, term uint32, reason string) {
	u.env.Net.Post(func() { u.follow(m, term, reason) })
}

// follow does what a message says.
func (u *Upstream) follow(m message, term uint32, reason string) {
	switch m {
	case toConnect:
		u.hurry()
	case toStandDown:
		u.standDown(reason)
	case toClear:
		u.clear(term)
	case toHoldBack:
		u.holdBack(term)
	case toServe:
		u.serve(term)
	case toPart:
		u.part()
	}
}
