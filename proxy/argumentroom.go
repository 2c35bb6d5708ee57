package proxy

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// argumentRoom is the part of the memory that a loop has for large arguments of verbs.
// A client whose verb does not fit waits before it begins: the arguments stay in its
// input, and are not copied and made into tokens yet.
type argumentRoom struct {
	queue
	taken int // bytes
}

// argumentsShare is which part of the budget is for the arguments of verbs.
const argumentsShare = 8

// has implements [resource]. Arguments that take more than the loop's share are let in
// alone.
func (a *argumentRoom) has(c *client) bool {
	share := int(a.loop.server.budget.Limit) / argumentsShare / a.loop.server.config.Loops
	return (a.taken == 0 || a.taken+c.arguments <= share) && a.loop.rooms.has(c.arguments)
}

// hasArgumentRoom reports whether the verb that req is can begin, as far as its arguments
// are concerned. What takes more than any request may have is refused when it begins.
func (c *client) hasArgumentRoom(req *protocol.Request) bool {
	c.arguments = verbs.ArgumentsRoom(len(req.Words) + len(req.Data))
	if c.arguments == 0 || req.Verb == nil || c.arguments > c.loop.rooms.most() {
		return true
	}
	c.loop.clock.Start() // other loops may free memory, which is looked at with each tick
	return c.loop.arguments.admits(c)
}
