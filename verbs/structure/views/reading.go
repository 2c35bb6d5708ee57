package views

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Reading is a structure as it was read.
type Reading struct {
	Key    []byte
	Reply  verbs.Reply // the reply to fetching or probing the head: Hit, Missing, or Failed with the reason
	Head   format.Head // the parsed head
	Log    []byte      // the tokens of segments and tail, in order
	Spare  int         // bytes after log that are the call's own, so that a view of it can grow into them; what follows a reply is another's
	Probed int64       // when all parts of the segments had been probed or read last, by [verbs.Env.Uptime]
}
