package execution

import (
	"bytes"
	"iter"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// spaced is a verb on keys in namespaces (package namespace), from when it begins until its client is answered. An execution
// carries it out on the keys as they are stored under the generations that are remembered. What it answers is told once the servers
// have said that these were in place; if they were not, another execution carries it out anew, or the client is told that the
// outcome is unknown. Until then, its client's next requests wait.
type spaced struct {
	executor *Executor
	req      protocol.Request // with its keys as the pool has them without generations
	kept     int              // bytes of its words, as counted in the loop's account
	owner    *pool.Member     // of the first key
	caller   *Caller
	listener Listener
	slot     uint32

	spaces  []spacedPart // of its keys
	entered int          // how many of these have generations by now
	run     *Execution   // that has carried it out; nil until its answer is complete, and when it is told
	answer  []byte       // of that
	waiting int          // questions outstanding
	covered bool         // the questions were asked after the last operation
	failure []byte       // the error that a question was answered with
}

// spacedPart is a namespace on a server, of which a verb uses keys.
type spacedPart struct {
	namespace.Call
	owner *pool.Member
	space *namespace.Space
	seen  namespace.Seen
}

// startSpaced begins the verb of req, see begin, under a generation if it is on keys in namespaces.
func (x *Executor) startSpaced(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	if !x.usesSpaces(req) {
		x.begin(req, owner, c, to, slot)
		return
	}
	s := &spaced{executor: x, owner: owner, caller: c, listener: to, slot: slot}
	s.kept = cap(req.CloneTo(&s.req, nil))
	x.wraps(c, s.kept)
	for key := range keysOf(&s.req) {
		s.find(key)
	}
	s.enter()
}

// usesSpaces reports whether req is a verb on keys of which one is in a namespace.
func (x *Executor) usesSpaces(req *protocol.Request) bool {
	switch {
	case len(x.Namespaces) == 0, catalog.Of(req).Everywhere:
		return false
	case !TakesKeys(req):
		return x.Namespaces.Of(req.Key) > 0
	}
	for key := range protocol.Words(req.Words) {
		if x.Namespaces.Of(key) > 0 {
			return true
		}
	}
	return false
}

// TakesKeys reports whether req is a verb whose words are keys.
func TakesKeys(req *protocol.Request) bool {
	v := catalog.Of(req)
	return v != nil && v.Keys
}

// keysOf yields the keys of a verb.
func keysOf(req *protocol.Request) iter.Seq[[]byte] {
	if TakesKeys(req) {
		return protocol.Words(req.Words)
	}
	return func(yield func([]byte) bool) { yield(req.Key) }
}

// find returns the place of the namespace of a key, nil if the key is in none.
func (s *spaced) find(key []byte) *spacedPart {
	n := s.executor.Namespaces.Of(key)
	if n == 0 {
		return nil
	}
	owner := s.executor.Pool.Owner(key)
	for i := range s.spaces {
		if part := &s.spaces[i]; part.owner == owner && bytes.Equal(part.space.Text, key[:n]) {
			return part
		}
	}
	part, verb := spacedPart{owner: owner, space: s.executor.Spaces[owner.Index].Of(key[:n])}, catalog.Of(&s.req)
	part.Order = namespace.OrderOfVerb(verb.ReadOnly, verb.Tokens != nil)
	s.spaces = append(s.spaces, part)
	return &s.spaces[len(s.spaces)-1]
}

// enter carries the verb out once all generations are known.
func (s *spaced) enter() {
	for s.entered < len(s.spaces) {
		part := &s.spaces[s.entered]
		switch {
		case !part.owner.Tried:
			part.owner.WhenTried(s.enter)
			return
		case part.owner.State != upstream.Up:
			s.refuse(part.owner.Refuse())
			return
		}
		g, task := part.space.Enter(s)
		if !g.Known() {
			s.executor.LookUp(part.owner, part.space, task)
			return
		}
		part.Under = g
		s.entered++
	}
	s.carryOut()
}

// Proceed implements [namespace.Waiter].
func (s *spaced) Proceed(g namespace.Generation, refusal string) {
	if refusal != "" {
		s.refuse([]byte(refusal + "\r\n"))
		return
	}
	s.spaces[s.entered].Under = g
	s.entered++
	s.enter()
}

// carryOut has an execution carry the verb out under the generations.
func (s *spaced) carryOut() {
	s.run, s.answer, s.failure, s.covered = nil, nil, nil, false
	for i := range s.spaces {
		if s.spaces[i].seen = (namespace.Seen{}); s.spaces[i].Order.AsksBefore() {
			s.ask(i, beforehand)
		}
	}
	req := s.req
	if !TakesKeys(&req) {
		req.Key = s.stored(nil, req.Key)
	} else if req.NumWords > 0 {
		words := make([]byte, 0, len(req.Words)+req.NumWords*(namespace.Length+1))
		for key := range protocol.Words(req.Words) {
			words = append(s.stored(words, key), ' ')
		}
		req.SetKeys(words[:len(words)-1])
	}
	s.executor.begin(&req, s.owner, s.caller, s, s.slot)
}

// stored appends to dst the key under which a key is stored.
func (s *spaced) stored(dst, key []byte) []byte {
	if part := s.find(key); part != nil {
		return part.Under.AppendKey(dst, key, len(part.space.Text))
	}
	return append(dst, key...)
}

// The questions for a generation that are outstanding are told apart by their slots, twice the index of the namespace and one of
// these.
const (
	beforehand = iota
	afterwards
)

// ask asks for the generation of a namespace.
func (s *spaced) ask(i int, when uint32) {
	part := &s.spaces[i]
	if part.owner.State != upstream.Up {
		s.fails(part.owner.Refuse())
		return
	}
	var req protocol.Request
	req.SetRetrieval(protocol.Get, part.space.Text, 1, true)
	s.waiting++
	s.executor.Counts.Pool[status.Operations]++
	part.owner.First.Request(&req, &upstream.Pending{Sink: s, Slot: uint32(2*i) + when, Command: protocol.Get, Keys: 1})
}

// asksAfter asks for the generations after what was sent so far, unless the verb's order is to ask before only.
func (s *spaced) asksAfter() {
	s.covered = true
	for i := range s.spaces {
		if s.spaces[i].Order.AsksAfter() {
			s.ask(i, afterwards)
		}
	}
}

// sent implements [guard]. The questions are sent right behind the operations, unless one of these may be carried out after
// them: an append may wait in its queue, and a constant item is read on the second connection.
func (s *spaced) sent(ops []verbs.Op) {
	s.covered = false
	for i := range ops {
		if ops[i].Appends() || ops[i].Constant {
			return
		}
	}
	s.asksAfter()
}

// Answered implements [upstream.Sink].
func (s *spaced) Answered(p *upstream.Pending, a *upstream.Answer) {
	s.waiting--
	part := &s.spaces[p.Slot/2]
	switch {
	case a.IsError():
		s.fails(a.Data)
	case p.Slot%2 == beforehand:
		part.seen.Before = namespace.In(a.Data, part.space.Text)
	default:
		part.seen.After = namespace.In(a.Data, part.space.Text)
	}
	s.proceed()
}

// fails notes the error that a question was answered with.
func (s *spaced) fails(line []byte) { s.failure = bytes.Clone(line) }

// suspends implements [guard].
func (s *spaced) suspends() { s.covered = false } // another verb may act for this one

// complete implements [guard].
func (s *spaced) complete(r *Execution, text []byte) {
	s.run, s.answer = r, text
	if !s.covered {
		s.asksAfter()
	}
	s.proceed()
}

// proceed tells the answer, or repeats the verb, once the answer is complete and all questions are answered.
func (s *spaced) proceed() {
	r := s.run
	if r == nil || s.waiting > 0 {
		return
	}
	switch verdict := s.judge(); verdict {
	case namespace.Answers:
		r.confirm(s.answer)
	case namespace.Repeats:
		s.entered = 0
		r.withdraw()
		s.enter()
	default:
		r.confirm(verdict.Refusal())
	}
}

// judge decides what follows from the replies.
func (s *spaced) judge() namespace.Verdict {
	if s.failure != nil {
		s.executor.Counts.Pool[status.NamespaceUnanswered]++
		s.answer = s.failure
		return namespace.Answers
	}
	line, _, _ := bytes.Cut(s.answer, []byte("\r\n"))
	worst := namespace.Answers
	for i := range s.spaces {
		part := &s.spaces[i]
		verdict := part.Judge(part.seen, namespace.Undone(line))
		if verdict != namespace.Answers {
			s.executor.Counts.Pool[status.NamespaceRepeats]++
			s.executor.LookUp(part.owner, part.space, part.space.Outdated(part.Under, part.seen.Last(part.Order)))
		}
		worst = max(worst, verdict)
	}
	return worst
}

// VerbAnswered implements [Listener]: the execution's answer is told, and its client's next requests need not wait for it.
func (s *spaced) VerbAnswered(r *Execution, text []byte) {
	s.run = nil // so that questions still outstanding change nothing
	s.executor.unwraps(s.caller, s.kept)
	s.listener.VerbAnswered(r, text)
	s.caller.Owner.Progress()
}

// formerPlaces implements [placed]: other keys may be in no namespace.
func (s *spaced) formerPlaces() *former { return formerPlacesOf(s.listener) }

// refuse answers with an error, because no execution can carry the verb out.
func (s *spaced) refuse(line []byte) { s.executor.refuse(&s.req, s.owner, s, s.slot, line) }
