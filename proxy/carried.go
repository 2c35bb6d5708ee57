package proxy

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
)

// carriage is what a loop needs for the verbs that ordinary commands carry.
type carriage struct {
	keys *verbkeys.Keys   // nil if no key names a verb
	verb protocol.Request // scratch: the request that is carried
	load load             // of the request that is being dispatched
}

// load is what a request carries.
type load struct {
	named int    // keys that name verbs
	first []byte // of them
	large int    // of these, keys of verbs that may read a lot
}

// covers reports whether key names a verb.
func (c *carriage) covers(key []byte) bool { return c.keys != nil && c.keys.Cover(key) }

// weigh looks what req carries.
func (c *carriage) weigh(req *protocol.Request) {
	c.load = load{}
	switch {
	case c.keys == nil || len(req.Key) == 0 || req.Verb != nil:
	case !req.Command.Retrieval():
		if c.keys.Cover(req.Key) {
			c.load.named = 1
		}
	default:
		for rest := req.Words; ; {
			var key []byte
			if key, rest = protocol.NextWord(rest); len(key) == 0 {
				return
			}
			if c.keys.Cover(key) {
				_, verb := c.keys.Subject(req.Command, key)
				c.load.add(key, verb)
			}
		}
	}
}

func (w *load) add(key []byte, verb *verbs.Verb) {
	if w.named++; w.named == 1 {
		w.first = key
	}
	if verb != nil && verb.Whole {
		w.large++
	}
}

// maxLarge is how many keys that name verbs which may read a lot are carried
// out together. A retrieval with more is cut into parts.
const maxLarge = 8

// tooLarge reports whether a retrieval is to be cut into smaller parts.
func (w *load) tooLarge() bool { return w.large > maxLarge }

// dispatchCarried carries out the verb that req, which is no retrieval,
// carries, with the same result as dispatch.
func (c *client) dispatchCarried(req *protocol.Request) bool {
	verb := &c.loop.carriage.verb
	refusal := c.loop.carriage.keys.Translate(req, verb)
	var form verbkeys.Form
	if refusal == "" {
		form, refusal = verbkeys.NewForm(req)
	}
	if refusal == "" && !c.admits(verb) {
		return false
	}
	c.count(req)
	silent := req.Quiet && !req.Command.Meta()
	switch {
	case refusal == "":
		to := &carried{client: c, tally: tally.Of(req), silent: silent, form: form}
		if !silent {
			to.slot = c.replies.reserve(1, nil)
		}
		c.count(verb)
		c.begin(verb, to, 0)
	case !silent:
		c.refuse(refusal)
	}
	return true
}

// refuseGat refuses a gat of a key that names a verb, before any key of it is touched. Of
// a long one, which comes in parts, the parts before have been carried out.
func (c *client) refuseGat(req *protocol.Request) {
	part := *req
	part.Words, part.NumWords = nil, 0
	carriage := &c.loop.carriage
	c.gather(&part, carriage.keys.Read(req.Command, carriage.load.first, &carriage.verb))
}

// carried is a set, mg or ms whose verb is under way.
type carried struct {
	client *client
	slot   uint32
	tally  tally.Kind
	silent bool
	form   verbkeys.Form
}

// told implements [listener].
func (t *carried) told(r *execution, text []byte) {
	c := t.client
	answer := verbkeys.Understand(r.verb, text, r.routine.Item())
	c.loop.stats.countCarried(t.tally, answer.Outcome)
	if t.silent || c.gone {
		return
	}
	if r.verb.ReadOnly {
		c.learn(len(answer.Value))
	}
	reply := t.form.Append(c.loop.pool.Get(t.form.Size(&answer)), &answer)
	c.replyOwned(t.slot, reply, isError(reply))
}

// named is the part of a retrieval that is keys which name verbs.
type named struct {
	keys [][]byte
	size int // of the values so far, in bytes
}

// askNamed has the verbs carried out that keys name.
func (g *gather) askNamed() {
	verb := &g.loop.carriage.verb
	for i, key := range g.named.keys {
		if refusal := g.loop.carriage.keys.Read(g.command, key, verb); refusal != "" {
			g.refuse([]byte(refusal + "\r\n"))
			continue
		}
		g.waiting++
		g.client.count(verb)
		g.client.begin(verb, g, uint32(len(g.loop.upstreams.all)+i))
	}
}

// told implements [listener]: it takes what the verb of one key answered.
func (g *gather) told(r *execution, text []byte) {
	answer := verbkeys.Understand(r.verb, text, r.routine.Item())
	g.loop.stats.countCarried(tally.Get, answer.Outcome)
	g.named.size += len(answer.Value)
	form := verbkeys.ValueForm(g.command, g.named.keys[int(r.slot)-len(g.loop.upstreams.all)])
	switch size := form.Size(&answer); {
	case answer.Outcome == verbkeys.Refused:
		g.refuse(append(bytes.Clone(answer.Line), "\r\n"...))
	case g.named.size > verbs.MaxAnswer:
		g.refuse([]byte("SERVER_ERROR the answer is too long; ask for fewer keys at once\r\n"))
	case g.accepts(size, 0):
		reply := form.Append(g.loop.pool.Get(size), &answer)
		g.add(r.slot, reply, reply)
	}
	g.part()
}

// name adds a key that names a verb, and returns which of the replies will be
// its own.
func (g *gather) name(key []byte) uint16 {
	g.named.keys = append(g.named.keys, key)
	g.replies = append(g.replies, gathered{})
	return uint16(len(g.replies) - 1)
}
