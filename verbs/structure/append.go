package structure

import "github.com/memverbs/memverbs/verbs"

// Appends returns v completed as a verb that appends tokens to structures of a kind without
// reading them. encode appends the tokens for the call to its Buf and returns them. create
// says whether the verb creates a structure where there is none. One that it creates gets
// the call's Exptime, which is 0 unless an ordinary command carried the verb.
func Appends(v verbs.Verb, kind *Kind, create bool, encode func(*verbs.Call) []byte) verbs.Verb {
	op := verbs.AppendSized
	if create {
		op = verbs.AppendOrCreate
	}
	v.Direct = func(c *verbs.Call) (verbs.Op, bool) {
		if create && PerhapsFull(c) {
			return verbs.Op{}, false
		}
		return direct(c, verbs.Op{Kind: op, Key: c.Key, Exptime: c.Exptime, Data: encode(c)})
	}
	v.After = func(c *verbs.Call) func(*verbs.Call) {
		if !untidy(c, c.Grown, c.Size, c.Limit) {
			return nil
		}
		return func(c *verbs.Call) { EngineOf(c, kind).TidyUp(c.Key, c.Size) }
	}
	v.Run = func(c *verbs.Call) { EngineOf(c, kind).AppendTokens(encode(c), create) }
	return v
}

// direct returns op, an append to the head, and whether it may be the direct append of
// the call, see [verbs.Verb]. It does without the engine, whose memory is seldom in the
// processor's cache.
func direct(c *verbs.Call, op verbs.Op) (verbs.Op, bool) {
	c.Limit = headLimit(c.Env, c.Key, c.Key)
	return op, len(op.Data) <= c.Limit && c.Fits(c.Key, c.Key, op.Data) && c.Env.AppendCreates(c.Key)
}

// AppendTokens appends tokens to the call's structure, settles it first if it is full, and
// answers the client: STORED; NOT_FOUND if there is no structure and create is not set; or why
// it failed.
func (c *Engine) AppendTokens(tokens []byte, create bool) {
	if create {
		if r := c.RoomToAdd(len(tokens)); r.Status == verbs.Failed {
			c.Fail(r)
			return
		}
	}
	if !Appended(c.env, c.Key, len(tokens)) {
		c.insert(tokens, create)
		return
	}
	for try := range verbs.MaxTries {
		switch o, size := c.AppendTo(c.Key, tokens, create, c.Exptime); o {
		case verbs.Done:
			c.Say("STORED")
			c.Tidy(c.Key, c.Grown, size)
			return
		case verbs.Absent:
			c.Say("NOT_FOUND")
			return
		case verbs.Told:
			return
		case verbs.Full:
			if r := c.makeRoomAgain(size, try); r.Status == verbs.Failed {
				c.Fail(r)
				return
			}
		}
	}
	c.Fail(c.Refused(c.Key, len(tokens)))
}

// AppendExisting appends tokens to the call's structure, whatever it has become: Stored with
// Grown and Size; Missing if there is none; or Failed.
func (c *Engine) AppendExisting(tokens []byte) verbs.Reply {
	if len(tokens) == 0 {
		return verbs.Reply{Status: verbs.Stored}
	}
	for try := range verbs.MaxTries {
		r := c.AppendOnly(c.Key, tokens)
		if r.Status != verbs.NotStored {
			return r
		}
		if r := c.makeRoomAgain(r.Size, try); r.Status == verbs.Failed {
			return r
		}
	}
	return c.Refused(c.Key, len(tokens))
}

// makeRoomAgain is [Engine.MakeRoom] for the call's head, after so many tries. If size is 0, the refusal
// did not tell it. Then another call may have settled the head already, so it need be no shorter than
// usual for the first try; but the more tries fail, the shorter.
func (c *Engine) makeRoomAgain(size, tries int) verbs.Reply {
	if size == 0 {
		size = 2 * c.HeadLimit(c.Key) >> tries
	}
	return c.MakeRoom(c.Key, size)
}
