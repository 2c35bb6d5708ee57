package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// mostFills is how many fills a loop has under way at a time. A value that is not filled is read from the other copy again.
const mostFills = 64

// copiedFill is a fill of the copy of a key that leads. Nobody waits for it.
type copiedFill struct {
	copies.Fill
	loop     *Loop
	filled   *route.Pool
	to, from *pool.Member
	key      []byte
	step     copies.FillStep
}

// fill fills the copy of a key that leads, as it has missed what another copy has.
func (l *Loop) fill(of *route.Copies, from int, key []byte) {
	lead := of.Up(key).First()
	if lead < 0 || lead >= from || l.fills >= mostFills || !protocol.PlainWord(key) {
		return
	}
	f := &copiedFill{loop: l, filled: of.Pools[lead], to: l.memberOf(of.Pools[lead], key), from: l.memberOf(of.Pools[from], key), key: bytes.Clone(key)}
	if f.to.Version.AtLeast(upstream.MetaCommands) && f.from.Version.AtLeast(upstream.MetaCommands) {
		l.fills++
		f.goesOn(f.Begin(), nil)
	}
}

// goesOn does the next step. value is what is to be stored.
func (f *copiedFill) goesOn(step copies.FillStep, value *protocol.Reply) {
	u := f.to
	if step == copies.ToRead {
		u = f.from
	}
	if step == copies.Ended || u.State != upstream.Up || !u.First.HasRoom(1) {
		f.loop.fills--
		return
	}
	f.step = step
	req := f.Request(step, f.key, value)
	u.First.Request(&req, &upstream.Pending{Sink: f, Command: req.Command, Loss: upstream.LossMisses})
}

// Answered implements [upstream.Sink].
func (f *copiedFill) Answered(_ *upstream.Pending, a *upstream.Answer) {
	var reply protocol.Reply
	if !a.Failed() {
		if _, _, err := protocol.ParseReply(a.Data, &reply); err != nil {
			reply = protocol.Reply{}
		}
	}
	switch f.step {
	case copies.ToMark:
		f.goesOn(f.Marked(copies.CASOf(reply.Line), f.to.Epoch), nil)
	case copies.ToRead:
		worth := reply.Kind == protocol.ReplyMetaValue && copies.IsWorth(&reply) && f.loop.hasMemory(len(reply.Data))
		f.goesOn(f.HasRead(worth, f.to.Epoch), &reply)
	case copies.ToStore:
		if bytes.HasPrefix(reply.Line, []byte("HD")) {
			f.filled.Stats.Verbs.Pool[status.CopiesFilled]++
		}
		f.goesOn(copies.Ended, nil)
	default:
		f.goesOn(copies.Ended, nil)
	}
}
