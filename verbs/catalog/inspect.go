package catalog

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/eventlogs"
	"github.com/memverbs/memverbs/verbs/limits"
	"github.com/memverbs/memverbs/verbs/locks"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/tables"
)

// inspect describes the items of a structure of any kind, in lines like those of stats. A figure
// that has no meaning for a kind has no line.
var inspect = verbs.Verb{
	Verb:  protocol.Verb{Name: "inspect", Usage: "<key> [<count> <seconds>]", Read: readInspect},
	Does:  "tells what is stored under a key, of whatever kind; with the <count> and <seconds> of a limit, what that has counted",
	Reads: true, ReadOnly: true, NamedParts: true,
	Traces: tracesOfInspected,
	Run:    verbs.Coroutine(func(c *verbs.Call) { inspection{c}.run() }),
}

// readInspect reads <key> [<count> <seconds>]. The counters of a limit are found by its key and its number of seconds only.
func readInspect(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 0, 2)
	switch {
	case req.NumWords == 0, req.Refusal != "" && req.Refusal != verbs.ErrKey:
	case req.NumWords == 1:
		req.Refusal = verbs.Usage(req)
	default:
		limits.CheckWords(req)
	}
	return 0
}

// tracesOfInspected returns the keys of items of which one is there if a structure is that remains at a former place as a whole, see
// [verbs.Verb]. Locks may be without the first of their items.
func tracesOfInspected(req *protocol.Request, key []byte, env verbs.Env) [][]byte {
	if len(req.Words) > 0 {
		return verbs.Scattered(req, key, env) // of a limit
	}
	return locks.Traces(req, key, env)
}

// inspection is a call of inspect.
type inspection struct{ *verbs.Call }

// run describes the limit that is asked for. Without one it looks for an item under the key itself first, then for an event
// log, and then for a lock whose first place is free.
func (c inspection) run() {
	if count, _ := protocol.NextWord(c.Words); len(count) > 0 {
		c.limit()
		return
	}
	e := structure.EngineOf(c.Call, nil)
	d, r := e.Describe(c.Key)
	if d.Kind == &tables.Kind {
		c.table(d)
		return
	}
	switch r.Status {
	case verbs.Hit:
		c.tellStructure(&d)
		e.AfterRead(nil)
	case verbs.Missing:
		c.eventLog()
	default:
		c.Fail(r)
	}
}

func (c inspection) tellStructure(d *structure.Description) {
	if holder, holders, ok := locks.Holder(d.Value); ok && holders > 0 {
		c.places()
		return
	} else if ok {
		c.tell("kind", "lock")
		c.tell("token", string(holder))
	} else if d.Kind == nil {
		c.tell("kind", "plain")
		c.tell("head_bytes", d.Head)
	} else {
		c.tell("kind", d.Kind.Name)
		c.tell("members", d.Live)
		c.tell("dead_tokens", d.Dead)
		c.tell("head_bytes", d.Head)
		c.tell("segments", d.Segments)
		c.tell("parts", d.Parts)
	}
	c.tellRest(d.Bytes, d.TTL)
}

// table adds the description of a table's index, given that of its anchor.
func (c inspection) table(anchor structure.Description) {
	e, d, r := tables.Describe(c.Call)
	switch r.Status {
	case verbs.Hit:
		d.Kind, d.Head, d.TTL = anchor.Kind, anchor.Head, anchor.TTL
		d.Bytes += anchor.Head
		d.Parts++
		c.tellStructure(&d)
		e.AfterRead(nil)
	case verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		if !c.Answered() {
			c.Fail(r)
		}
	}
}

func (c inspection) eventLog() {
	d, ok := eventlogs.Describe(c.Call)
	if !ok {
		return
	}
	if d.Items == 0 {
		c.places()
		return
	}
	c.tell("kind", "eventlog")
	c.tell("members", d.Kept)
	c.tell("dead_tokens", d.Far)
	c.tell("parts", d.Items)
	c.tellRest(d.Bytes, d.TTL)
}

// places describes a lock of several holders. Its first place may be free.
func (c inspection) places() {
	d, ok := locks.Describe(c.Call)
	if !ok {
		return
	}
	if len(d.Places) == 0 {
		c.Say("NOT_FOUND")
		return
	}
	c.tell("kind", "lock")
	c.tell("holders", d.Holders)
	for _, p := range d.Places {
		c.tell(fmt.Sprintf("place_%d", p.Number), p.Token)
	}
	c.tellRest(d.Bytes, d.TTL)
}

// limit describes a limit.
func (c inspection) limit() {
	d, ok := limits.Describe(c.Call)
	if !ok {
		return
	}
	if d.Items == 0 {
		c.Say("NOT_FOUND")
		return
	}
	c.tell("kind", "limit")
	c.tell("count", d.Count)
	c.tell("counted", d.Counted)
	c.tell("left", d.Left)
	c.tell("next_free_ms", d.NextFree)
	c.tell("all_free_ms", d.AllFree)
	c.tell("parts", d.Items)
	c.tellRest(d.Bytes, d.TTL)
}

// tellRest adds the lines that every kind has, and completes the answer. In a read-only pool the time to
// live is unknown, see [verbs.Options].
func (c inspection) tellRest(bytes int, ttl int64) {
	c.tell("bytes", bytes)
	if !c.Env.Options().ReadOnly {
		c.tell("seconds_to_live", ttl)
	}
	c.tell("upstream", c.Env.Upstream(c.Key))
	c.End()
}

func (c inspection) tell(name string, value any) {
	c.Answer = fmt.Appendf(c.Answer, "STAT %s %v\r\n", name, value)
}
