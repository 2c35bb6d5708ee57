package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// kind is a command or a verb, for tables.
type kind uint8

const numKinds = int(protocol.NumCommands) + catalog.Most

func kindOf(req *protocol.Request) kind {
	if req.Verb != nil {
		return kind(protocol.NumCommands) + kind(req.Verb.Number)
	}
	return kind(req.Command)
}

func (k kind) String() string {
	if verb := int(k) - int(protocol.NumCommands); verb >= 0 {
		return catalog.All[verb].Name
	}
	return protocol.Command(k).String()
}

// meter counts how requests have ended and how long they took. A request ends when its reply
// is ready to be sent, after the replies to earlier requests of its client.
type meter struct {
	results   [numKinds]status.Results
	latencies [numKinds][numEndings]*latency.Histogram // nil before the first
}

// ending is how a request has ended.
type ending uint8

const (
	good ending = iota
	clientError
	serverError

	numEndings = iota
)

// ended counts a request that took so many microseconds.
func (m *meter) ended(k kind, how ending, took uint32) {
	switch r := &m.results[k]; how {
	case good:
		r.OK++
	case clientError:
		r.ClientErrors++
	case serverError:
		r.ServerErrors++
	}
	h := m.latencies[k][how]
	if h == nil {
		h = &latency.Histogram{}
		m.latencies[k][how] = h
	}
	h.Add(took)
}

// copy returns a copy that may be used on any goroutine.
func (m *meter) copy() meter {
	c := meter{results: m.results}
	for k := range m.latencies {
		for how, h := range m.latencies[k] {
			if h != nil {
				mine := *h
				c.latencies[k][how] = &mine
			}
		}
	}
	return c
}

// add adds a copy of another meter.
func (m *meter) add(other *meter) {
	for k := range m.results {
		m.results[k].Add(&other.results[k])
		for how, theirs := range other.latencies[k] {
			switch mine := m.latencies[k][how]; {
			case theirs == nil:
			case mine == nil:
				mine := *theirs
				m.latencies[k][how] = &mine
			default:
				mine.Merge(theirs)
			}
		}
	}
}

// begin is called before a request for a pool is carried out: its end will be counted when the
// reply that is reserved next is sent.
func (c *client) begin(req *protocol.Request, p *loopPool) {
	began := c.loop.timing.began
	switch {
	case req.More && req.Refusal == "": // the parts of a long retrieval count as one, with the last
		c.sample(req, p)
		return
	case c.replies.long != nil:
		began = c.replies.long.began
	}
	// The usual request has one key, which is not in the sample of hot keys: for that, Skip is all of
	// what sample does. If Skip returns false it has counted nothing, so sample may call it again.
	if n := req.NumWords; n > 1 || len(req.Key) == 0 || !p.hot.Skip(1) {
		c.sample(req, p)
	}
	next := &c.replies.next
	next.meter, next.began, next.kind, next.quiet = &p.stats.meter, began, kindOf(req), c.hushes(req)
	if c.loop.timing.threshold > 0 {
		c.replies.next.trace = c.loop.timing.trace(req, p.shared.Name, began)
	}
}

// over is called after a request has been carried out or refused, as far as that could be done
// at once. reserved is the end of the replies before that: if it has not changed, the client
// gets no reply.
func (c *client) over(reserved uint32) {
	next := &c.replies.next
	if next.meter == nil {
		return
	}
	if c.replies.tail == reserved && !c.gone() {
		next.meter.results[next.kind].NoReply++
	}
	next.meter, next.quiet = nil, false
	if next.trace != nil {
		c.loop.timing.keep(next.trace)
		next.trace = nil
	}
}

// sample adds the request's keys to the hot keys of its pool, if the sample has them.
func (c *client) sample(req *protocol.Request, p *loopPool) {
	n := req.NumWords
	switch several := n > 1 && (req.Command.Retrieval() || execution.TakesKeys(req)); {
	case several && !p.hot.Skip(n):
		p.hot.TakeWords(c.loop.timing.Micros(), req.Words)
	case !several && len(req.Key) > 0 && !p.hot.Skip(1):
		p.hot.Take(c.loop.timing.Micros(), req.Key)
	}
}
