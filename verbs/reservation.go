package verbs

import "slices"

// reservation is the memory that is reserved for a call. The driver of the routine limits the memory of all
// calls together, so a call reserves memory before it uses more than a little. If not enough is free, the
// call drops everything that it has read, waits for memory, and reads again. So a waiting call keeps no
// memory that another one may be waiting for.
type reservation struct {
	size      int // in bytes
	arguments int // the part of it for the arguments
	awaits    int // bytes to wait for before the next operation; 0 for none
}

// reservationFor returns that of a call that begins, for whose arguments so many bytes were reserved.
func reservationFor(arguments int) reservation {
	return reservation{size: arguments, arguments: arguments}
}

// ArgumentsMemory returns how many of the reserved bytes are for the call's arguments.
func (c *Call) ArgumentsMemory() int { return c.reserved.arguments }

// Reserve raises what is reserved for the call to n bytes, not counting the arguments. If so much is not
// free now, it drops what was loaded and returns false. Then the next operation of the call first waits
// for that memory, and fails if the wait is refused.
func (c *Call) Reserve(n int) bool {
	if n += c.reserved.arguments; n <= c.reserved.size {
		return true
	}
	c.local = append(c.local[:0], Op{Kind: Reserve, Bytes: n})
	if c.yieldLocal(); c.replies[0].Status == Stored {
		c.reserved.size = n
		return true
	}
	if c.Keeper != nil {
		c.Keeper.Unload()
	}
	c.reserved.awaits = n
	return false
}

// CanReserve reports whether n bytes, not counting the arguments, are no more than a call can have.
func (c *Call) CanReserve(n int) bool { return n+c.reserved.arguments <= c.Env.MostMemory() }

// KeepReserved reduces what is reserved for the call to n bytes, not counting the arguments.
func (c *Call) KeepReserved(n int) { c.reserved.size = min(c.reserved.size, n+c.reserved.arguments) }

// NeedMemory makes the next operation of the call first wait for n bytes in total, or for the
// most that a call can have if that is less. It is for a call that does not know yet how much it
// needs. If a failed Reserve has asked for more than n, the call waits for that instead, and is
// refused if no call can have so much.
func (c *Call) NeedMemory(n int) {
	c.reserved.awaits = max(c.reserved.awaits, min(n, c.Env.MostMemory()))
}

// AwaitMemory waits for the memory that the last Reserve could not get, if it failed. It returns Failed
// if the wait is refused. The next operation would wait too, but a call that is about to look at
// something that others change should wait before it looks.
func (c *Call) AwaitMemory() Reply {
	n := c.reserved.awaits
	if n == 0 {
		return Reply{Status: Stored}
	}
	c.local = append(c.local[:0], Op{Kind: Await, Bytes: n})
	c.reserved.awaits = 0
	c.reserved.size = c.reserved.arguments + len(c.Answer)
	c.yieldLocal()
	if r := c.replies[0]; r.Status != Stored {
		return Reply{Err: r.Err}
	}
	c.reserved.size = n
	return Reply{Status: Stored}
}

// argumentsFactor is how much memory large arguments need, as a multiple of their length:
// they are copied, encoded as tokens, and appended to the existing log.
const argumentsFactor = 5

// ArgumentsMemory returns how many bytes must be reserved before a call of v with these arguments
// begins.
func (v *Verb) ArgumentsMemory(words, data []byte) int {
	size := len(words) + len(data)
	if v.Multiplies {
		size = max(size, v.Tokens(words, data)/2)
	}
	if size <= FreeArguments {
		return 0
	}
	return argumentsFactor * size
}

// FreeReply is how many bytes of a reply may be copied without reserving memory.
const FreeReply = 64

// GrowBuf makes room in Buf for the tokens for the words of the request, if these are many. size is [Verb.Tokens].
func (c *Call) GrowBuf(size func(words, data []byte) int) {
	if len(c.Words) > FreeArguments {
		c.Buf = slices.Grow(c.Buf, size(c.Words, nil))
	}
}

// FreeArguments is how many bytes of arguments need no reservation.
const FreeArguments = 2 << 10
