package verbs

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// caller runs one call after another, and has the operations of a call carried
// out one at a time.
type caller struct {
	t       testing.TB
	routine *Routine
	ops     []Op
	open    []int // which of ops have not been carried out

	answer   string
	answered int    // how many operations had been carried out when the answer came, -1 before
	done     int    // operations carried out by memcached
	asked    string // the request

	woken  bool        // it waits for another call no more
	narrow func() bool // whether there is no room for what the call wants now; nil if there always is
	room   int         // that the call asked for last
}

// endless is more operations than any call may take.
const endless = 2000

func newCaller(t testing.TB, env Env) *caller {
	c := &caller{t: t, routine: NewRoutine(env)}
	t.Cleanup(c.routine.Close)
	return c
}

// parse reads a request as a client types it. Nothing but its text must be
// kept of it once it is spoiled.
func parse(t testing.TB, text string) (req *protocol.Request, spoil func()) {
	t.Helper()
	req = new(protocol.Request)
	parser := protocol.Parser{MaxData: 1 << 24, Verbs: Known}
	buf := []byte(text + "\r\n")
	n, status := parser.Next(buf, req)
	if status != protocol.Ready || n != len(buf) || req.Refusal != "" || req.Verb == nil {
		t.Fatalf("%q is no request for a verb: status %d, %q", text, status, req.Refusal)
	}
	return req, func() {
		*req = protocol.Request{}
		overwrite(buf)
	}
}

// overwrite spoils what must not be used any more.
func overwrite(buf []byte) {
	const waste = "~~~~~~~~~~~~~~~~"
	for n := copy(buf, waste); n < len(buf); n *= 2 {
		copy(buf[n:], buf[:n])
	}
}

// start begins the call that text asks for.
func (c *caller) start(text string) {
	c.t.Helper()
	c.asked, c.answer, c.answered, c.done, c.room = text, "", -1, 0, 0
	req, spoil := parse(c.t, text)
	ops := c.routine.Start(req)
	spoil()
	c.wait(ops)
}

// busy reports whether the call waits for operations.
func (c *caller) busy() bool { return len(c.open) > 0 }

// wait takes the operations that the call waits for, and its answer if there
// is one.
func (c *caller) wait(ops []Op) {
	c.t.Helper()
	c.ops, c.open = ops, c.open[:0]
	for i := range ops {
		c.open = append(c.open, i)
	}
	for i := range ops {
		if !ops[i].Local() {
			c.checkPlace(&ops[i])
		} else if ops[i].Kind == Wait {
			c.woken = false
			ops[i].Waiter.Wake = func() { c.woken = true }
		}
	}
	if len(c.routine.Replies) != len(ops) {
		c.t.Fatalf("%q: room for %d replies to %d operations", c.asked, len(c.routine.Replies), len(ops))
	}
	if answer, ok := c.routine.Answer(); ok {
		if c.answered >= 0 {
			c.t.Fatalf("%q: answered twice, %q and %q", c.asked, c.answer, answer)
		}
		c.answer, c.answered = string(answer), c.done
	}
	if account := c.routine.Account(); account.Panic != "" {
		c.t.Fatalf("%q: %s", c.asked, account.Panic)
	}
	if !c.busy() && !strings.HasSuffix(c.answer, "\r\n") {
		c.t.Fatalf("%q: done, with the answer %q", c.asked, c.answer)
	}
}

// checkPlace sees that the operation goes where a structure is that the request names,
// and that the item is a part of this.
func (c *caller) checkPlace(op *Op) {
	c.t.Helper()
	place := op.RoutingKey()
	if !slices.Contains(strings.Fields(c.asked)[1:], string(place)) || !bytes.Equal(place, op.Key) && !IsPart(op.Key, place) {
		c.t.Fatalf("%.100q: an operation on %q is placed by %q", c.asked, op.Key, place)
	}
}

// carryOut has the n-th of the open operations carried out, and goes on with
// the call if it was the last of them.
func (c *caller) carryOut(n int, do func(Op) Reply) {
	c.t.Helper()
	if c.done++; c.done > endless {
		c.t.Fatalf("%q: spins", c.asked)
	}
	i := c.open[n]
	c.open = append(c.open[:n], c.open[n+1:]...)
	if c.ops[i].Local() {
		c.done-- // it costs no round trip
		c.routine.Replies[i] = c.carryOutLocal(c.ops[i])
	} else {
		c.routine.Replies[i] = c.keep(&c.ops[i], do(c.ops[i]))
	}
	if len(c.open) > 0 {
		return
	}
	var data [][]byte
	for i := range c.routine.Replies {
		if !c.routine.Replies[i].Copied {
			data = append(data, c.routine.Replies[i].Data)
		}
	}
	ops := c.routine.Resume()
	for len(ops) == 1 && ops[0].Kind == Reserve && c.roomy() { // what was read stays valid
		c.room, c.routine.Replies[0] = ops[0].Bytes, Reply{Status: Stored}
		ops = c.routine.Resume()
	}
	for i := range data {
		overwrite(data[i])
	}
	c.wait(ops)
}

