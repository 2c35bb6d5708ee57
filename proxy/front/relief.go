package front

import (
	"cmp"
	"github.com/memverbs/memverbs/protocol"
	"slices"

	"github.com/memverbs/memverbs/proxy/status"
)

// A loop frees memory when more is in use than --buffer-memory allows. Clients are
// slowed down long before that, but many clients can each have an incomplete large
// request, or large unread replies, whose size is known only when they have arrived.

const (
	// worthGivingUp is the least size of an incomplete request, in bytes, that is
	// refused to free memory.
	worthGivingUp = 1 << 10
	// reliefShare is the fraction of the budget that is freed at a time, so that not
	// every received byte leads to a search of all clients.
	reliefShare = 16
	// blameShare is the fraction of the memory that clients must use together before clients that
	// use little each are disconnected.
	blameShare = 4
	// worthCutting is the memory, in bytes, from which a client may be disconnected regardless of
	// blameShare.
	worthCutting = 256 << 10
	// unfinishedShare is the fraction of the memory that incomplete requests may take
	// while verbs wait for room.
	unfinishedShare = 4
)

// relieve frees memory because the budget is overdrawn. First it frees memory kept for
// reuse. Then it refuses requests with large incomplete replies. Then, if incomplete requests take
// more memory than the other clients, it refuses these; otherwise it disconnects the clients with
// the most memory. If that is not enough, it asks the other loops to do the same; a loop that uses
// little memory asks them at once. If nothing helps, it tries again after a tick, or when more is
// in use.
func (l *Loop) relieve() {
	if f := &l.relief.futile; f.tried && l.clock.Ticks == f.tick && l.Account.Used() < f.used+l.enough()/4 {
		return
	}
	l.relief.futile = futile{}
	l.shed()
	if l.shedIdle(); !l.Account.Overdrawn() {
		return
	}
	before := l.Account.Used()
	if l.Account.Used() >= l.enough()/l.Config.Loops {
		l.giveUpReplies()
		if l.Account.Overdrawn() {
			l.relieveOfClients()
			l.shed() // their buffers were kept for reuse
		}
	}
	if l.Account.Overdrawn() {
		l.askOthers()
	}
	if l.Account.Used() >= before {
		l.clock.Start()
		l.relief.futile = futile{tried: true, tick: l.clock.Ticks, used: before}
	}
}

// shedIdle frees what clients of the binary protocol keep for their next requests while they have none.
func (l *Loop) shedIdle() {
	for c := range l.Clients.All {
		if c.input.binary != nil && c.input.waiting() == nil && c.replies.Len() == 0 {
			c.input.binary.Shed()
		}
	}
}

// enough returns how many bytes to free at a time.
func (l *Loop) enough() int { return int(l.Budget.Limit) / reliefShare }

func (l *Loop) relieveOfClients() {
	unfinished, begun := l.unfinished()
	var others []*Client
	owed := 0 // bytes
	for c := range l.Clients.All {
		if held := c.memory(); held > 0 && !c.unfinished() {
			others = append(others, c)
			owed += held
		}
	}
	if begun >= owed {
		l.giveUp(unfinished)
		return
	}
	l.cutOffWorst(others, begun+owed)
}

// unfinished returns the clients with large incomplete requests, and how many bytes these take.
func (l *Loop) unfinished() (clients []*Client, size int) {
	for c := range l.Clients.All {
		if c.unfinished() {
			clients = append(clients, c)
			size += c.memory()
		}
	}
	return clients, size
}

// unfinished reports whether the client has a large incomplete request.
func (c *Client) unfinished() bool {
	return !c.blocked() && c.input.state != ignored && c.input.pending() > 0 && cap(c.input.bytes()) >= worthGivingUp
}

// relieveVerbs frees memory for waiting verbs if incomplete requests take much of it, since they
// may remain incomplete for ever.
func (l *Loop) relieveVerbs() {
	if clients, begun := l.unfinished(); begun >= int(l.Budget.Limit)/unfinishedShare/l.Config.Loops {
		l.giveUp(clients)
	}
}

// cutOffWorst disconnects the clients with the most memory until enough is free, as a
// last resort. If each has little, it does so only if all together take much of the
// memory.
func (l *Loop) cutOffWorst(clients []*Client, all int) {
	slices.SortFunc(clients, func(a, b *Client) int { return cmp.Compare(b.memory(), a.memory()) })
	least := worthCutting
	if all >= int(l.Budget.Limit)/blameShare/l.Config.Loops {
		least = 0
	}
	used, freed, n := l.Account.Used(), 0, 0
	for ; freed < l.enough() && n < len(clients) && clients[n].memory() >= least; n++ {
		freed += clients[n].memory()
	}
	if n == 0 {
		return
	}
	l.cuts.Log(l.Log, "clients cut off: they hold most of the buffers, and there are too many",
		"clients", n, "first", clients[0].name(), "held", freed, "used", used, "limit", l.Budget.Limit)
	l.Stats[status.CutOff] += uint64(n)
	for _, c := range clients[:n] {
		c.abort()
	}
}

// giveUp refuses incomplete requests until enough is free, first those without progress
// for longest.
func (l *Loop) giveUp(clients []*Client) {
	slices.SortFunc(clients, func(a, b *Client) int { return cmp.Compare(a.input.receipt, b.input.receipt) })
	for freed, i := 0, 0; freed < l.enough() && i < len(clients); i++ {
		freed += cap(clients[i].input.bytes())
		l.Stats[status.GivenUp]++
		clients[i].giveUp()
	}
}

// giveUp refuses the incomplete request and skips the rest of it. If its line is
// incomplete too, the connection is closed.
func (c *Client) giveUp() {
	req := &c.loop.scratch.req
	n, ok := c.giveUpRequest(req)
	if !ok || !c.gate.state.passes() { // a client without a password must not reach an upstream
		c.refuse("SERVER_ERROR out of memory reading request")
		c.forgetInput()
		c.leave()
		return
	}
	c.input.skip(n)
	to := c.routing.Target(req.Key)
	if c.count(req, to.Pool); req.Command.Storage() {
		to.Pool.Stats.NoMemory++
	}
	c.dispatchRefusal(req, to)
	c.Proceed() // skips what has been received of the request
}

// giveUpRequest refuses the request whose start is there, see [protocol.Parser.GiveUp].
func (c *Client) giveUpRequest(req *protocol.Request) (n int, ok bool) {
	if c.input.binary != nil {
		return c.input.binary.GiveUp(c.input.rest(), req)
	}
	return c.parser().GiveUp(c.input.rest(), req)
}

// giveUpReplies refuses the requests whose incomplete replies take too much memory.
func (l *Loop) giveUpReplies() {
	for _, u := range l.Pools.Members {
		u.GiveUpReplies()
	}
}

// askOthers asks the other loops to free memory, since this one could not free enough.
func (l *Loop) askOthers() {
	for _, other := range l.Loops {
		if other == l || other.relief.asked.Swap(true) {
			continue
		}
		other.Post(func() { other.relief.asked.Store(false) }) // EndCallback follows, and checks the budget
	}
}
