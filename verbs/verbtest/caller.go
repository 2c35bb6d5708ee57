package verbtest

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Caller runs one call after another, whose operations are carried out one at a time. Its methods don't
// call Helper, which takes a quarter of the time of all schedules; what fails names the request.
type Caller struct {
	t       testing.TB
	list    *verbs.List
	Routine *verbs.Routine
	ops     []verbs.Op
	open    []int // indexes of ops that have not been carried out

	Answer   string
	Answered int              // value of Done when the answer came, -1 before
	Done     int              // operations carried out by memcached
	asked    string           // the request
	request  protocol.Request // as it is parsed
	data     [][]byte         // scratch: what replies have that were not copied

	woken      bool                // it need not wait for another call any more
	takenAlong bool                // another call carries out its append
	tookAlong  *verbs.Reply        // the reply to that append, which it has yet to get
	led        structure.LedAppend // its append, if it leads
	plain      verbs.Op            // what that was before it led
	Began      int64               // when a call that waits has begun to; 0 for now
	Narrow     func() bool         // reports whether no memory is free at the moment; nil if there always is some
	wanted     int                 // that the call has asked for last
}

// endless is more operations than any call takes that ends.
const endless = 2000

// NewCaller returns a caller that knows the verbs of list.
func NewCaller(t testing.TB, env verbs.Env, list *verbs.List) *Caller {
	c := newCaller(t, env, list)
	t.Cleanup(c.Routine.Close)
	return c
}

// newCaller is NewCaller for a caller that is to be closed.
func newCaller(t testing.TB, env verbs.Env, list *verbs.List) *Caller {
	return &Caller{t: t, list: list, Routine: verbs.NewRoutine(env)}
}

// Parse parses a request for a verb of list as a client types it. If it begins with an at-sign and a
// number, such as "@600 rpush k a", it is as if an ordinary command with that exptime carried the verb.
// spoil overwrites the request, to show whether anything still refers to it.
func Parse(t testing.TB, list *verbs.List, text string) (req *protocol.Request, spoil func()) {
	t.Helper()
	req = new(protocol.Request)
	return req, parse(t, list, text, req)
}

// parse is Parse into a request that is there, and empty.
func parse(t testing.TB, list *verbs.List, text string, req *protocol.Request) (spoil func()) {
	exptime, text := cutExptime(text)
	parser := protocol.Parser{MaxData: 1 << 24, Verbs: list.Known}
	buf := []byte(text + "\r\n")
	n, status := parser.Next(buf, req)
	if status != protocol.Ready || n != len(buf) || req.Refusal != "" || req.Verb == nil {
		t.Fatalf("%q is no request for a verb: status %d, %q", text, status, req.Refusal)
	}
	if exptime != 0 {
		req.Exptime = exptime
	}
	return func() {
		*req = protocol.Request{}
		overwrite(buf)
	}
}

// cutExptime returns the exptime with which a request is carried, 0 if it has none, and the request
// without it.
func cutExptime(request string) (exptime int64, rest string) {
	at, ok := strings.CutPrefix(request, "@")
	if !ok {
		return 0, request
	}
	number, rest, _ := strings.Cut(at, " ")
	exptime, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, request
	}
	return exptime, rest
}

// overwrite fills a buffer that must not be used any more with waste.
func overwrite(buf []byte) {
	const waste = "~~~~~~~~~~~~~~~~"
	for n := copy(buf, waste); n < len(buf); n *= 2 {
		copy(buf[n:], buf[:n])
	}
}

// Start begins the call that text asks for.
func (c *Caller) Start(text string) {
	_, c.asked = cutExptime(text)
	c.Answer, c.Answered, c.Done, c.wanted = "", -1, 0, 0
	spoil := parse(c.t, c.list, text, &c.request)
	if c.request.Wait > 0 {
		c.request.When = cmp.Or(c.Began, c.Routine.Inside().Env.Now())
	}
	ops := c.Routine.Start(c.list.Of(&c.request), &c.request)
	spoil()
	c.wait(ops)
}

// Busy reports whether the call waits for operations.
func (c *Caller) Busy() bool { return len(c.open) > 0 }

// Waits reports whether the call waits for another one, which has not woken it yet.
func (c *Caller) Waits() bool { return c.Busy() && c.ops[c.open[0]].Kind == verbs.Wait && !c.woken }

// wait takes over the operations that the call waits for, and its answer if it is
// complete.
func (c *Caller) wait(ops []verbs.Op) {
	c.ops, c.open = ops, c.open[:0]
	for i := range ops {
		c.open = append(c.open, i)
	}
	for i := range ops {
		if !ops[i].Local() {
			c.checkPlace(&ops[i])
		} else if ops[i].Kind == verbs.Wait {
			c.woken = false
			ops[i].Waiter.Wake = func() { c.woken = true }
		}
	}
	if len(c.Routine.Replies) != len(ops) {
		c.t.Fatalf("%q: room for %d replies to %d operations", c.asked, len(c.Routine.Replies), len(ops))
	}
	if answer, ok := c.Routine.Answer(); ok {
		if c.Answered >= 0 {
			c.t.Fatalf("%q: answered twice, %q and %q", c.asked, c.Answer, answer)
		}
		c.Answer, c.Answered = string(answer), c.Done
	}
	if account := c.Routine.Account(); account.Panic != "" {
		c.t.Fatalf("%q: %s", c.asked, account.Panic)
	}
	if !c.Busy() && !strings.HasSuffix(c.Answer, "\r\n") {
		c.t.Fatalf("%q: done, with the answer %q", c.asked, c.Answer)
	}
}

