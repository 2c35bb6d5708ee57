package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/verbkeys"
	"github.com/memverbs/memverbs/verbs"
)

// carriage is a loop's state for verbs that ordinary commands carry.
type carriage struct {
	verb protocol.Request // scratch: the request that is carried
	load load             // of the request that is being dispatched
}

// load describes the keys of a request that name verbs.
type load struct {
	named int // keys that name verbs
	large int // how many of them name verbs with large answers
}

// weigh sets load for req. keys are those that name verbs, nil if none do.
func (c *carriage) weigh(keys *verbkeys.Keys, req *protocol.Request) {
	c.load = load{}
	switch {
	case keys == nil || len(req.Key) == 0 || req.Verb != nil:
	case !req.Command.Retrieval():
		if keys.Cover(req.Key) {
			c.load.named = 1
		}
	default:
		for key := range protocol.Words(req.Words) {
			if keys.Cover(key) {
				_, verb := keys.Subject(req.Command, key)
				c.load.add(verb)
			}
		}
	}
}

func (w *load) add(verb *verbs.Verb) {
	w.named++
	if verb != nil && verb.Whole {
		w.large++
	}
}

// maxLarge is how many keys of a retrieval may name verbs with large answers. A
// retrieval with more is divided into parts.
const maxLarge = 8

// tooLarge reports whether a retrieval must be divided into parts.
func (w *load) tooLarge() bool { return w.large > maxLarge }
