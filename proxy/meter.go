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

// unmetered is the kind of a reply that does not count: that to a part of a long retrieval,
// except the last.
const unmetered kind = 0

const numKinds = 1 + int(protocol.NumCommands) + catalog.Most

func kindOf(req *protocol.Request) kind {
	if req.Verb != nil {
		return 1 + kind(protocol.NumCommands) + kind(req.Verb.Number)
	}
	return 1 + kind(req.Command)
}

func (k kind) String() string {
	if verb := int(k) - 1 - int(protocol.NumCommands); verb >= 0 {
		return catalog.All[verb].Name
	}
	return protocol.Command(k - 1).String()
}

// meter counts how requests have ended and how long they took. A request ends when its reply
// is ready to be sent, after the replies to earlier requests of its client.
type meter struct {
	results   [numKinds]status.Results
	latencies [numKinds]*latency.Histogram // nil before the first
}

// ending is how a request has ended.
type ending uint8

const (
	good ending = iota
	clientError
	serverError
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
	h := m.latencies[k]
	if h == nil {
		h = &latency.Histogram{}
		m.latencies[k] = h
	}
	h.Add(took)
}

// copy returns a copy that may be used on any goroutine.
func (m *meter) copy() meter {
	c := meter{results: m.results}
	for k, h := range m.latencies {
		if h != nil {
			mine := *h
			c.latencies[k] = &mine
		}
	}
	return c
}

// add adds a copy of another loop's meter, which must not be used afterwards.
func (m *meter) add(other *meter) {
	for k := range m.results {
		m.results[k].Add(&other.results[k])
		switch mine, theirs := m.latencies[k], other.latencies[k]; {
		case mine == nil:
			m.latencies[k] = theirs
		case theirs != nil:
			mine.Merge(theirs)
		}
	}
}

// begin is called before a request is carried out: for its reply, what is reserved next counts
// as req.
func (c *client) begin(req *protocol.Request) {
	c.replies.next = stamp{kind: kindOf(req), began: c.loop.timing.began}
	if req.More && req.Refusal == "" { // the parts of a long retrieval count as one
		if c.longRetrieval == nil {
			c.longBegan = c.loop.timing.began
		}
		c.replies.next.kind = unmetered
	} else if c.longRetrieval != nil {
		c.replies.next.began = c.longBegan
	}
	c.sample(req)
	if c.loop.timing.threshold > 0 && c.replies.next.kind != unmetered {
		c.replies.next.trace = c.loop.timing.trace(req, c.replies.next.began)
	}
}

// over is called after a request has been carried out or refused, as far as that could be done
// at once. reserved is the end of the replies before that: if it has not changed, the client
// gets no reply.
func (c *client) over(reserved uint32) {
	next := &c.replies.next
	if c.replies.tail == reserved && next.kind != unmetered && !c.gone {
		c.loop.stats.meter.results[next.kind].NoReply++
	}
	c.loop.timing.keep(next.trace)
	*next = stamp{}
}

// sample adds the request's keys to the hot keys if the sample has them.
func (c *client) sample(req *protocol.Request) {
	hot := c.loop.timing.hot
	switch n := req.NumWords; {
	case n > 1 && (req.Command.Retrieval() || execution.TakesKeys(req)):
		if !hot.Skip(n) {
			hot.TakeWords(c.loop.timing.Micros(), req.Words)
		}
	case len(req.Key) > 0 && !hot.Skip(1):
		hot.Take(c.loop.timing.Micros(), req.Key)
	}
}
