package front

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// askNamed runs the verbs that keys name. If any key is refused, none is run.
//
// A verb that removes what it answers with is begun last, once all other keys have their answers: if one
// of these is an error, the client gets the error alone, and what was removed would be lost. So a
// retrieval may have only one such key, and none if it is divided into parts.
func (g *gather) askNamed() {
	if g.refusal != nil {
		return
	}
	verb, last := &g.loop.scratch.carriage.Verb, 0
	for i, key := range g.named.keys {
		refusal := g.routing.RefusesNamed(g.command, key, verb)
		if refusal == "" && catalog.Of(verb).Removes {
			if last > 0 || g.more || g.client.replies.Long != nil {
				refusal = alone(key)
			}
			last = i + 1
		}
		if refusal != "" {
			g.client.refusedKey(g.command, key, refusal)
			g.refuse([]byte(refusal + "\r\n"))
			return
		}
	}
	for i := range g.named.keys {
		if i+1 != last {
			g.begin(i)
		}
	}
	if g.named.last = last; last > 0 {
		g.client.callers.unbegun++
	}
}

// alone returns the error for a key that must not be in a retrieval with others, because its verb
// removes what it answers with.
func alone(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s removes what it answers with; ask for it by itself", key)
}

// begin runs the verb that the i-th of the named keys names. It refuses to if the pool has been replaced
// since the retrieval began.
func (g *gather) begin(i int) {
	verb := &g.loop.scratch.carriage.Verb
	g.routing.Keys.Read(g.command, g.named.keys[i], verb)
	to := g.routing.Target(verb.Key)
	g.waiting++
	g.client.count(verb, to.Pool)
	if to.Pool.Retired() {
		g.refuse([]byte("SERVER_ERROR the configuration was reloaded meanwhile; try again\r\n"))
		g.arrived()
		return
	}
	g.client.beginVerb(g.routing, verb, to, g, uint32(len(g.routing.Asked)+i))
}

// beginsLast runs the verb that is to be begun last, if there is one and the client would get its
// answer. It reports whether it did.
func (g *gather) beginsLast() bool {
	last := g.named.last
	if last == 0 {
		return false
	}
	g.named.last = 0
	g.client.callers.unbegun--
	if g.refusal != nil || g.client.gone() {
		return false
	}
	g.begin(last - 1)
	return true
}

// VerbAnswered implements [execution.Listener] for the verb of one key.
func (g *gather) VerbAnswered(r *execution.Execution, text []byte) {
	answer := verbkeys.Understand(r.Verb, text, r.Item())
	g.routing.Main().Stats.CountCarried(tally.Get, answer.Outcome)
	if !g.client.gone() {
		g.client.excludeWait(g.slot, r)
	}
	g.named.size += len(answer.Value)
	form := verbkeys.ValueForm(g.command, g.named.keys[int(r.Slot)-len(g.routing.Asked)])
	switch size := form.Size(&answer); {
	case answer.Outcome == verbkeys.Refused:
		g.client.refusedKey(g.command, form.Key(), string(answer.Line))
		g.refuse(append(bytes.Clone(answer.Line), "\r\n"...))
	case g.named.size > verbs.MaxAnswer && !r.Verb.Removes:
		g.refuse([]byte("SERVER_ERROR the answer is too long; ask for fewer keys at once\r\n"))
	case r.Verb.Removes || g.accepts(size, 0):
		reply := form.Append(g.loop.Buffers.Get(size), &answer)
		g.add(r.Slot, reply, true)
	}
	g.arrived()
}

// arrived is called when one of the outstanding replies has arrived.
func (g *gather) arrived() {
	if g.waiting--; g.waiting == 0 && !g.asksCopies() && !g.beginsLast() && !g.waitsForMissing() {
		g.finish()
	}
}
