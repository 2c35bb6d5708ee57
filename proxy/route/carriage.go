package route

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
)

// Carriage is a loop's state for verbs that ordinary commands carry.
type Carriage struct {
	Verb protocol.Request // scratch: the request that is carried
	Load Load             // of the request that is being dispatched
}

// Load describes the keys of a request that name verbs.
type Load struct {
	Named int // keys that name verbs
	large int // how many of them name verbs with large answers
}

// Weigh sets load for req. keys are those that name verbs, nil if none do.
func (c *Carriage) Weigh(keys *verbkeys.Keys, req *protocol.Request) {
	c.Load = Load{}
	switch {
	case keys == nil || len(req.Key) == 0 || req.Verb != nil:
	case !req.Command.Retrieval():
		if keys.Cover(req.Key) {
			c.Load.Named = 1
		}
	default:
		for key := range protocol.Words(req.Words) {
			if keys.Cover(key) {
				_, verb := keys.Subject(req.Command, key)
				c.Load.add(verb)
			}
		}
	}
}

func (w *Load) add(verb *verbs.Verb) {
	w.Named++
	if verb != nil && verb.Whole {
		w.large++
	}
}

// MaxLarge is how many keys of a retrieval may name verbs with large answers. A retrieval with more
// such keys is divided into parts.
const MaxLarge = 8

// TooLarge reports whether a retrieval must be divided into parts.
func (w *Load) TooLarge() bool { return w.large > MaxLarge }
