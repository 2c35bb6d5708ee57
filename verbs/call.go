package verbs

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// Env is what verbs know of the world.
type Env interface {
	// Now is the time, in milliseconds since the Unix epoch.
	Now() int64
	// AppendCreates says whether the upstream that owns a structure can append or
	// create in one round trip, as memcached 1.6.20 and later can.
	AppendCreates(structure []byte) bool
	// ItemLimit is the size of the longest item that may be put under key as a part
	// of a structure, in bytes, with the key and what memcached adds: of what the
	// upstream that owns the structure takes and what clients may store through the
	// proxy, the smaller. It is 0 if it is not known what the upstream takes.
	ItemLimit(structure, key []byte) int
	// Hold says that the call is about to swap the item under key and that
	// what other calls append to it is better held back, or that this is over.
	Hold(key []byte, on bool)
	// Outgrown reports whether NoteOutgrown was called with key, as far as that
	// is remembered.
	Outgrown(key []byte) bool
	// NoteOutgrown says that the item of a log for which key stands has become so
	// long that later events had better go elsewhere.
	NoteOutgrown(key []byte)
	// NoteLost says that the structure under key was found incomplete: a part had
	// been evicted, so it is gone as a whole.
	NoteLost(key []byte)
	// Random returns 64 random bits.
	Random() uint64
	// KeepScratch takes memory that a large fold has used and that no call needs
	// now, for the next one. TakeScratch returns what was kept, if it still is.
	KeepScratch(Scratch)
	TakeScratch() Scratch
	// Views are the structures that were read lately; nil if nothing is to be kept.
	Views() *Views
	// Decisions are the calls that decide on the structure that they are about.
	Decisions() *Decisions
	// Options are the same throughout the life of a routine.
	Options() *Options
}

// Options are the settings of the verbs.
type Options struct {
	// CompactDirtiness is how many dead tokens a set may hold before a read
	// compacts it.
	CompactDirtiness int
	// StructureItemSize is how long the item that is appended to may become,
	// in bytes; its log is folded and moved elsewhere in time.
	StructureItemSize int
	// LogChunk is the time that one item of an event log covers, in
	// milliseconds; a whole number of seconds.
	LogChunk int64
	// LogChunks is the number of items in the ring of an event log.
	LogChunks int64
}

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

// keptScratch is how much memory, in bytes, a routine keeps from one call for
// the next.
const keptScratch = 1 << 20

// keptOps is for how many operations at once a routine keeps room.
const keptOps = 64

// Call is one verb being carried out.
type Call struct {
	Account

	env     Env
	yield   func([]Op) bool
	replies []Reply
	ops     []Op

	program func(*Call) // what the coroutine carries out
	used    bool        // the coroutine, since what there was to let go of was let go
	trimmed int         // and what each buffer kept then at most, in bytes
	known   OpKind      // of the append whose reply is there before it is asked for; Fetch if there is none
	verb    *Verb
	key     []byte
	words   []byte // what follows the key, see protocol.Request.Words
	data    []byte
	flags   uint32
	exptime int64 // of an item that the call creates, in seconds as memcached takes it
	when    int64
	args    []byte // what key, words and data point into

	answer   []byte
	answered bool
	taken    bool
	item     Item

	pace      pace
	room      int  // see reserve
	arguments int  // of that, for the arguments
	awaits    int  // room for so many bytes is to be waited for; 0 for none
	loaded    int  // bytes of room for what was loaded
	local     []Op // scratch: the last one that was not for an upstream
	singly    bool // items are to be fetched one at a time, as there was no room for several

	grown int    // by how much the last append has made its item longer
	size  int    // what that has become
	limit int    // what that may become, see headLimit
	buf   []byte // scratch: tokens or records to be written
	name  []byte // scratch: a key

	keeper keeper // of what calls on structures keep; nil if there were none yet
}

// keeper keeps memory that a call needs, for the next one too.
type keeper interface {
	// letGo lets go of all that was loaded.
	letGo()
	// giveBack is called when the call has ended, in whatever way.
	giveBack()
	// trim lets go of it, and of every buffer of more than keep bytes.
	trim(keep int)
	// kept returns how much memory there is for later calls, in bytes.
	kept() int
}

