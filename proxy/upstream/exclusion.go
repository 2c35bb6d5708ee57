package upstream

// An upstream may be excluded although it can be reached: what lists the servers of its pool does not list it any more,
// so its address may belong to another program by now. It is down for all loops then, until it is admitted again.

// Exclude makes the upstream count as down, for a reason that clients get. It closes all connections.
func (r *Remote) Exclude(reason string) {
	if before := r.excluded.Swap(&reason); before == nil {
		r.presence.tellAll(toPart)
	}
}

// Admit ends an exclusion.
func (r *Remote) Admit() {
	if r.excluded.Swap(nil) != nil {
		r.presence.tellAll(toConnect)
	}
}

// part closes the connections, because the upstream is excluded. Where there are none, the next attempt to connect fails.
func (u *Upstream) part() {
	if err := u.Remote.exclusion(); err != nil && u.First.Connected() {
		u.lost(err.Error())
	}
}
