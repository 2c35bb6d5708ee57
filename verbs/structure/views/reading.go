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
	Spare  int         // bytes after Log that belong to the call, so that a view can grow into them; 0 if Log is in a reply
	Probed int64       // when all parts of the segments were last probed or read, by [verbs.Env.Uptime]
}
