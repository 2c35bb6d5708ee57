package verbs

import "bytes"

// What a call takes of memory is bounded by whoever runs it: before the call
// takes more than a little, it asks for room. If there is none at once, it lets go
// of all that it has read, waits, and reads it again: so a call that waits holds
// nothing that another one may be waiting for.

// reserve makes sure of room for so many bytes in all, beside the arguments. If
// there is none now it returns false, and what was loaded is gone. Then the next
// operation that the call asks for waits for that room, or fails.
func (c *Call) reserve(n int) bool {
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

// await waits for the room that reserve has found to be missing.
func (c *Call) await() Reply {
	n := c.awaits
	c.local = append(c.local[:0], Op{Kind: Await, Bytes: n})
	c.awaits = 0
	c.room = c.arguments + len(c.answer)
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
	if c.loaded = 0; c.keeper != nil {
		c.keeper.letGo()
	}
}

// argumentsRoom is how many times their own length large arguments take: they are
// copied, made into tokens, and those put behind what there is.
const argumentsRoom = 5

// ArgumentsRoom returns for how many bytes there must be room before a call with
// so many bytes of arguments begins.
func ArgumentsRoom(size int) int {
	if size <= freeArguments {
		return 0
	}
	return argumentsRoom * size
}

// freeArguments is how many bytes of arguments are not counted.
const freeArguments = 2 << 10

// countTokens returns how many tokens there are in log at most. Unless it is very
// long, to count them is not worth while.
func (c *Call) countTokens(log []byte) int {
	if len(log) <= 4*c.pace.freely() {
		return len(log)/len("+m ") + 1
	}
	return c.countExactly(log)
}

// countExactly counts the tokens in log, if there is one space between.
func (c *Call) countExactly(log []byte) int {
	n := 1
	c.pace.eachByte(len(log), func(from, to int) {
		for _, space := range whiteSpace {
			n += bytes.Count(log[from:to], space)
		}
	})
	return n
}

var whiteSpace = [...][]byte{{' '}, {'\t'}, {'\n'}, {'\v'}, {'\f'}, {'\r'}}