// keep keeps a reply, as whoever runs a routine does: what is not the last is copied,
// if there is room, and what is longer than was asked for is dropped.
func (c *caller) keep(op *Op, r Reply) Reply {
	dropped := Reply{Status: Dropped, Size: len(r.Data)}
	switch {
	case op.Kind != Fetch || r.Status != Hit:
		return r
	case op.Bytes > 0 && len(r.Data) > op.Bytes:
		return dropped
	case len(c.open) > 0 && !c.roomy():
		return dropped
	}
	r.Copied = len(c.open) > 0
	return r
}

// roomy reports whether there is room at once for what the call wants now.
func (c *caller) roomy() bool { return c.narrow == nil || !c.narrow() }

// carryOutLocal carries out an operation that is not for memcached.
func (c *caller) carryOutLocal(op Op) Reply {
	switch op.Kind {
	case Elsewhere:
		op.Do()
	case Reserve:
		return Reply{Status: NotStored}
	case Await:
		c.room = op.Bytes
		if kept := c.routine.Room(); kept > c.routine.call.arguments+len(c.routine.call.answer) {
			c.t.Fatalf("%q: waits with room for %d bytes", c.asked, kept)
		}
	}
	return Reply{Status: Stored}
}

// world is a memcached with one client, who has all operations carried out at
// once and in order.
type world struct {
	*model
	t            testing.TB
	options      Options
	random       func() uint64
	limitUnknown bool
	outgrown     map[string]bool
	lost         []string // structures found incomplete
	client       *caller
	scratch      Scratch
	views        *Views // nil if nothing is kept
	decisions    Decisions
	instead      func(Op) (Reply, bool) // gives replies in the place of the model
}

func (w *world) Now() int64                { return w.now }
func (w *world) AppendCreates([]byte) bool { return !w.old }
func (w *world) Options() *Options         { return &w.options }
func (w *world) Random() uint64            { return w.random() }
func (w *world) KeepScratch(s Scratch)     { w.scratch = s }

func (w *world) TakeScratch() (s Scratch) {
	s, w.scratch = w.scratch, s
	return s
}

func (w *world) Views() *Views { return w.views }

func (w *world) Decisions() *Decisions { return &w.decisions }

func (w *world) Hold(_ []byte, on bool)   {}
func (w *world) Outgrown(key []byte) bool { return w.outgrown[string(key)] }
func (w *world) NoteOutgrown(key []byte)  { w.outgrown[string(key)] = true }

func (w *world) NoteLost(key []byte) { w.lost = append(w.lost, string(key)) }

func (w *world) ItemLimit(_, key []byte) int {
	if w.limitUnknown {
		return 0
	}
	return w.limit + len(key) + itemOverhead
}

func newWorld(t testing.TB) *world {
	w := &world{model: newModel(), t: t, outgrown: map[string]bool{}, random: rand.NewPCG(1, 2).Uint64}
	w.options = Options{CompactDirtiness: 50, StructureItemSize: 64 << 10, LogChunk: 10_000, LogChunks: 10}
	w.client = newCaller(t, w)
	return w
}

// onBoth runs test with a new and with an old memcached.
func onBoth(t *testing.T, test func(*testing.T, *world)) {
	t.Run("new", func(t *testing.T) { test(t, newWorld(t)) })
	t.Run("old", func(t *testing.T) {
		w := newWorld(t)
		w.old = true
		test(t, w)
	})
}

// send returns the answer to a request.
func (w *world) send(text string) string {
	w.t.Helper()
	w.client.start(text)
	for w.client.busy() {
		w.client.carryOut(0, func(op Op) Reply {
			if w.instead != nil {
				if r, ok := w.instead(op); ok {
					return r
				}
			}
			return w.do(w.t, op)
		})
	}
	return w.client.answer
}

// expect sends a request and compares the answer, of which want gives the
// lines.
func (w *world) expect(request string, want ...string) {
	w.t.Helper()
	if got := w.send(request); got != strings.Join(want, "\r\n")+"\r\n" {
		w.t.Errorf("%q: answered %.300q, expected %.300q", request, got, want)
	}
}

// holds compares what an item holds, "none" for no item.
func (w *world) holds(key, want string) {
	w.t.Helper()
	if got := w.value(key); got != want {
		w.t.Errorf("%s holds %.300q, expected %.300q", key, got, want)
	}
}

// cost compares the operations that the last call took.
func (w *world) cost(want int) {
	w.t.Helper()
	if w.client.done != want {
		w.t.Errorf("%q: took %d operations, expected %d", w.client.asked, w.client.done, want)
	}
}

var crlf = []byte("\r\n")

// lines splits an answer into its lines.
func lines(answer string) []string {
	var split []string
	for line := range bytes.SplitSeq(bytes.TrimSuffix([]byte(answer), crlf), crlf) {
		split = append(split, string(line))
	}
	return split
}
