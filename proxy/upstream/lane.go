package upstream

// Lane is which connections somebody's requests are in flight on: on first ones or on
// second ones, to whichever upstreams. As the two kinds know nothing of each other, requests
// that must take effect in their order are not to be in flight on both.
type Lane struct {
	Owner  LaneOwner
	First  int // requests in flight on first connections
	Second int // and on second ones
}

// LaneOwner is told when a lane is free.
type LaneOwner interface {
	// LaneFree is called when nothing is in flight any more on connections of one kind.
	LaneFree()
}

// under returns the count of requests in flight on connections of one kind.
func (n *Lane) under(second bool) *int {
	if second {
		return &n.Second
	}
	return &n.First
}

// leaves is called when a request is not in flight on a connection any more.
func (n *Lane) leaves(second bool) {
	if under := n.under(second); *under == 1 {
		*under = 0
		n.Owner.LaneFree()
	} else {
		*under--
	}
}
