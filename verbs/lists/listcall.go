package lists

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// listCall is a call of a verb on lists.
type listCall struct{ *structure.Engine }

// onLists converts a function of a listCall to one of a Call, for [verbs.Verb].
func onLists(run func(c listCall)) func(*verbs.Call) verbs.Step {
	return verbs.Coroutine(func(c *verbs.Call) { run(listCall{structure.EngineOf(c, &Kind)}) })
}
