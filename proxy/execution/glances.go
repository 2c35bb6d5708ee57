package execution

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Glance returns the answer to the verb of req if that is known without asking any upstream (package near), nil otherwise. The
// answer is valid until the next call.
func (x *Executor) Glance(req *protocol.Request) []byte {
	verb := catalog.Of(req)
	if verb.Glance == nil || len(req.Words) > verbs.FreeArguments || !x.steady() && !x.inPlace(req) {
		return nil
	}
	answer := x.glances.Answer(verb, req)
	x.noteDefect(verb, x.glances.Account())
	return answer
}