// checkPlace checks that the operation is routed by the key of a structure in the
// request, and that the item is a part of that structure.
func (c *Caller) checkPlace(op *verbs.Op) {
	place := op.RoutingKey()
	if !c.names(place) || !bytes.Equal(place, op.Key) && !verbs.IsPart(op.Key, place) {
		c.t.Fatalf("%.100q: an operation on %q is placed by %q", c.asked, op.Key, place)
	}
}

// names reports whether the request names a key, after the verb.
func (c *Caller) names(key []byte) bool {
	_, words, _ := strings.Cut(c.asked, " ")
	for word := range strings.FieldsSeq(words) {
		if word == string(key) {
			return true
		}
	}
	return false
}

// CarryOut carries out the n-th open operation by do, and resumes the call if it was
// the last one.
func (c *Caller) CarryOut(n int, do func(verbs.Op) verbs.Reply) {
	if c.Done++; c.Done > endless {
		c.t.Fatalf("%q: spins", c.asked)
	}
	i := c.open[n]
	c.open = append(c.open[:n], c.open[n+1:]...)
	if c.ops[i].Local() {
		c.Done-- // local operations don't count
		c.Routine.Replies[i] = c.carryOutLocal(c.ops[i])
	} else {
		c.Routine.Replies[i] = c.keep(&c.ops[i], do(c.ops[i]))
	}
	if len(c.open) > 0 {
		return
	}
	data := c.data[:0]
	for i := range c.Routine.Replies {
		if !c.Routine.Replies[i].Copied {
			data = append(data, c.Routine.Replies[i].Data)
		}
	}
	c.data = data
	ops := c.Routine.Resume()
	for len(ops) == 1 && ops[0].Kind == verbs.Reserve && c.roomy() && ops[0].Bytes <= c.mostMemory() { // the replies stay valid
		c.wanted, c.Routine.Replies[0] = ops[0].Bytes, verbs.Reply{Status: verbs.Stored}
		ops = c.Routine.Resume()
	}
	c.checkFences(data)
	for i := range data {
		overwrite(data[i])
	}
	c.wait(ops)
}

// keep stores a reply as the proxy does: it copies the data of every reply but the
// last and those of brief fetches, if there is room, and drops data that is longer than asked for.
func (c *Caller) keep(op *verbs.Op, r verbs.Reply) verbs.Reply {
	dropped := verbs.Reply{Status: verbs.Dropped, Size: len(r.Data)}
	switch {
	case op.Kind != verbs.Fetch || r.Status != verbs.Hit:
		return r
	case op.Bytes > 0 && len(r.Data) > op.Bytes:
		return dropped
	case len(c.open) > 0 && len(r.Data) > verbs.FreeReply && !c.roomy():
		return dropped
	}
	if r.Copied = len(c.open) > 0 && !op.Brief; !r.Copied {
		r.Data = append(r.Data[:len(r.Data):len(r.Data)], fence...)[:len(r.Data)]
	}
	return r
}

// fence is what is after the data of a reply that was not copied: in the proxy, that is a part of a
// buffer, and what follows is the next reply, perhaps to another client.
const fence = "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||"

// checkFences checks that the call has not written after the data of replies.
func (c *Caller) checkFences(data [][]byte) {
	for _, d := range data {
		if after := d[len(d):min(cap(d), len(d)+len(fence))]; len(d) > 0 && string(after) != fence[:len(after)] {
			c.t.Fatalf("%q: wrote %q after a reply", c.asked, after)
		}
	}
}

// roomy reports whether memory is free at the moment.
func (c *Caller) roomy() bool { return c.Narrow == nil || !c.Narrow() }

// mostMemory returns the most that the call can have.
func (c *Caller) mostMemory() int { return c.Routine.Inside().Env.MostMemory() }

// carryOutLocal carries out a local operation.
func (c *Caller) carryOutLocal(op verbs.Op) verbs.Reply {
	switch op.Kind {
	case verbs.Elsewhere:
		op.Do()
	case verbs.Reserve:
		return verbs.Reply{Status: verbs.NotStored}
	case verbs.Await:
		c.wanted = op.Bytes
		call := c.Routine.Inside()
		if most := c.mostMemory(); op.Bytes > most {
			return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR this takes %d bytes, and a request may have %d", op.Bytes, most)}
		}
		if kept := c.Routine.Reserved(); kept > call.ArgumentsMemory()+len(call.Answer) {
			c.t.Fatalf("%q: waits with room for %d bytes", c.asked, kept)
		}
	}
	return verbs.Reply{Status: verbs.Stored}
}
