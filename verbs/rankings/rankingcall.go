package rankings

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// rankingCall is a call of a verb on rankings.
type rankingCall struct{ *structure.Engine }

// onRankings converts a function of a rankingCall to one of a Call, for [verbs.Verb].
func onRankings(run func(c rankingCall)) func(*verbs.Call) verbs.Step {
	return verbs.Coroutine(func(c *verbs.Call) { run(rankingCall{structure.EngineOf(c, &Kind)}) })
}

// appendNumber appends a number to the line of the answer.
func appendNumber(c *verbs.Call, n int64) {
	c.Space()
	c.Answer = strconv.AppendInt(c.Answer, n, 10)
}
