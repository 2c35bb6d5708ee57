package verbs

// What a call takes of memory is bounded by whoever runs it: before the call
// takes more than a little, it asks for room. If there is none at once, it lets go
// of all that it has read, waits, and reads it again: so a call that waits holds
// nothing that another one may be waiting for.

// Reserve makes sure of room for so many bytes in all, beside the arguments. If
// there is none now it returns false, and what was loaded is gone. Then the next
// operation that the call asks for waits for that room, or fails.
func (c *Call) Reserve(n int) bool {
	if n += c.arguments; n <= c.room {
		return true
	}
	c.local = append(c.local[:0], Op{Kind: Reserve, Bytes: n})
	if c.yieldLocal(); c.replies[0].Status == Stored {
		c.room = n
		return true
	}
	c.letGo()
	c.awaits = n
	return false
}

// KeepRoom gives back the room for more than so many bytes, beside the arguments.
func (c *Call) KeepRoom(n int) { c.room = n + c.arguments }

// NeedRoom has the next operation wait for room for so many bytes at least, as Reserve
// does.
func (c *Call) NeedRoom(n int) { c.awaits = max(c.awaits, n) }

// await waits for the room that Reserve has found to be missing.
func (c *Call) await() Reply {
	n := c.awaits
	c.local = append(c.local[:0], Op{Kind: Await, Bytes: n})
	c.awaits = 0
	c.room = c.arguments + len(c.Answer)
	c.yieldLocal()
	if r := c.replies[0]; r.Status != Stored {
		return Reply{Err: r.Err}
	}
	c.room = n
	return Reply{Status: Stored}
}

// yieldLocal has whoever runs the routine carry out the operation in local.
func (c *Call) yieldLocal() {
	if !c.yield(c.local) {
		panic(errClosed)
	}
}

// letGo lets go of all that was loaded.
func (c *Call) letGo() {
	if c.Keeper != nil {
		c.Keeper.LetGo()
	}
}

// argumentsRoom is how many times their own length large arguments take: they are
// copied, made into tokens, and those put behind what there is.
const argumentsRoom = 5

// ArgumentsRoom returns for how many bytes there must be room before a call with
// so many bytes of arguments begins.
func ArgumentsRoom(size int) int {
	if size <= FreeArguments {
		return 0
	}
	return argumentsRoom * size
}

// FreeArguments is how many bytes of arguments are not counted.
const FreeArguments = 2 << 10
