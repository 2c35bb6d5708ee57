package reply

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Kind is a command or a verb, for tables.
type Kind uint8

const NumKinds = int(protocol.NumCommands) + catalog.Most

func KindOf(req *protocol.Request) Kind {
	if req.Verb != nil {
		return Kind(protocol.NumCommands) + Kind(req.Verb.Number)
	}
	return Kind(req.Command)
}

func (k Kind) String() string {
	if verb := int(k) - int(protocol.NumCommands); verb >= 0 {
		return catalog.All[verb].Name
	}
	return protocol.Command(k).String()
}

// Meter counts the outcomes of requests and how long they took. A request ends when its reply is
// ready and all replies to earlier requests of its client have been sent.
type Meter struct {
	Results   [NumKinds]status.Results
	latencies [NumKinds][status.NumReplied]*latency.Histogram // nil before the first
}

// ended counts a request with a reply that took so many microseconds.
func (m *Meter) ended(k Kind, how status.Ending, took uint32) {
	m.Results[k][how]++
	m.latency(k, how).Add(took)
}

// latency returns the histogram of an ending.
func (m *Meter) latency(k Kind, how status.Ending) *latency.Histogram {
	if m.latencies[k][how] == nil {
		m.latencies[k][how] = &latency.Histogram{}
	}
	return m.latencies[k][how]
}

// Copy returns a copy that may be used on any goroutine.
func (m *Meter) Copy() Meter {
	var c Meter
	c.Add(m)
	return c
}

// Add adds a copy of another meter.
func (m *Meter) Add(other *Meter) {
	for k := range m.Results {
		status.Add(m.Results[k][:], other.Results[k][:])
		for how, theirs := range other.latencies[k] {
			if theirs != nil {
				m.latency(Kind(k), status.Ending(how)).Merge(theirs)
			}
		}
	}
}

func (m *Meter) Status(k Kind) status.Command {
	c := status.Command{Name: k.String(), Results: m.Results[k]}
	for how, h := range m.latencies[k] {
		if h != nil {
			c.Latency[how] = *h
		}
	}
	return c
}