// reset makes c a new call, with a copy of the request's arguments.
func (c *Call) reset(req *protocol.Request) {
	c.Account = Account{}
	c.answered, c.taken, c.known = false, false, Fetch
	c.verb, c.flags, c.when = Of(req), req.Flags, req.When
	c.exptime = req.Exptime
	c.item = Item{TTL: -1}
	c.trim(keptScratch)
	c.args = append(c.args[:0], req.Key...)
	c.args = append(c.args, req.Words...)
	c.args = append(c.args, req.Data...)
	k, w := len(req.Key), len(req.Key)+len(req.Words)
	c.key, c.words, c.data = c.args[:k:k], c.args[k:w:w], c.args[w:]
	c.answer, c.buf = c.answer[:0], c.buf[:0]
	c.arguments = ArgumentsRoom(len(req.Words) + len(req.Data))
	c.room, c.awaits, c.loaded, c.singly = c.arguments, 0, 0, false
	c.pace.done = 0
}

// trim lets go of every buffer of more than keep bytes.
func (c *Call) trim(keep int) {
	if !c.used && c.trimmed <= keep && cap(c.args)+cap(c.answer)+cap(c.buf) <= keep {
		return // there is nothing else
	}
	c.used, c.trimmed = false, keep
	for _, b := range c.buffers() {
		if cap(*b) > keep {
			*b = nil
		}
	}
	if c.keeper != nil {
		c.keeper.trim(keep)
	}
	c.replies = nil
	if clear(c.ops[:cap(c.ops)]); cap(c.ops) > keptOps {
		c.ops = nil
	}
}

// buffers returns those whose memory later calls use again.
func (c *Call) buffers() [4]*[]byte {
	return [...]*[]byte{&c.args, &c.answer, &c.buf, &c.name}
}

// kept returns how much memory there is for later calls, in bytes.
func (c *Call) kept() int {
	kept := 0
	if c.keeper != nil {
		kept = c.keeper.kept()
	}
	for _, b := range c.buffers() {
		kept += cap(*b)
	}
	return kept
}

// errClosed ends a verb whose routine is closed in the middle of a call.
var errClosed = errors.New("the routine was closed")

// ask has one operation carried out.
func (c *Call) ask(op Op) Reply {
	c.ops = append(c.ops[:0], op)
	return c.askAll(c.ops)[0]
}

// askAll has all of ops carried out in one round trip.
func (c *Call) askAll(ops []Op) []Reply {
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

// say answers the client with one line.
func (c *Call) say(line string) {
	c.answer = append(append(c.answer[:0], line...), "\r\n"...)
	c.answered = true
}

// sayf answers the client with one line.
func (c *Call) sayf(format string, args ...any) {
	c.say(fmt.Sprintf(format, args...))
}

// fail tells the client why an operation failed.
func (c *Call) fail(r Reply) {
	if r.Err == "" {
		r.Err = "SERVER_ERROR unexpected answer from the upstream"
	}
	c.say(r.Err)
}

// done says that the answer is complete.
func (c *Call) done() { c.answered = true }

// end completes the answer with the line that ends a list.
func (c *Call) end() {
	c.answer = append(c.answer, "END\r\n"...)
	c.done()
}

var tooMuch = fmt.Sprintf("SERVER_ERROR the answer is longer than %d MB; ask for less at once", MaxAnswer>>20)

// tooLong answers that the reply would exceed MaxAnswer, if it would.
func (c *Call) tooLong(more int) bool {
	if len(c.answer)+more <= MaxAnswer {
		return false
	}
	c.say(tooMuch)
	return true
}

// random returns a number from 0 to n-1.
func (c *Call) random(n int) int {
	high, _ := bits.Mul64(c.env.Random(), uint64(n))
	return int(high)
}

// help answers with the list of verbs.
var help = Verb{
	Verb:  protocol.Verb{Name: "help", Read: readNothing},
	Local: true,
	run: func(c *Call) {
		c.answer = append(c.answer, usages...)
		c.end()
	},
}
