package upstream

// Lane counts a client's requests in flight, separately on first and on second connections,
// to all upstreams together. A first and a second connection don't preserve an order between
// them, so requests that must take effect in order must not be in flight on both.
type Lane struct {
	Owner  LaneOwner
	First  int32 // in flight on first connections
	Second int32 // in flight on second connections
}

// LaneOwner is notified when a lane becomes free.
type LaneOwner interface {
	// LaneFree is called when First or Second has become 0.
	LaneFree()
}

// inFlight returns a pointer to the count for first or second connections.
func (n *Lane) inFlight(second bool) *int32 {
	if second {
		return &n.Second
	}
	return &n.First
}

// leaves is called when a request is no longer in flight.
func (n *Lane) leaves(second bool) {
	count := n.inFlight(second)
	if *count--; *count == 0 {
		n.Owner.LaneFree()
	}
}
