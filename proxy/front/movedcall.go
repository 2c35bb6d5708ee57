package front

import (
	"bytes"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// movedCall is a request on a key that moves from one upstream to another, from when it is dispatched until nothing is left to be
// done for it, which may be after its client was answered.
type movedCall struct {
	moving.Call
	loop    *Loop
	pool    *route.Pool
	move    *route.Moving
	phase   moving.Phase
	servers [2]*pool.Member
	epochs  [2]uint32        // of the upstreams, when the call began
	req     protocol.Request // with its key as it is stored
	shown   []byte           // the key in the answer
	words   []byte           // of req
	began   time.Time
	kept    int // bytes as counted in the loop's account

	under moving.Operation
	step  movedStep
	part  bool           // it is a part of one
	found moving.Reply   // to a look, until what it has found is deleted
	item  []byte         // the data of what was found last
	last  protocol.Reply // to the command itself
	reply []byte         // of last
	other []byte         // the reply to something else
	out   protocol.Request
	then  func(moving.Answer, []byte, protocol.ReplyKind)
	after func() // is called when nothing is left to be done
}

// movedStep is what a call does for the operation under way.
type movedStep uint8

const (
	itself     movedStep = iota // the operation
	discarding                  // an item from before the migration is deleted
	vacating                    // the placeholder is deleted before the command itself creates the item
	creating                    // the command does
)

// begin begins the call.
func (m *movedCall) begin(kind moving.Kind) {
	m.began = time.Now()
	for i, u := range m.servers {
		m.epochs[i] = u.Epoch
	}
	m.goOn(m.Begin(kind, m.phase))
}

// goOn does what follows.
func (m *movedCall) goOn(step moving.Step) {
	if step.Answer != moving.NoAnswer {
		m.answer(step.Answer)
	}
	if step.Operation.Do == moving.Nothing {
		m.end()
		return
	}
	m.under, m.step = step.Operation, itself
	if step.Operation.Do == moving.Create && step.Operation.If != 0 && m.req.Command == protocol.MetaArithmetic {
		m.step = vacating
	}
	m.send()
}

// send sends the operation under way.
func (m *movedCall) send() {
	op := m.under
	u := m.servers[op.At]
	switch {
	case u.State != upstream.Up:
		m.refused(u.Refuse())
		return
	case u.Epoch != m.epochs[op.At], !m.move.Upholds(time.Since(m.began)): // what was seen is not valid any more
		m.refused(nil)
		return
	}
	looks := wire.LookFor(&m.req, op, m.phase)
	item := m.Item()
	switch m.step {
	case discarding:
		wire.Request(&m.out, &m.req, moving.Operation{Do: moving.Delete, If: m.found.Item.CAS}, looks, nil)
	case vacating:
		wire.Request(&m.out, &m.req, moving.Operation{Do: moving.Delete, If: op.If}, looks, nil)
	case creating:
		wire.Request(&m.out, &m.req, moving.Operation{Do: moving.Create}, looks, nil)
	default:
		wire.Request(&m.out, &m.req, op, looks, &item)
	}
	p := upstream.Pending{Sink: m, Command: m.out.Command, Keys: uint16(m.out.NumWords)}
	if op.Do == moving.Act || op.Do == moving.Create || op.Do == moving.Delete {
		if m.req.Overwrites() {
			p.Loss = upstream.LossOutdates
		}
	}
	if m.part = false; m.step == itself && op.Do == moving.Look && looks == wire.Wholly && op.At == moving.Old {
		m.askBases(u)
	}
	u.First.Request(&m.out, &p)
}

// askBases asks for the structures of which the item may be a part.
func (m *movedCall) askBases(u *pool.Member) {
	bases, sure := catalog.Bases(m.req.Key)
	m.part = sure
	for _, base := range bases {
		if protocol.PlainWord(base) {
			var req protocol.Request
			req.SetRetrieval(protocol.Get, base, 1, true)
			u.First.Request(&req, &upstream.Pending{Sink: upstream.SinkFunc(m.hearsOfBase), Command: protocol.Get, Keys: 1})
		}
	}
}

// hearsOfBase receives the answer to the question for a structure. It is answered before the item is.
func (m *movedCall) hearsOfBase(_ *upstream.Pending, a *upstream.Answer) {
	var reply protocol.Reply
	if a.IsError() { // nobody knows
		m.part = true
		return
	}
	if n, _, err := protocol.ParseReply(a.Data, &reply); n > 0 && err == nil && reply.Kind == protocol.ReplyValue {
		flags, _ := protocol.ParseUint(reply.Flags())
		m.part = m.part || catalog.IsHead(uint32(flags), reply.Data)
	}
}

// refused has the operation end as one that was not sent.
func (m *movedCall) refused(line []byte) {
	if m.under.Do == moving.Act || m.under.Do == moving.Create {
		if m.reply = append(m.reply[:0], line...); len(line) == 0 {
			m.reply = append(m.reply, "SERVER_ERROR the connection to an upstream was replaced\r\n"...)
		}
		m.last = protocol.Reply{Kind: protocol.ReplyError, Line: bytes.TrimSpace(m.reply)}
	}
	m.take(&moving.Reply{Outcome: moving.Refused})
}

// Answered implements [upstream.Sink].
func (m *movedCall) Answered(p *upstream.Pending, a *upstream.Answer) {
	if a.Outcome == upstream.Lost {
		m.take(&moving.Reply{Outcome: moving.Lost})
		return
	}
	last, text := &m.last, &m.reply
	if m.under.Do != moving.Act && m.under.Do != moving.Create {
		last, text = &protocol.Reply{}, &m.other
	}
	*text = append((*text)[:0], a.Data...)
	if n, _, err := protocol.ParseReply(*text, last); n == 0 || err != nil {
		*last = protocol.Reply{Kind: protocol.ReplyError, Line: []byte("SERVER_ERROR a reply that is none")}
	}
	reply := wire.Read(&m.req, m.under, last)
	if m.under.Do == moving.Reserve && reply.Outcome == moving.Done && reply.Item.CAS == 0 { // it keeps none, and has not said so yet
		reply.Outcome = moving.Refused
	}
	switch m.step {
	case discarding:
		m.step = itself
		if reply.Outcome == moving.Refused {
			m.take(&moving.Reply{Outcome: moving.Lost})
			return
		}
		m.take(&moving.Reply{Outcome: moving.Absent})
		return
	case vacating:
		if reply.Outcome == moving.Done {
			m.step = creating
			m.send()
			return
		}
		reply.Outcome = moving.Changed
	case creating:
		if reply.Outcome == moving.Refused && bytes.HasPrefix(m.last.Line, []byte("CLIENT_ERROR")) {
			reply.Outcome = moving.Present // a placeholder is no number
		}
	}
	m.step = itself
	if m.under.Do == moving.Look && !m.accepts(&reply) {
		return
	}
	m.take(&reply)
}

// accepts corrects what a look has found. It returns false if an item from before the migration is deleted first.
func (m *movedCall) accepts(reply *moving.Reply) bool {
	if reply.Outcome != moving.Done || reply.Placeholder {
		return true
	}
	structure := m.part || catalog.IsHead(reply.Item.Flags, reply.Item.Data)
	switch {
	case m.under.At == moving.Old:
		if structure && m.phase != moving.Both { // it stays there
			reply.Outcome = moving.Absent
		}
		return true
	case structure:
		return true
	}
	cut, known := m.move.Cut(m.servers[moving.New].Index)
	switch {
	case !known && m.phase == moving.Ending: // nothing older is left
	case !known:
		reply.Outcome = moving.Absent
	case reply.Item.CAS < cut:
		m.found, m.step = *reply, discarding
		m.send()
		return false
	}
	return true
}

// take passes a reply on to the machine. Data that was found is kept until the next is.
func (m *movedCall) take(reply *moving.Reply) {
	if m.under.Do == moving.Look && reply.Outcome == moving.Done && !reply.Placeholder {
		m.item = append(m.item[:0], reply.Item.Data...)
		reply.Item.Data = m.item
		m.account()
	}
	if m.under.Do == moving.Fill && reply.Outcome == moving.Done {
		m.move.Tally.Moved.Add(1)
		m.pool.Stats.Verbs.Pool[status.MovedItems]++
	}
	m.goOn(m.Next(reply, time.Since(m.began)))
}

// account counts the memory of the call.
func (m *movedCall) account() {
	m.loop.Account.Recount(&m.kept, cap(m.words)+cap(m.item)+cap(m.reply)+cap(m.other))
}

// answer answers the client.
func (m *movedCall) answer(a moving.Answer) {
	asked := m.req
	asked.Key = m.shown
	item := m.Item()
	data := wire.Append(nil, &asked, a, &item, &m.last)
	if m.then != nil {
		m.then(a, data, m.last.Kind)
	}
}

// end ends the call.
func (m *movedCall) end() {
	m.loop.Account.Recount(&m.kept, 0)
	m.after()
}

// newMovedCall returns a call on a key as it is stored, in place of a request to its owner. to has a source.
func (l *Loop) newMovedCall(to route.Target, req *protocol.Request, phase moving.Phase) *movedCall {
	m := &movedCall{loop: l, pool: to.Pool, move: to.Pool.Moving, phase: phase, after: func() {}}
	m.servers = [...]*pool.Member{moving.Old: to.Source, moving.New: to.Owner}
	m.words = req.CloneTo(&m.req, nil)
	m.req.Quiet, m.req.Prefix = false, nil
	m.shown = m.req.Key
	m.account()
	return m
}

// movedAnswer returns the answer of a call for its sink.
func movedAnswer(a moving.Answer, data []byte, kind protocol.ReplyKind) *upstream.Answer {
	last := &protocol.Reply{Kind: protocol.ReplyStatus, Line: firstLine(data)}
	switch {
	case a == moving.Unreached, a == moving.Unknown, a == moving.Busy:
		return &upstream.Answer{Outcome: upstream.Lost, Data: data}
	case a == moving.Passes && kind == protocol.ReplyError:
		last.Kind = protocol.ReplyError
	}
	return &upstream.Answer{Data: data, Last: last}
}

// count counts the outcome of a client's request.
func (m *movedCall) count(kind tally.Kind, a moving.Answer, data []byte) {
	if m.req.Command.Retrieval() {
		found := 1
		if missed(&upstream.Answer{Data: data}) {
			found = 0
		}
		m.pool.Stats.Retrieved(kind, 1, found)
		return
	}
	m.pool.Stats.Answered(kind, firstLine(data))
}

// remember remembers the key of a change that may not have reached both upstreams.
func (m *movedCall) remember() {
	for _, u := range m.servers {
		if u.State != upstream.Up {
			u.Remember(m.req.Key, "")
		}
	}
}
