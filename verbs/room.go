package verbs

// room is the memory reserved for a call. The driver of the routine limits the room of all
// calls together, so a call reserves room before it uses more than a little memory. If there is not
// enough, the call drops everything that it has read, waits for room, and reads again. So a waiting
// call keeps no memory that another one may be waiting for.
type room struct {
	size      int // in bytes
	arguments int // the part of it for the arguments
	awaits    int // bytes of room to wait for before the next operation; 0 for none
}

// roomFor returns the room of a call that begins with arguments for which so many bytes were reserved.
func roomFor(arguments int) room { return room{size: arguments, arguments: arguments} }

// ArgumentsRoom returns the part of the call's room that is for its arguments, in bytes.
func (c *Call) ArgumentsRoom() int { return c.room.arguments }

// Reserve raises the call's room to n bytes, not counting the arguments. If so much is not free
// now, it drops what was loaded and returns false. Then the next operation of the call first waits
// for that room, and fails if the wait is refused.
func (c *Call) Reserve(n int) bool {
	if n += c.room.arguments; n <= c.room.size {
		return true
	}
	c.local = append(c.local[:0], Op{Kind: Reserve, Bytes: n})
	if c.yieldLocal(); c.replies[0].Status == Stored {
		c.room.size = n
		return true
	}
	c.unload()
	c.room.awaits = n
	return false
}

// CanReserve reports whether n bytes, not counting the arguments, are no more than a call can have.
func (c *Call) CanReserve(n int) bool { return n+c.room.arguments <= c.Env.MostRoom() }

// KeepRoom reduces the call's room to n bytes, not counting the arguments.
func (c *Call) KeepRoom(n int) { c.room.size = min(c.room.size, n+c.room.arguments) }

// NeedRoom makes the next operation of the call first wait for n bytes of room in total, or for the
// most that a call can have if that is less. It is for a call that does not know yet how much it
// needs. If a failed Reserve has asked for more than n, the call waits for that instead, and is
// refused if no call can have so much.
func (c *Call) NeedRoom(n int) { c.room.awaits = max(c.room.awaits, min(n, c.Env.MostRoom())) }

// AwaitRoom waits for the room that the last Reserve could not get, if it failed. It returns Failed
// if the wait is refused. The next operation would wait too, but a call that is about to look at
// something that others change should wait before it looks.
func (c *Call) AwaitRoom() Reply {
	n := c.room.awaits
	if n == 0 {
		return Reply{Status: Stored}
	}
	c.local = append(c.local[:0], Op{Kind: Await, Bytes: n})
	c.room.awaits = 0
	c.room.size = c.room.arguments + len(c.Answer)
	c.yieldLocal()
	if r := c.replies[0]; r.Status != Stored {
		return Reply{Err: r.Err}
	}
	c.room.size = n
	return Reply{Status: Stored}
}

// unload drops everything that was loaded.
func (c *Call) unload() {
	if c.Keeper != nil {
		c.Keeper.Unload()
	}
}

// argumentsRoom is how much memory large arguments need, as a multiple of their length:
// they are copied, encoded as tokens, and appended to the existing log.
const argumentsRoom = 5

// ArgumentsRoom returns how many bytes must be reserved before a call of v with these arguments
// begins.
func (v *Verb) ArgumentsRoom(words, data []byte) int {
	size := len(words) + len(data)
	if v.Multiplies {
		size = max(size, v.Tokens(words, data)/2)
	}
	if size <= FreeArguments {
		return 0
	}
	return argumentsRoom * size
}

// FreeReply is how many bytes of a reply may be copied without reserving room.
const FreeReply = 64

// FreeArguments is how many bytes of arguments need no room.
const FreeArguments = 2 << 10
