package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// poll asks all upstreams for statistics, what of them says the argument of
// stats, and merges what they answer. An upstream that is down is passed over,
// and one that does not answer in time as well, so that a poll ends. One that is
// being connected to for the first time is waited for, as it is with requests.
//
// Polls are the first loop's, whichever loop the client is on that asks, and
// there is one of a kind at a time: who asks meanwhile gets the same answer. So
// many clients that ask do not ask the upstreams more often than one.
type poll struct {
	polls       polls
	pool        *pool.Pool
	what        string
	waiting     int // replies outstanding
	unreachable int // that have not answered
	sums        statistics.Sums
	merged      statistics.Merged
	only        []byte // what a single upstream has told
	text        string // what a client is told, but for plain stats
	askers      []func(*poll)
}

// polls are those under way, by what they ask for.
type polls map[string]*poll

// poll has then called on l, the first loop, with what the upstreams say to stats what.
func (s polls) poll(l *loop, what string, then func(*poll)) {
	if p := s[what]; p != nil {
		p.askers = append(p.askers, then)
		return
	}
	p := &poll{polls: s, pool: l.pool, what: what, sums: statistics.Sums{}, askers: []func(*poll){then}}
	s[what] = p
	p.waiting = 1 + len(p.pool.All) // one for all to have been asked
	for _, u := range p.pool.All {
		u.WhenTried(func() { p.ask(u) })
	}
	p.part()
}

func (p *poll) ask(u *pool.Member) {
	if u.State != upstream.Up {
		p.unreachable++
		p.part()
		return
	}
	request := "stats\r\n"
	if p.what != "" {
		request = "stats " + p.what + "\r\n"
	}
	u.First.Ask(request, upstream.Pending{Sink: p, Command: protocol.Stats})
}

// Answered implements [upstream.Sink]. An upstream that does not know what it is asked
// for has none of that.
func (p *poll) Answered(_ *upstream.Pending, a *upstream.Answer) {
	switch {
	case a.Fail, a.Last.Kind == protocol.ReplyError && p.what == "":
		p.unreachable++
	case a.Last.Kind == protocol.ReplyError:
	case p.what == "":
		p.sums.Take(a.Data)
	case len(p.pool.All) == 1:
		p.only = bytes.TrimSuffix(bytes.Clone(a.Data), []byte("END\r\n"))
	default:
		p.merged.Take(a.Data)
	}
	p.part()
}

// part is called when one of those that are waited for has answered.
func (p *poll) part() {
	if p.waiting--; p.waiting > 0 {
		return
	}
	delete(p.polls, p.what)
	if p.what != "" {
		p.text = p.tell()
	}
	for _, asker := range p.askers {
		asker(p)
	}
}

// tell returns what a client is told: what a single upstream has told as it
// is. If an upstream is missing, that is said.
func (p *poll) tell() string {
	var t statistics.Text
	t.Write(p.only)
	p.merged.Tell(&t)
	if p.unreachable > 0 {
		t.Add("upstreams_unreachable", p.unreachable)
	}
	return t.End()
}
