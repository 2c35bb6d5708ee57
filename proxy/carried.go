package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
)

// carriage is what a loop needs for the verbs that ordinary commands carry.
type carriage struct {
	keys *verbkeys.Keys
	verb protocol.Request // scratch: the request that is carried
}

// carries reports whether req carries a verb.
func (l *loop) carries(req *protocol.Request) bool {
	return l.carriage.keys != nil && l.carriage.keys.Carries(req)
}

// subject returns the key that a command on key is about, and the command that
// is carried out on it.
func (l *loop) subject(key []byte, command protocol.Command) ([]byte, protocol.Command) {
	if keys := l.carriage.keys; keys != nil && command.Retrieval() && keys.Name(key) {
		if verb := &l.carriage.verb; keys.Read(command, key, verb) == "" {
			return verb.Key, verb.Command
		}
	}
	return key, command
}

// dispatchCarried carries out the verb that req carries, with the same result
// as dispatch. A verb in a retrieval is the retrieval's to carry out.
func (c *client) dispatchCarried(req *protocol.Request) bool {
	if req.Command.Retrieval() {
		return c.dispatchPlain(req)
	}
	verb := &c.loop.carriage.verb
	refusal := c.loop.carriage.keys.Translate(req, verb)
	var form verbkeys.Form
	if refusal == "" {
		form, refusal = verbkeys.NewForm(req)
	}
	if refusal == "" && !c.ready(verb) {
		return false
	}
	c.count(req)
	silent := req.Quiet && !req.Command.Meta()
	switch {
	case refusal == "":
		to := &carried{client: c, silent: silent, form: form}
		if !silent {
			to.slot = c.slots.reserve(1, nil)
		}
		c.begin(verb, to, 0)
	case !silent:
		c.refuse(refusal)
	}
	return true
}

// carried is a set, mg or ms whose verb is under way.
type carried struct {
	client *client
	slot   uint32
	silent bool
	form   verbkeys.Form
}

// told implements [listener].
func (t *carried) told(r *run, text []byte) {
	if t.silent || t.client.gone {
		return
	}
	answer := verbkeys.Understand(r.command, text, r.routine.Item())
	c := t.client
	c.learn(len(answer.Value))
	reply := t.form.Append(c.loop.pool.get(len(answer.Value)+len(text)), &answer)
	c.replyOwned(t.slot, reply, bytes.HasPrefix(reply, []byte("SERVER_ERROR")))
}

// named is the part of a retrieval that is keys which name verbs. They are
// carried out one after another, so that they hold no more than one verb does.
type named struct {
	keys [][]byte
	done int
	size int // of the values so far, in bytes
	wide bool
}

// several reports whether verbs may yet begin after later requests of the
// client have been looked at.
func (n *named) several() bool { return len(n.keys) > 1 }

// askNext has the verb carried out that the next key names, if there is one.
func (g *gather) askNext() {
	n := &g.named
	if n.done == len(n.keys) || g.refusal != nil || g.client.gone {
		g.part()
		return
	}
	verb := &g.loop.carriage.verb
	if refusal := g.loop.carriage.keys.Read(g.command, n.keys[n.done], verb); refusal != "" {
		g.refuse(append([]byte(refusal), "\r\n"...))
		g.part()
		return
	}
	g.client.begin(verb, g, 0)
}

// told implements [listener]: it takes what the verb of one key answered.
func (g *gather) told(r *run, text []byte) {
	answer := verbkeys.Understand(r.command, text, r.routine.Item())
	n := &g.named
	key := n.keys[n.done]
	n.size += len(answer.Value)
	switch form := verbkeys.ValueForm(g.command, key); {
	case answer.Outcome == verbkeys.Refused:
		g.refuse(append(bytes.Clone(answer.Line), "\r\n"...))
	case n.size > verbs.MaxAnswer:
		g.refuse([]byte("SERVER_ERROR the answer is too long; ask for fewer keys at once\r\n"))
	default:
		this := &g.replies[len(g.loop.upstreams)+n.done]
		this.data = form.Append(g.loop.pool.get(len(answer.Value)+2*protocol.MaxKey), &answer)
		this.rest = this.data
	}
	n.done++
	g.askNext()
}

// names adds a key that names a verb, and returns which of the replies will be
// its own.
func (g *gather) names(key []byte) uint16 {
	g.named.keys = append(g.named.keys, key)
	g.replies = append(g.replies, gathered{})
	return uint16(len(g.replies) - 1)
}
