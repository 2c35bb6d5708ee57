package verbs

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// Account is what a call has cost.
type Account struct {
	Trips int // round trips to upstreams; operations asked at once are one
	Tried int // compactions tried
	Won   int // compactions that nobody else's change prevented
	Panic string
}

// Item is what there is to know of the item that an answer was read from.
type Item struct {
	CAS uint64 // 0 if there is none: the answer came from several items
	TTL int64  // seconds left, -1 for ever
}

// MaxAnswer bounds the memory that one call takes for its answer, in bytes.
const MaxAnswer = 32 << 20

// KeptScratch is how much memory, in bytes, a routine keeps from one call for
// the next.
const KeptScratch = 1 << 20

// keptOps is for how many operations at once a routine keeps room.
const keptOps = 64

// Call is one verb being carried out: the arguments of its request, the answer, and what it
// takes to ask for operations.
type Call struct {
	Account

	Env     Env
	yield   func([]Op) bool
	replies []Reply
	Ops     []Op // scratch: what is asked for at once

	program func(*Call) // what the coroutine carries out
	used    bool        // the coroutine, since what there was to let go of was let go
	trimmed int         // and what each buffer kept then at most, in bytes
	known   OpKind      // of the append whose reply is there before it is asked for; Fetch if there is none
	verb    *Verb
	Key     []byte // of the structure that it is about
	Words   []byte // what follows the key, see protocol.Request.Words
	Data    []byte // the data block, with Flags and When from the line before it
	Flags   uint32
	Exptime int64 // of an item that the call creates, in seconds as memcached takes it
	When    int64
	args    []byte // what key, words and data point into

	Answer   []byte // as far as it is written
	answered bool
	taken    bool
	Item     Item // that the answer was read from

	Pace      Pace
	room      int  // see Reserve
	arguments int  // of that, for the arguments
	awaits    int  // room for so many bytes is to be waited for; 0 for none
	local     []Op // scratch: the last one that was not for an upstream
	Singly    bool // items are to be fetched one at a time, as there was no room for several

	Grown int    // by how much the last append has made its item longer
	Size  int    // what that has become
	Buf   []byte // scratch: tokens or records to be written
	Name  []byte // scratch: a key

	Keeper Keeper // of what calls need more than this; nil if none did yet
}

// Keeper is what carries out calls of some kind, and has the memory that they need. It
// remains with the routine for the next one.
type Keeper interface {
	// LetGo lets go of all that was loaded.
	LetGo()
	// GiveBack is called when the call has ended, in whatever way.
	GiveBack()
	// Trim lets go of it, and of every buffer of more than keep bytes.
	Trim(keep int)
	// Kept returns how much memory there is for later calls, in bytes.
	Kept() int
}

// reset makes c a new call, with a copy of the request's arguments.
func (c *Call) reset(verb *Verb, req *protocol.Request) {
	c.Account = Account{}
	c.answered, c.taken, c.known = false, false, Fetch
	c.verb, c.Flags, c.When = verb, req.Flags, req.When
	c.Exptime = req.Exptime
	c.Item = Item{TTL: -1}
	c.trim(KeptScratch)
	c.args = append(c.args[:0], req.Key...)
	c.args = append(c.args, req.Words...)
	c.args = append(c.args, req.Data...)
	k, w := len(req.Key), len(req.Key)+len(req.Words)
	c.Key, c.Words, c.Data = c.args[:k:k], c.args[k:w:w], c.args[w:]
	c.Answer, c.Buf = c.Answer[:0], c.Buf[:0]
	c.arguments = ArgumentsRoom(len(req.Words) + len(req.Data))
	c.room, c.awaits, c.Singly = c.arguments, 0, false
	c.Pace.done = 0
}

// trim lets go of every buffer of more than keep bytes.
func (c *Call) trim(keep int) {
	if !c.used && c.trimmed <= keep && cap(c.args)+cap(c.Answer)+cap(c.Buf) <= keep {
		return // there is nothing else
	}
	c.used, c.trimmed = false, keep
	for _, b := range c.buffers() {
		if cap(*b) > keep {
			*b = nil
		}
	}
	if c.Keeper != nil {
		c.Keeper.Trim(keep)
	}
	c.replies = nil
	if clear(c.Ops[:cap(c.Ops)]); cap(c.Ops) > keptOps {
		c.Ops = nil
	}
}

// buffers returns those whose memory later calls use again.
func (c *Call) buffers() [4]*[]byte {
	return [...]*[]byte{&c.args, &c.Answer, &c.Buf, &c.Name}
}

// kept returns how much memory there is for later calls, in bytes.
func (c *Call) kept() int {
	kept := 0
	if c.Keeper != nil {
		kept = c.Keeper.Kept()
	}
	for _, b := range c.buffers() {
		kept += cap(*b)
	}
	return kept
}

// errClosed ends a verb whose routine is closed in the middle of a call.
var errClosed = errors.New("the routine was closed")

// Ask has one operation carried out.
func (c *Call) Ask(op Op) Reply {
	c.Ops = append(c.Ops[:0], op)
	return c.AskAll(c.Ops)[0]
}

// AskAll has all of ops carried out in one round trip.
func (c *Call) AskAll(ops []Op) []Reply {
	if len(ops) == 0 { // to yield none would be to end
		return nil
	}
	if c.awaits > 0 {
		if r := c.await(); r.Status == Failed {
			return slices.Repeat([]Reply{r}, len(ops))
		}
	}
	if c.knows(ops) {
		return c.replies
	}
	c.Trips++
	if !c.yield(ops) {
		panic(errClosed)
	}
	return c.replies
}

// Say answers the client with one line.
func (c *Call) Say(line string) {
	c.Answer = append(append(c.Answer[:0], line...), "\r\n"...)
	c.answered = true
}

// Sayf answers the client with one line.
func (c *Call) Sayf(format string, args ...any) {
	c.Say(fmt.Sprintf(format, args...))
}

// Fail tells the client why an operation failed.
func (c *Call) Fail(r Reply) {
	if r.Err == "" {
		r.Err = "SERVER_ERROR unexpected answer from the upstream"
	}
	c.Say(r.Err)
}

// Answered reports whether the client has its answer.
func (c *Call) Answered() bool { return c.answered }

// Done says that the answer is complete.
func (c *Call) Done() { c.answered = true }

// End completes the answer with the line that ends a list.
func (c *Call) End() {
	c.Answer = append(c.Answer, "END\r\n"...)
	c.Done()
}

// TooMuch is the refusal of what would take more memory than [MaxAnswer].
var TooMuch = fmt.Sprintf("SERVER_ERROR the answer is longer than %d MB; ask for less at once", MaxAnswer>>20)

// TooLong answers that the reply would exceed MaxAnswer, if it would.
func (c *Call) TooLong(more int) bool {
	if len(c.Answer)+more <= MaxAnswer {
		return false
	}
	c.Say(TooMuch)
	return true
}

// Random returns a number from 0 to n-1.
func (c *Call) Random(n int) int {
	high, _ := bits.Mul64(c.Env.Random(), uint64(n))
	return int(high)
}
