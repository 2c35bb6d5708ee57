package execution

import (
	"strings"

	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// everywhere is a deletion on every upstream of the pool. An upstream that can't be reached remembers it, as its setting
// on-return says, and carries it out before it is used again. A proxy that uses other servers than this one says so in the records that
// the upstreams have (package placement), so these are read afterwards.
type everywhere struct {
	of      operation
	members []*pool.Member
	waiting int
	missed  []string // names of upstreams that were not reached
}

// deleteEverywhere sends operation n to every upstream.
func (r *Execution) deleteEverywhere(n uint32) {
	r.executor.Counts.Pool[status.NamespaceFlushes]++
	e := &everywhere{of: operation{r, n}, members: r.executor.Pool.All, waiting: 1}
	op := e.of.op()
	for i, u := range e.members {
		if _, refused := r.executor.refuses(u, op); refused {
			u.Remember(op.Key, "")
			e.missed = append(e.missed, u.Name)
			continue
		}
		e.waiting++
		r.executor.ask(u, op, upstream.Pending{Sink: e, Slot: uint32(i), Loss: upstream.LossOutdates})
	}
	e.arrived()
}

// Answered implements [upstream.Sink].
func (e *everywhere) Answered(p *upstream.Pending, a *upstream.Answer) {
	if e.of.run.executor.parse(e.of.op(), a).Status == verbs.Failed {
		e.missed = append(e.missed, e.members[p.Slot].Name)
	}
	e.arrived()
}

// arrived is called when one of the upstreams has answered.
func (e *everywhere) arrived() {
	if e.waiting--; e.waiting > 0 {
		return
	}
	x := e.of.run.executor
	if x.Places == nil || x.Places.Settle == 0 {
		e.answers("")
		return
	}
	x.readRecords(func(r *recordReading) {
		x.learn(r)
		e.answers(x.beyond())
	})
}

// answers answers. beyond is why there may be servers that the proxy does not know, empty if there are none.
func (e *everywhere) answers(beyond string) {
	reply := verbs.Reply{Status: verbs.Stored}
	switch {
	case beyond != "":
		reply = verbs.Reply{Err: beyond}
	case len(e.missed) > 0:
		reply = verbs.Reply{Err: "SERVER_ERROR not reached: " + strings.Join(e.missed, ", ")}
		if e.members[0].KeepsOutdated() {
			reply.Err += "; what they have is not deleted when they are back, as on-return says"
		} else {
			reply.Err += "; they are to do it before they are used again"
		}
	}
	e.of.run.take(e.of.n, reply)
}
