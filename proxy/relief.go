package proxy

import (
	"cmp"
	"slices"
)

// What is to be done when more memory is used than --buffer-memory allows. Clients
// are slowed down long before, but many can each begin a large request, or be owed
// large replies that they do not read, and that is not known before it has come.

const (
	// worthGivingUp is how much of an unfinished request is kept at least, in bytes,
	// for the request to be given up.
	worthGivingUp = 1 << 10
	// reliefShare is which part of the budget is made free at a time, so that not
	// every byte that comes in is a reason to look through all clients.
	reliefShare = 16
	// blameShare is which part of the memory clients hold at least for those that hold
	// little each to be cut off.
	blameShare = 4
	// worthCutting is how much a client holds at least, in bytes, to be cut off
	// without that.
	worthCutting = 256 << 10
	// unfinishedShare is which part of the memory unfinished requests may take while
	// verbs wait for some.
	unfinishedShare = 4
)

// relieve makes memory free, as the budget is overdrawn: first what is kept for later
// use; then either unfinished requests are given up or, if more memory is taken by
// what other clients are owed, those that hold most are cut off. Other loops are
// asked to do the same if that was not enough, and a loop that uses little itself
// leaves it to them. If nothing helps, it is tried again after a tick, or when more
// is used.
func (l *loop) relieve() {
	if f := &l.futile; f.tried && l.clock.Ticks == f.tick && l.account.Used() < f.used+l.enough()/4 {
		return
	}
	l.futile = futile{}
	if l.shed(); !l.account.Overdrawn() {
		return
	}
	before := l.account.Used()
	if l.account.Used() >= l.enough()/l.config.Loops {
		l.giveUpReplies()
		if l.account.Overdrawn() {
			l.relieveOfClients()
			l.shed() // what they had is kept for later use
		}
	}
	if l.account.Overdrawn() {
		l.askOthers()
	}
	if l.account.Used() >= before {
		l.clock.Start()
		l.futile = futile{tried: true, tick: l.clock.Ticks, used: before}
	}
}

// enough returns how much is made free at a time, in bytes.
func (l *loop) enough() int { return int(l.budget.Limit) / reliefShare }

func (l *loop) relieveOfClients() {
	unfinished, begun := l.unfinished()
	var others []*client
	owed := 0 // bytes
	for c := range l.clients {
		if held := c.held(); held > 0 && !c.unfinished() {
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

// unfinished returns the clients with requests that are being received, and how many
// bytes they hold.
func (l *loop) unfinished() (clients []*client, size int) {
	for c := range l.clients {
		if c.unfinished() {
			clients = append(clients, c)
			size += c.held()
		}
	}
	return clients, size
}

// unfinished reports whether much is kept of a request that is being received.
func (c *client) unfinished() bool {
	return !c.blocked && !c.quit && len(c.input) > c.offset && cap(c.input) >= worthGivingUp
}

// relieveVerbs makes memory free for verbs that wait for it, if much is taken by
// requests which are being received: these may stay unfinished for ever.
func (l *loop) relieveVerbs() {
	if clients, begun := l.unfinished(); begun >= int(l.budget.Limit)/unfinishedShare/l.config.Loops {
		l.giveUp(clients)
	}
}

// cutOffWorst closes the connections of those clients that hold most, until a part of
// the budget is free. That is the last resort. If all hold little, it is done only if
// it is they who take the memory.
func (l *loop) cutOffWorst(clients []*client, all int) {
	slices.SortFunc(clients, func(a, b *client) int { return cmp.Compare(b.held(), a.held()) })
	least := worthCutting
	if all >= int(l.budget.Limit)/blameShare/l.config.Loops {
		least = 0
	}
	used, freed, n := l.account.Used(), 0, 0
	for ; freed < l.enough() && n < len(clients) && clients[n].held() >= least; n++ {
		freed += clients[n].held()
	}
	if n == 0 {
		return
	}
	l.log.Warn("clients cut off: they hold most of the buffers, and there are too many",
		"clients", n, "first", clients[0].name(), "held", freed, "used", used, "limit", l.budget.Limit)
	l.stats.cutOff += uint64(n)
	for _, c := range clients[:n] {
		c.abort()
	}
}

// giveUp gives up unfinished requests, those first that have not moved for longest,
// until a part of the budget is free.
func (l *loop) giveUp(clients []*client) {
	slices.SortFunc(clients, func(a, b *client) int { return cmp.Compare(a.receipt, b.receipt) })
	for freed, i := 0, 0; freed < l.enough() && i < len(clients); i++ {
		freed += cap(clients[i].input)
		l.stats.givenUp++
		clients[i].giveUp()
	}
}

// giveUp refuses the request that is being received, and skips the rest of it. One
// whose line has no end yet costs the connection.
func (c *client) giveUp() {
	req := &c.loop.req
	n, ok := c.parser.GiveUp(c.input[c.offset:], req)
	if !ok {
		c.refuse("SERVER_ERROR out of memory reading request")
		c.forgetInput()
		c.leave()
		return
	}
	c.offset += n
	c.count(req)
	c.dispatchRefusal(req)
	c.Proceed() // which skips what has come
}

// giveUpReplies refuses the requests whose replies take too large a part of the
// memory before they are whole.
func (l *loop) giveUpReplies() {
	for _, u := range l.pool.All {
		u.GiveUpReplies()
	}
}

// askOthers has the other loops let go of memory too: what this one has is not the
// reason that there is none.
func (l *loop) askOthers() {
	for _, other := range l.loops {
		if other == l || other.asked.Swap(true) {
			continue
		}
		other.post(func() { other.asked.Store(false) }) // and when that ends, it looks at the budget
	}
}
