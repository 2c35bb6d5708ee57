package report

import (
	"bytes"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/statistics"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// pollPatience is how long a poll waits for answers, so that stats is answered within a second even if
// an upstream hangs. The rest of the second is for the loops.
const pollPatience = 700 * time.Millisecond

// Poll asks all upstreams for the statistics of one argument of stats, and merges the
// answers. For upstreams that are down, or have not answered within pollPatience, it uses the counters
// of their last answer. Like a request, it waits for an upstream's first attempt to connect to end.
//
// Polls run on the first loop, whichever loop the client is on, one at a time for each
// argument. Clients that ask meanwhile share the answer, so many clients don't poll the
// upstreams more often than one.
type Poll struct {
	polls       *Polls
	of          Question
	waiting     map[*pool.Member]bool // those that have not answered; nil when the poll is over
	single      bool                  // there is one upstream
	unreachable int                   // upstreams that have not answered
	sums        statistics.Sums
	merged      statistics.Merged
	only        []byte // the answer of a single upstream; of several, the first with its settings
	Text        string // the answer to the client, except for plain stats
	askers      []func(*Poll)
}

// Polls are the running polls, and what is known from earlier ones.
type Polls struct {
	running map[Question]*Poll
	Known   statistics.Known
}

func NewPolls() *Polls { return &Polls{running: map[Question]*Poll{}, Known: statistics.Known{}} }

// Poll calls then, on the first loop, with the answers of members to stats of.What.
func (s *Polls) Poll(on *transport.Loop, members []*pool.Member, of Question, then func(*Poll)) {
	if p := s.running[of]; p != nil {
		p.askers = append(p.askers, then)
		return
	}
	p := &Poll{polls: s, of: of, waiting: map[*pool.Member]bool{}, sums: statistics.Sums{}, askers: []func(*Poll){then}}
	members = servers(members)
	s.running[of] = p
	p.single = len(members) == 1
	for _, u := range members {
		p.waiting[u] = true
	}
	for _, u := range members {
		u.WhenTried(func() { p.ask(u) })
	}
	p.tryEnd()
	if p.waiting != nil {
		time.AfterFunc(pollPatience, func() { on.Post(p.giveUp) })
	}
}

// servers returns one member for each server. Several pools may have the same server; then it returns
// a member that is up, if there is one.
func servers(members []*pool.Member) (list []*pool.Member) {
	at := map[string]int{}
	for _, u := range members {
		i, several := at[u.ID()]
		switch {
		case !several:
			at[u.ID()] = len(list)
			list = append(list, u)
		case list[i].State != upstream.Up:
			list[i] = u
		}
	}
	return list
}

// Keep forgets what servers have answered that are not among members any more.
func (s *Polls) Keep(members []*pool.Member) {
	ids := map[string]bool{}
	for _, u := range members {
		ids[u.ID()] = true
	}
	s.Known.Keep(ids)
}

func (p *Poll) ask(u *pool.Member) {
	switch {
	case !p.waiting[u]: // the poll ended before the first attempt to connect
	case u.State != upstream.Up:
		p.lacks(u)
	default:
		request := "stats\r\n"
		if p.of.What != "" {
			request = "stats " + p.of.What + "\r\n"
		}
		answered := upstream.SinkFunc(func(_ *upstream.Pending, a *upstream.Answer) { p.answered(u, a) })
		u.First.Ask(request, upstream.Pending{Sink: answered, Command: protocol.Stats})
	}
}

// answered receives the answer of an upstream. One that does not know the argument has no such statistics.
func (p *Poll) answered(from *pool.Member, a *upstream.Answer) {
	switch refused := !a.Failed() && a.Last.Kind == protocol.ReplyError; {
	case !p.waiting[from]: // too late
		return
	case a.Failed(), refused && p.of.What == "":
		p.lacks(from)
		return
	case refused:
	case p.of.What == "settings":
		if p.only == nil {
			p.only = bytes.Clone(a.Data)
		}
	case p.single && p.of.What != "":
		p.only = bytes.TrimSuffix(bytes.Clone(a.Data), []byte("END\r\n"))
	default:
		p.take(p.polls.Known.Heard(p.asked(from), a.Data))
	}
	delete(p.waiting, from)
	p.tryEnd()
}

func (p *Poll) asked(u *pool.Member) statistics.Asked {
	return statistics.Asked{Server: u.ID(), What: p.of.What}
}

// take adds the answer of an upstream.
func (p *Poll) take(answer []byte) {
	if p.of.What == "" {
		p.sums.Take(answer)
	} else {
		p.merged.Take(answer)
	}
}

// lacks is called when an upstream will not answer.
func (p *Poll) lacks(u *pool.Member) {
	delete(p.waiting, u)
	p.unreachable++
	p.take(p.polls.Known.Last(p.asked(u)))
	p.tryEnd()
}

// giveUp ends the poll without the answers that are outstanding.
func (p *Poll) giveUp() {
	for u := range p.waiting {
		p.lacks(u)
	}
}

// tryEnd ends the poll if no answer is outstanding.
func (p *Poll) tryEnd() {
	if p.waiting == nil || len(p.waiting) > 0 {
		return
	}
	p.waiting = nil
	delete(p.polls.running, p.of)
	if p.of.What != "" {
		p.Text = p.tell()
	}
	for _, asker := range p.askers {
		asker(p)
	}
}

// tell returns the answer to the client: that of a single upstream unchanged, or the
// merged one. It says if an upstream is missing.
func (p *Poll) tell() string {
	var t statistics.Text
	t.Write(p.only)
	p.merged.Tell(&t)
	if p.unreachable > 0 {
		t.Add("upstreams_unreachable", p.unreachable)
	}
	return t.End()
}
