package front

import (
	"bytes"
	"encoding/base64"
	"slices"
	"sync"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// spacedCall is a request on one key in a namespace, or a retrieval of several keys of one namespace on one server, from when
// it is dispatched until it is answered.
type spacedCall struct {
	namespace.Call
	client *Client
	pool   *route.Pool
	owner  *pool.Member
	space  *namespace.Space
	length int              // of the namespace
	req    protocol.Request // with its keys as the pool has them without a generation
	words  []byte           // the words of req
	bulk   bool             // it uses the second connection
	again  bool             // it waits for a generation, or was sent again
	kept   int              // bytes of its data, as counted in the loop's account

	answers upstream.Pending // how it is answered
	seen    namespace.Seen
	waiting int    // replies outstanding
	reply   []byte // to the operation, or with the values; it has the client's keys
	pooled  bool   // reply is a buffer of the pool
	kind    protocol.ReplyKind
	failure *upstream.Answer
	answer  upstream.Answer
	last    protocol.Reply // of answer

	sent    []byte // the words or the key that were sent
	encoded []byte // the same in base64
	small   []byte // the buffer of a reply that is not pooled
}

// The slots of what a call sends.
const (
	valuesAndGeneration = iota // a get of the keys and then of the generation
	generationBefore
	theOperation
	generationAfter
)

// spacedCalls are not in use.
var spacedCalls = sync.Pool{New: func() any { return &spacedCall{} }}

// newSpacedCall returns a call of the client. p says how it is answered.
func (c *Client) newSpacedCall(to route.Target, p *upstream.Pending) *spacedCall {
	s := spacedCalls.Get().(*spacedCall)
	s.client, s.pool, s.owner, s.length, s.bulk, s.answers = c, to.Pool, to.Owner, to.Namespace, c.lane.bulk, *p
	c.beginsSpaced()
	return s
}

// beginsSpaced notes that a request on keys in a namespace is under way.
func (c *Client) beginsSpaced() {
	if c.spaced == nil {
		c.spaced = &spaced{}
	}
	if c.spaced.all++; c.spaced.all == 1 {
		c.spaced.at = c.loop.learned
	}
}

// account counts data that is kept until the call is answered.
func (s *spacedCall) account(bytes int) {
	s.kept = bytes
	s.client.loop.Account.Take(bytes)
}

// enter sends the call, or has it wait until the generation is known.
func (s *spacedCall) enter() {
	if s.owner.State != upstream.Up {
		s.Proceed(namespace.Generation{}, "")
		return
	}
	s.space = s.pool.Spaces[s.owner.Index].Of(s.req.Key[:s.length])
	s.enterSpace()
}

func (s *spacedCall) enterSpace() {
	g, task := s.space.Enter(s)
	if g.Known() {
		s.Proceed(g, "")
		return
	}
	s.repeats()
	s.client.loop.lookUp(s.owner, s.space, task)
}

// repeats notes that the client's next requests wait for the call.
func (s *spacedCall) repeats() {
	if !s.again {
		s.again = true
		s.client.spaced.again++
	}
}

// Proceed implements [namespace.Waiter].
func (s *spacedCall) Proceed(g namespace.Generation, refusal string) {
	switch {
	case s.owner.State != upstream.Up:
		s.fail(&upstream.Answer{Outcome: upstream.Lost, Data: s.owner.Refuse()})
	case refusal != "":
		s.fail(&upstream.Answer{Outcome: upstream.Refused, Data: []byte(refusal + "\r\n")})
	default:
		s.Under = g
		s.send()
	}
}

// send sends the call under its generation.
func (s *spacedCall) send() {
	to := s.owner.Connection(s.bulk)
	if s.seen, s.failure = (namespace.Seen{}), nil; s.plainRead() {
		s.waiting = 1
		s.sendValues(to)
		return
	}
	if s.Order.AsksBefore() {
		s.ask(to, generationBefore)
	}
	s.operate(to)
	if s.Order.AsksAfter() {
		s.ask(to, generationAfter)
	}
}

// isGet reports whether one retrieval asks for the values of a request and the generation.
func isGet(req *protocol.Request) bool {
	return req.Command == protocol.Get || req.Command == protocol.Gets
}

// plainRead reports whether one get asks for the values and the generation.
func (s *spacedCall) plainRead() bool { return isGet(&s.req) }

// sendValues sends a get of the keys and of the generation. memcached looks the keys up in that order.
func (s *spacedCall) sendValues(to *upstream.Connection) {
	s.storedWords()
	s.sent = append(append(s.sent, ' '), s.space.Text...)
	s.client.askValues(to, s.req.Command, s.sent, s.req.NumWords, s, s.answers.Unsized)
}

// askValues sends a get of so many keys and the generation, which words are.
func (c *Client) askValues(to *upstream.Connection, command protocol.Command, words []byte, keys int, sink upstream.Sink, unsized bool) {
	req := &c.loop.scratch.plain
	req.SetRetrieval(command, words, keys+1, true)
	to.Request(req, &upstream.Pending{Sink: sink, Lane: &c.lane.Lane, Slot: valuesAndGeneration, Command: command, Keys: uint16(keys + 1), Unsized: unsized})
}

// storedWords sets the words to be sent to the keys as they are stored.
func (s *spacedCall) storedWords() {
	s.sent = s.sent[:0]
	for key := range protocol.Words(s.req.Words) {
		if len(s.sent) > 0 {
			s.sent = append(s.sent, ' ')
		}
		s.sent = s.Under.AppendKey(s.sent, key, s.length)
	}
}

// operate sends the operation itself.
func (s *spacedCall) operate(to *upstream.Connection) {
	req := s.req
	if req.Command.Retrieval() {
		s.storedWords()
		req.SetKeys(s.sent)
	} else {
		s.sent = s.Under.AppendKey(s.sent[:0], req.Key, s.length)
		s.encoded = req.SetKey(s.sent, s.encoded)
	}
	p := s.answers
	p.Sink, p.Lane, p.Slot, p.Quiet, p.Tally = s, &s.client.lane.Lane, theOperation, false, tally.Uncounted
	s.waiting++
	to.Request(&req, &p)
}

// ask asks for the generation.
func (s *spacedCall) ask(to *upstream.Connection, slot uint32) {
	req := &s.client.loop.scratch.plain
	req.SetRetrieval(protocol.Get, s.space.Text, 1, true)
	s.waiting++
	to.Request(req, &upstream.Pending{Sink: s, Lane: &s.client.lane.Lane, Slot: slot, Command: protocol.Get, Keys: 1})
}

// Answered implements [upstream.Sink].
func (s *spacedCall) Answered(p *upstream.Pending, a *upstream.Answer) {
	s.waiting--
	s.answers.Sent = p.Sent
	failed := a.Failed() || a.Last.Kind == protocol.ReplyError && p.Slot != theOperation
	switch {
	case failed && (s.failure == nil || p.Slot == theOperation):
		s.failure = &upstream.Answer{Outcome: a.Outcome, Data: bytes.Clone(a.Data), Size: a.Size}
	case failed:
	case p.Slot == valuesAndGeneration:
		s.takeValues(a.Data)
	case p.Slot == generationBefore:
		s.seen.Before = namespace.In(a.Data, s.space.Text)
	case p.Slot == generationAfter:
		s.seen.After = namespace.In(a.Data, s.space.Text)
	default:
		s.keepReply(a)
	}
	if s.waiting == 0 {
		s.judge()
	}
}

// takeValues takes the reply to a get of the keys and of the generation.
func (s *spacedCall) takeValues(reply []byte) {
	s.makeRoom(len(reply) + s.req.NumWords*len(s.req.Prefix))
	values, rest := s.restoreValues(reply)
	s.seen.After = namespace.In(rest, s.space.Text)
	s.reply, s.kind = append(s.reply, endOfValues...), protocol.ReplyEnd
	if s.seen.After == s.Under {
		s.pool.Stats.Retrieved(s.answers.Tally, s.req.NumWords, values)
	}
}

// restoreValues restores the values at the beginning of reply. It returns how many there are, and what follows them.
func (s *spacedCall) restoreValues(reply []byte) (values int, rest []byte) {
	sent := s.sent
	for range s.req.NumWords { // the generation, if it was asked for, follows them
		var stored []byte
		stored, sent = protocol.NextWord(sent)
		if n := protocol.CutValue(reply, stored); n > 0 {
			s.restore(reply[:n], stored)
			reply = reply[n:]
			values++
		}
	}
	return values, reply
}

// restore appends a text to the reply, with the client's key in place of that under which the item is stored.
func (s *spacedCall) restore(text, stored []byte) {
	key := s.client.loop.scratch.clientKey[:0]
	key = append(append(append(key, s.req.Prefix...), stored[:s.length]...), stored[s.length+namespace.Length:]...)
	s.client.loop.scratch.clientKey = key
	if s.req.KeyReturn != nil {
		s.reply = s.req.KeyReturn.AppendTo(s.reply, text, key)
		return
	}
	begun, n := s.req.ReplaceKey(s.reply, text, stored, key)
	s.reply = append(begun, text[n:]...)
}

// makeRoom makes room for a reply of so many bytes.
func (s *spacedCall) makeRoom(size int) {
	if s.pooled = size > smallReply; s.pooled {
		s.reply = s.client.loop.Buffers.Get(size)
		return
	}
	s.reply = s.small[:0]
}

// smallReply is how many bytes of a reply are kept in memory of the call itself.
const smallReply = 1 << 10

// keepReply keeps the reply to the operation until the generation is known.
func (s *spacedCall) keepReply(a *upstream.Answer) {
	s.kind = a.Last.Kind
	const encodedKeys = 2 * protocol.MaxKey
	if s.makeRoom(len(a.Data) + encodedKeys + s.req.NumWords*len(s.req.Prefix)); !s.req.Command.Retrieval() {
		s.restore(a.Data, s.sent)
		return
	}
	_, rest := s.restoreValues(a.Data)
	s.reply = append(s.reply, rest...)
}

// judge decides what follows from the replies.
func (s *spacedCall) judge() {
	if s.failure != nil {
		s.pool.Stats.Verbs.Pool[status.NamespaceUnanswered]++
		s.fail(s.failure)
		return
	}
	undone := namespace.Undone(firstLine(s.reply))
	verdict := s.Judge(s.seen, undone)
	if verdict != namespace.Answers {
		s.pool.Stats.Verbs.Pool[status.NamespaceRepeats]++
		s.drop()
		task := s.space.Outdated(s.Under, s.seen.Last(s.Order))
		if verdict == namespace.Repeats {
			s.repeats()
		}
		s.client.loop.lookUp(s.owner, s.space, task)
	}
	switch verdict {
	case namespace.Answers:
		s.succeed()
	case namespace.Repeats:
		s.enterSpace()
	default:
		s.fail(&upstream.Answer{Outcome: upstream.Refused, Data: verdict.Refusal()})
	}
}

func firstLine(reply []byte) []byte {
	line, _, _ := bytes.Cut(reply, []byte("\r\n"))
	return line
}

// drop drops the reply that was kept.
func (s *spacedCall) drop() {
	if s.pooled {
		s.client.loop.Buffers.Put(s.reply)
	} else if s.reply != nil {
		s.small = s.reply
	}
	s.reply, s.pooled = nil, false
}

// succeed answers the client with the reply that was kept.
func (s *spacedCall) succeed() {
	if !s.plainRead() && s.kind != protocol.ReplyError {
		s.count()
	}
	s.last = protocol.Reply{Kind: s.kind, Line: firstLine(s.reply)}
	s.answer = upstream.Answer{Data: s.reply, Last: &s.last}
	if s.pooled {
		s.answer.Buffer = upstream.Offered
	}
	if s.end(&s.answer); s.answer.Buffer == upstream.Taken {
		s.pooled, s.reply = false, nil
	}
	s.drop()
	s.release()
}

// count counts the outcome of the operation.
func (s *spacedCall) count() {
	if !s.req.Command.Retrieval() {
		s.pool.Stats.Answered(s.answers.Tally, firstLine(s.reply))
		return
	}
	s.pool.Stats.Retrieved(s.answers.Tally, s.req.NumWords, bytes.Count(s.reply, []byte("VALUE ")))
}

// fail answers the client with an error, or with a miss if the upstream has failed and the pool's setting says so.
func (s *spacedCall) fail(a *upstream.Answer) {
	if a.Outcome == upstream.Lost && s.answers.Loss == upstream.LossMisses {
		a = &upstream.Answer{Data: s.req.AppendMiss(nil, slices.Concat(s.req.Prefix, s.req.Key)), Last: &protocol.Reply{Kind: protocol.ReplyEnd}}
	}
	s.drop()
	s.end(a)
	s.release()
}

// end passes the answer on.
func (s *spacedCall) end(a *upstream.Answer) {
	c := s.client
	if c.spaced.all--; s.again {
		c.spaced.again--
	}
	c.loop.Account.Free(s.kept)
	s.answers.Sink.Answered(&s.answers, a)
	c.Progress()
}

// release leaves the call to others.
func (s *spacedCall) release() {
	*s = spacedCall{words: keptPart(s.words), sent: keptPart(s.sent), encoded: s.encoded, small: s.small}
	spacedCalls.Put(s)
}

// keptPart returns a buffer that a call keeps for its next use, none if it is large.
func keptPart(buffer []byte) []byte {
	if cap(buffer) > smallReply {
		return nil
	}
	return buffer[:0]
}

// tooLongInSpace returns the error for a key that is too long with a generation, or whose namespace, of n bytes, can't be a
// word; empty if the key is neither.
func tooLongInSpace(req *protocol.Request, n int) string {
	longest := protocol.MaxKey - namespace.Length
	if len(req.Encoded) > 0 {
		longest = base64.StdEncoding.DecodedLen(protocol.MaxKey)/3*3 - namespace.Length
	}
	switch {
	case len(req.Key) > longest:
		return namespace.TooLong(longest + len(req.Prefix))
	case len(req.Encoded) > 0 && !protocol.PlainWord(req.Key[:n]):
		return "CLIENT_ERROR the namespace of the key has white space or control characters"
	}
	return ""
}
