package front

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/reply"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// dispatchCarried is dispatch for a request, not a retrieval, that carries a verb.
func (c *Client) dispatchCarried(req *protocol.Request) bool {
	if subject, futile := c.routing.Keys.Futile(req); futile {
		c.deleteNothing(req, c.routing.Target(subject).Pool)
		return true
	}
	verb := &c.loop.scratch.carriage.Verb
	refusal := c.routing.Keys.Translate(req, verb, c.loop.timing.Wall()/1000)
	var form verbkeys.Form
	if refusal == "" {
		form, refusal = verbkeys.NewForm(req)
	}
	at := c.routing.Target(verb.Key)
	if refusal == "" {
		refusal = c.routing.RefusesCarried(verb, at.Pool)
	}
	if refusal == "" {
		refusal = at.Pool.Shared.RefusesTime(req)
	}
	if refusal == "" && !c.admits(verb, at) {
		return false
	}
	reserved := c.beginCounted(req, at.Pool)
	silent := req.Quiet && !req.Command.Meta()
	switch {
	case refusal == "":
		to := &carried{client: c, pool: at.Pool, tally: tally.Of(req), silent: silent, form: form}
		if !silent {
			to.slot = c.replies.Reserve(verbWeight(verb), nil)
		}
		c.count(verb, at.Pool)
		c.beginVerb(c.routing, verb, at, to, 0)
	case !silent:
		c.refuse(refusal)
	}
	if refusal != "" {
		c.refusedKey(req.Command, req.Key, refusal)
	}
	c.over(reserved)
	return true
}

// deleteNothing answers a delete that would change nothing, see [verbkeys.Keys.Futile].
func (c *Client) deleteNothing(req *protocol.Request, p *route.Pool) {
	reserved := c.beginCounted(req, p)
	if form, refusal := verbkeys.NewForm(req); refusal != "" {
		c.refuse(refusal)
	} else {
		missing := verbkeys.Answer{Outcome: verbkeys.Missing}
		p.Stats.CountCarried(tally.Of(req), missing.Outcome)
		if line := form.Append(nil, &missing); len(line) > 0 || req.Command.Meta() {
			c.local(string(line))
		}
	}
	c.over(reserved)
}

// carried is a request, not a retrieval, whose verb is running.
type carried struct {
	client *Client
	pool   *route.Pool
	slot   uint32
	tally  tally.Kind
	silent bool
	form   verbkeys.Form
}

// VerbAnswered implements [execution.Listener].
func (t *carried) VerbAnswered(r *execution.Execution, text []byte) {
	c := t.client
	answer := verbkeys.Understand(r.Verb, text, r.Item())
	t.pool.Stats.CountCarried(t.tally, answer.Outcome)
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
	line := t.form.Append(c.loop.Buffers.Get(t.form.Size(&answer)), &answer)
	c.replyOwned(t.slot, line, reply.IsError(line))
}
