package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Appends returns v completed as a verb that appends tokens to structures of a kind without
// reading them. encode appends the tokens for the call to its Buf and returns them. create says
// whether the verb creates a structure if there is none. A structure that it creates gets the
// call's Exptime, which is 0 unless an ordinary command carries the verb.
func Appends(v verbs.Verb, kind *format.Kind, create bool, encode func(*verbs.Call) []byte) verbs.Verb {
	op := verbs.AppendSized
	if create {
		op = verbs.AppendOrCreate
	}
	begin := func(refused bool) func(*verbs.Call) {
		return func(c *verbs.Call) {
			c.Buf = c.Buf[:0]
			EngineOf(c, kind).AppendTokens(encode(c), create, refused)
		}
	}
	anew, again := verbs.Coroutine(begin(false)), verbs.Coroutine(begin(true))
	appended := func(c *verbs.Call, replies []verbs.Reply) (next verbs.Step) {
		switch r := replies[0]; r.Status {
		case verbs.Stored:
			c.Say("STORED")
			if untidyAppended(c, c.Buf, r) {
				size := r.Size
				next.Go = func(c *verbs.Call) { EngineOf(c, kind).TidyUp(c.Key, size) }
			}
		case verbs.NotStored: // there is no structure, or its head is full
			return again(c)
		default:
			c.Fail(r)
		}
		return next
	}
	v.Run = func(c *verbs.Call) verbs.Step {
		if !c.FewWords() || create && PerhapsFull(c) {
			return anew(c)
		}
		tokens := encode(c)
		if !appendsAtOnce(c, tokens) {
			return anew(c)
		}
		return c.Asks(appended, verbs.Op{Kind: op, Key: c.Key, Exptime: c.Exptime, Data: tokens})
	}
	return v
}

// appendsAtOnce reports whether a call can begin with an append of tokens to its head. It does not use
// the engine, whose memory is seldom in the processor's cache.
func appendsAtOnce(c *verbs.Call, tokens []byte) bool {
	c.Limit = headLimit(c.Env, c.Key, c.Key)
	return len(tokens) <= c.Limit && c.Fits(c.Key, c.Key, tokens) && c.Env.AppendCreates(c.Key)
}

// AppendTokens appends tokens to the call's structure, settles it first if it is full, and
// answers the client: STORED; NOT_FOUND if there is no structure and create is not set; or why
// it failed. refused says that an append of them was refused just now, see [verbs.Call.AppendTo].
func (e *Engine) AppendTokens(tokens []byte, create, refused bool) {
	if create {
		if r := e.RoomToAdd(len(tokens)); r.Status == verbs.Failed {
			e.Fail(r)
			return
		}
	}
	if !Appended(e.env, e.Key, len(tokens)) {
		r := e.insert(tokens, create)
		if e.SayOutcome(r, "STORED", "NOT_FOUND"); r.Status == verbs.Stored {
			e.merge(e.Key)
		}
		return
	}
	r := e.appendAgain(tokens, create, refused)
	if e.SayOutcome(r, "STORED", "NOT_FOUND"); r.Status == verbs.Stored {
		e.Tidy(e.Key, r.Grown, r.Size)
	}
}
