package pool

import "github.com/memverbs/memverbs/proxy/admission"

// newcomers are the clients that have not received a value yet and ask an upstream for some. The
// size of their values is unknown, so these are requested on the first connection, and small
// replies to other clients wait behind them. One client does little harm that way, but hundreds
// that get large values delay others for longer than their time-out. So newcomers share limited
// room on the connection, and are served round-robin.
type newcomers struct {
	admission.Queue
	member *Member
}

// newcomersBudget is how many bytes of values, as expected, may be outstanding for the newcomers of
// an upstream. It takes a loop a few milliseconds to receive them.
const newcomersBudget = 4 << 20

func (n *newcomers) init(member *Member, queues *admission.Queues) {
	n.member = member
	n.Init(queues, n)
}

// Has implements [admission.Resource]. A client that needs several upstreams, and has been served
// for one, may exceed the room of the others, for the reason given at [connectionQueue.Has].
func (n *newcomers) Has(w *admission.Waiter) bool {
	asked := n.member.First.Unsized + n.member.Bulk.Unsized
	if asked == 0 || n.member.retired {
		return true
	}
	room := newcomersBudget
	if w.Several && w.Share > 0 {
		room *= 2
	}
	return asked*w.Unsized < room
}
