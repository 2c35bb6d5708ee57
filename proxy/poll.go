package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// poll asks all upstreams for the statistics of one argument of stats, and merges the
// answers. It skips upstreams that are down or do not answer in time. Like a request,
// it waits for an upstream's first attempt to connect to end.
//
// Polls run on the first loop, whichever loop the client is on, one at a time for each
// argument. Clients that ask meanwhile share the answer, so many clients don't poll the
// upstreams more often than one.
type poll struct {
	polls       polls
	members     []*pool.Member
	of          polled
	waiting     int // replies outstanding
	unreachable int // upstreams that have not answered
	sums        statistics.Sums
	merged      statistics.Merged
	only        []byte // the answer of a single upstream
	text        string // the answer to the client, except for plain stats
	askers      []func(*poll)
}

// polls are the running polls.
type polls map[polled]*poll

// polled is what upstreams are asked for: the statistics of an argument, and the pools of a
// listener.
type polled struct {
	at   *listener
	what string
}

// poll calls then on l, the first loop, with the upstreams' answers to stats of.what.
func (s polls) poll(l *loop, of polled, then func(*poll)) {
	if p := s[of]; p != nil {
		p.askers = append(p.askers, then)
		return
	}
	p := &poll{polls: s, of: of, sums: statistics.Sums{}, askers: []func(*poll){then}}
	if r := l.routings[of.at]; r != nil {
		p.members = r.members
	}
	s[of] = p
	p.waiting = 1 + len(p.members) // one until all have been asked
	for _, u := range p.members {
		u.WhenTried(func() { p.ask(u) })
	}
	p.arrived()
}

func (p *poll) ask(u *pool.Member) {
	if u.State != upstream.Up {
		p.unreachable++
		p.arrived()
		return
	}
	request := "stats\r\n"
	if p.of.what != "" {
		request = "stats " + p.of.what + "\r\n"
	}
	u.First.Ask(request, upstream.Pending{Sink: p, Command: protocol.Stats})
}

// Answered implements [upstream.Sink]. An upstream that does not know the argument has
// no such statistics.
func (p *poll) Answered(_ *upstream.Pending, a *upstream.Answer) {
	switch {
	case a.Fail, a.Last.Kind == protocol.ReplyError && p.of.what == "":
		p.unreachable++
	case a.Last.Kind == protocol.ReplyError:
	case p.of.what == "":
		p.sums.Take(a.Data)
	case len(p.members) == 1:
		p.only = bytes.TrimSuffix(bytes.Clone(a.Data), []byte("END\r\n"))
	default:
		p.merged.Take(a.Data)
	}
	p.arrived()
}

// arrived is called when one of the outstanding answers has arrived.
func (p *poll) arrived() {
	if p.waiting--; p.waiting > 0 {
		return
	}
	delete(p.polls, p.of)
	if p.of.what != "" {
		p.text = p.tell()
	}
	for _, asker := range p.askers {
		asker(p)
	}
}

// tell returns the answer to the client: that of a single upstream unchanged, or the
// merged one. It says if an upstream is missing.
func (p *poll) tell() string {
	var t statistics.Text
	t.Write(p.only)
	p.merged.Tell(&t)
	if p.unreachable > 0 {
		t.Add("upstreams_unreachable", p.unreachable)
	}
	return t.End()
}
