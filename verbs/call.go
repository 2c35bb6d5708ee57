package verbs

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// Account is the cost of a call.
type Account struct {
	Trips int // round trips to upstreams; operations asked at once count as one
	Tried int // compactions tried
	Won   int // compactions that no concurrent change prevented
	Panic string
}

// Call is one verb in execution: the arguments of its request, its answer, and the means to
// ask for operations.
type Call struct {
	Account
	Arguments
	scratch

	Env     Env
	verb    *Verb
	yield   func([]Op) bool
	replies []Reply
	noted   int64 // see Noted

	Answer []byte // written so far
	answer completion
	Item   Item // the item that the answer was read from
	Seen   Seen // what a call that may wait has seen
	Queued bool // the call has its place among those that decide on the structure, so it takes effect before those that begin later, see [Verb.Ordered]
	Serves bool // other calls wait for what this one does for them too, so it goes on although its client is gone

	Pace     Pace
	reserved reservation
	Asked    int64 // when it first asked about a structure, by the clock of those who keep what it finds; 0 if nobody needs that
	Singly   bool  // fetch items one at a time, because there was no memory for several

	Limit int // for an append that begins the call: how long the item may become before it has to be settled

	Keeper Keeper // state that calls on some structures need in addition; nil until the first such call
}

// Keeper is the state and the buffers that calls on some kinds of structures need. It
// stays with the routine for later calls.
type Keeper interface {
	// Unload drops everything that was loaded.
	Unload()
	// Release releases what the call shares with others. It is called at the end of
	// every call, even one that failed.
	Release()
	// Trim drops what was loaded, and frees every buffer of more than keep bytes.
	Trim(keep int)
	// Kept returns how much memory is kept for later calls, in bytes.
	Kept() int
}

// begins begins a new call with a copy of the request's arguments.
func (c *Call) begins(verb *Verb, req *protocol.Request) {
	c.reset(verb)
	c.Arguments.copyFrom(req)
	c.reserved = reservationFor(verb.ArgumentsMemory(req.Words, req.Data))
}

// reset drops what is left of the last call.
func (c *Call) reset(verb *Verb) {
	c.Account = Account{}
	c.verb, c.answer, c.Queued, c.Serves, c.noted, c.Asked = verb, unanswered, false, false, 0, 0
	c.Item, c.Seen = Item{TTL: -1}, Seen{}
	c.trim(KeptScratch)
	c.Answer, c.Buf = c.Answer[:0], c.Buf[:0]
	c.Singly = false
	c.Pace.done = 0
}

// trim frees every buffer of more than keep bytes.
func (c *Call) trim(keep int) {
	if !c.used && c.trimmed <= keep && cap(c.copied)+cap(c.Answer)+cap(c.Buf) <= keep {
		return // nothing to free
	}
	c.used, c.trimmed = false, keep
	for _, b := range c.buffers() {
		if cap(*b) > keep {
			*b = nil
		}
	}
	if c.Keeper != nil {
		c.Keeper.Trim(keep)
		c.keeps = c.Keeper.Kept()
	}
	c.replies = nil
	if clear(c.Ops[:cap(c.Ops)]); cap(c.Ops) > keptOps {
		c.Ops = nil
	}
}

// buffers returns the buffers that later calls reuse.
func (c *Call) buffers() [4]*[]byte {
	return [...]*[]byte{&c.copied, &c.Answer, &c.Buf, &c.Name}
}

// kept returns how much memory is kept for later calls after trim, in bytes. It uses keeps instead
// of calling Keeper, whose memory is seldom in the processor's cache after a call without a
// coroutine.
func (c *Call) kept() int {
	kept := c.keeps
	for _, b := range c.buffers() {
		kept += cap(*b)
	}
	return kept
}

// errClosed is the panic that ends a call whose routine is closed.
var errClosed = errors.New("the routine was closed")

// Ask carries out one operation. The reply's Data is valid until the next operation.
func (c *Call) Ask(op Op) Reply {
	c.Ops = append(c.Ops[:0], op)
	return c.AskAll(c.Ops)[0]
}

// AskAll carries out ops in one round trip and returns their replies in order.
func (c *Call) AskAll(ops []Op) []Reply {
	if len(ops) == 0 { // yielding none would mean that the call has ended
		return nil
	}
	if r := c.AwaitMemory(); r.Status == Failed {
		return slices.Repeat([]Reply{r}, len(ops))
	}
	c.Trips++
	if !c.yield(ops) {
		panic(errClosed)
	}
	return c.replies
}

// yieldLocal lets the driver of the routine carry out the operation in local.
func (c *Call) yieldLocal() {
	if !c.yield(c.local) {
		panic(errClosed)
	}
}

// elsewhere calls do on another goroutine and waits for it.
func (c *Call) elsewhere(do func()) {
	c.local = append(c.local[:0], Op{Kind: Elsewhere, Do: do})
	c.yieldLocal()
	c.local[0].Do = nil
}

// pause lets other requests run. The last replies are invalid afterwards.
func (c *Call) pause() {
	c.local = append(c.local[:0], Op{Kind: Pause})
	c.yieldLocal()
}

// EachWord calls do for each word of text, a slice at a time.
func (c *Call) EachWord(text []byte, do func(word []byte)) { c.eachWord(text, c.Pace.Slice, do) }

// EachWordLookup is EachWord for a do that looks each word up in a structure with that many tokens. If
// these are more than a slice, a lookup takes as long as several tokens, see [Pace.EachLookup]. If they
// are not, the structure may be in the reply buffer, which a pause would invalidate.
func (c *Call) EachWordLookup(text []byte, tokens int, do func(word []byte)) {
	c.eachWord(text, c.lookups(tokens), do)
}

// LooksUpAtOnce reports whether EachWordLookup for the words of the request makes no pause.
func (c *Call) LooksUpAtOnce(tokens int) bool {
	n := c.lookups(tokens)
	return len(c.Words) <= n || protocol.CountWords(c.Words) <= n
}

// lookups returns how many words are looked up without a pause.
func (c *Call) lookups(tokens int) int {
	if tokens > c.Pace.Slice {
		return max(c.Pace.Slice/lookupTokens, 1)
	}
	return c.Pace.Slice
}

// eachWord calls do for each word of text, and pauses after each slice words.
func (c *Call) eachWord(text []byte, slice int, do func(word []byte)) {
	for {
		for range max(slice, 1) {
			var word []byte
			if word, text = protocol.NextWord(text); len(word) == 0 {
				return
			}
			do(word)
		}
		if word, _ := protocol.NextWord(text); len(word) > 0 {
			c.Pace.Pause()
		}
	}
}

// OnlyReads reports whether the call changes no item, see [Verb].
func (c *Call) OnlyReads() bool { return c.verb.ReadOnly }

// Noted returns the time at which the call first asked for it, in milliseconds since 1970. A
// coroutine may begin long after the call.
func (c *Call) Noted() int64 {
	if c.noted == 0 {
		c.noted = c.Env.Now()
	}
	return c.noted
}

// Random returns a number from 0 to n-1.
func (c *Call) Random(n int) int {
	high, _ := bits.Mul64(c.Env.Random(), uint64(n))
	return int(high)
}
