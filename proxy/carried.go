package proxy

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// dispatchCarried is dispatch for a request, not a retrieval, that carries a verb.
func (c *client) dispatchCarried(req *protocol.Request) bool {
	if subject, futile := c.routing.keys.Futile(req); futile {
		c.deleteNothing(req, c.routing.target(subject).pool)
		return true
	}
	verb := &c.loop.scratch.carriage.verb
	refusal := c.routing.keys.Translate(req, verb, time.Now().Unix())
	var form verbkeys.Form
	if refusal == "" {
		form, refusal = verbkeys.NewForm(req)
	}
	at := c.routing.target(verb.Key)
	if refusal == "" {
		refusal = c.routing.refusesCarried(verb, at.pool)
	}
	if refusal == "" {
		refusal = at.pool.shared.RefusesTime(req)
	}
	if refusal == "" && !c.admits(verb, at) {
		return false
	}
	c.count(req, at.pool)
	reserved := c.replies.Tail
	c.begin(req, at.pool)
	silent := req.Quiet && !req.Command.Meta()
	switch {
	case refusal == "":
		to := &carried{client: c, pool: at.pool, tally: tally.Of(req), silent: silent, form: form}
		if !silent {
			to.slot = c.replies.Reserve(verbWeight(verb), nil)
		}
		c.count(verb, at.pool)
		at.pool.verbs.Begin(c.loop.scratch.stripped.request(c.routing, verb), at.owner, c.caller(at.pool), to, 0)
	case !silent:
		c.refuse(refusal)
	}
	if refusal != "" {
		c.refusedKey(req.Command, req.Key, refusal)
	}
	c.over(reserved)
	return true
}

// deleteNothing answers a delete that is futile, see [verbkeys.Keys.Futile].
func (c *client) deleteNothing(req *protocol.Request, p *loopPool) {
	c.count(req, p)
	reserved := c.replies.Tail
	c.begin(req, p)
	if form, refusal := verbkeys.NewForm(req); refusal != "" {
		c.refuse(refusal)
	} else {
		missing := verbkeys.Answer{Outcome: verbkeys.Missing}
		p.stats.CountCarried(tally.Of(req), missing.Outcome)
		if line := form.Append(nil, &missing); len(line) > 0 || req.Command.Meta() {
			c.local(string(line))
		}
	}
	c.over(reserved)
}

// refusesCarried returns the error for a verb that is carried to a pool, empty if it may be run.
func (r *routing) refusesCarried(verb *protocol.Request, to *loopPool) string {
	if refusal := to.shared.Refuses(verb); refusal != "" {
		return refusal
	}
	if refusal := r.bare(verb); refusal != "" || !execution.TakesKeys(verb) {
		return refusal
	}
	return r.apart(verb.Words)
}

// carried is a request, not a retrieval, whose verb is running.
type carried struct {
	client *client
	pool   *loopPool
	slot   uint32
	tally  tally.Kind
	silent bool
	form   verbkeys.Form
}

// Told implements [execution.Listener].
func (t *carried) Told(r *execution.Execution, text []byte) {
	c := t.client
	answer := verbkeys.Understand(r.Verb, text, r.Item())
	t.pool.stats.CountCarried(t.tally, answer.Outcome)
	if answer.Outcome == verbkeys.Refused {
		c.refusedKey(t.form.Command(), t.form.Key(), string(answer.Line))
	}
	if t.silent || c.gone() {
		return
	}
	c.spendOnAnswer(len(text))
	c.traceVerb(t.slot, r)
	if r.Verb.ReadOnly {
		c.learn(len(answer.Value))
	}
	line := t.form.Append(c.loop.buffers.Get(t.form.Size(&answer)), &answer)
	c.replyOwned(t.slot, line, reply.IsError(line))
}
