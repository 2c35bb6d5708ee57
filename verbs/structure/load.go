package structure

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Loaded is a structure that is being read, or was.
type Loaded struct {
	Key    []byte
	Reply  verbs.Reply // the reply to fetching or probing the head: Hit, Missing, or Failed with the reason
	head   head        // the parsed head
	sound  bool        // the head is well-formed
	log    []byte      // the tokens of segments and tail, in order; the head's value if it is not sound
	tokens int         // upper bound of the tokens in log, if it is long; else 0
	state  loading
	base   []byte // the log of the segments, as last joined
	Fold   Fold   // set by Engine.Read; valid until the next Read
	view   *view  // the view that agrees with the structure, nil if there is none
	before *view  // an outdated view of the structure, nil if there is none
}

// loading is the progress of reading a structure.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment is missing
	complete
)

// Load reads the structures whose keys are in list, all at once: first the heads in one
// round trip, then the segments if there are any. It also reserves room for the use.
// The logs are valid until the next operation of the call; long ones, which are copied,
// until the call ends.
//
// A missing part was either replaced since the head was read, and then the head no
// longer points to it; or it was evicted. In the latter case the structure is lost,
// like an evicted item, and Load deletes the head unless it has changed: a client that
// was told that the structure is missing must not find it later, and later additions
// must not extend an incomplete structure.
func (c *Engine) Load(list []Loaded, use Use) {
	for range verbs.MaxTries {
		if c.tryLoad(list, use) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply = verbs.Contended(c.Shown(s.Key))
		}
	}
}

// tryLoad is one try of Load. It returns false if another is needed.
func (c *Engine) tryLoad(list []Loaded, use Use) bool {
	if !c.loadHeads(list) {
		return false
	}
	size := 0
	for i := range list {
		s := &list[i]
		if s.tokens = 0; s.view == nil {
			_, segments := extent(s.head.segments)
			size += len(s.Reply.Data) + segments
		} else if use != Counted {
			size += len(s.view.log)
		}
	}
	if all(list) && size+2*len(c.Words) <= c.Pace.Freely() { // a token is at most about twice as long as its word
		return true
	}
	if !c.Reserve(size + len(c.Answer)) {
		return false
	}
	for i := range list { // the next operation invalidates replies
		switch s := &list[i]; {
		case s.view != nil:
		case i == 0:
			c.first = s.keep(c.first)
		default:
			s.keep(nil)
		}
	}
	c.condemn(list)
	return c.loadSegments(list) && c.measure(list, use)
}

// measure reserves room for the use of the loaded structures. It returns false if it
// dropped them because there was no room, so that they have to be read again.
func (c *Engine) measure(list []Loaded, use Use) bool {
	var of extents
	held := len(c.Answer)
	for i := range list {
		s := &list[i]
		if s.view != nil {
			n := s.view.fold.Live() + s.view.fold.Dead()
			of.bytes, of.tokens, of.most = of.bytes+len(s.view.log), of.tokens+n, max(of.most, n)
			continue
		}
		s.tokens = 0
		if s.Reply.Status == verbs.Hit && s.sound {
			s.tokens = c.CountTokens(s.log)
			of.bytes, of.tokens, of.most, of.folds = of.bytes+len(s.log), of.tokens+s.tokens, max(of.most, s.tokens), max(of.folds, s.tokens)
		}
		held += len(s.Reply.Data) + len(s.base)
		if len(s.base) == 0 {
			held += len(s.log) // for the log that compacting writes
		}
	}
	c.loaded = held + use.room(c.Kind, of)
	if !c.Reserve(c.loaded) {
		return false
	}
	c.KeepRoom(c.loaded + c.Spare)
	return true
}

// NotOfKind is the outcome of reading an item that is no structure of the kind.
func NotOfKind(key []byte, kind *Kind) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// LoadOne is Load for a single key.
func (c *Engine) LoadOne(key []byte, use Use) *Loaded {
	return c.loadAfter(key, use, c.takeBefore(key))
}

// takeBefore returns the view of the structure under key that was found outdated just now, nil
// if none was.
func (c *Engine) takeBefore(key []byte) *view {
	v := c.before
	if c.before = nil; v == nil || v.key != string(key) {
		return nil
	}
	return v
}

// loadAfter is LoadOne with an outdated view of the structure, nil if there is none.
func (c *Engine) loadAfter(key []byte, use Use, before *view) *Loaded {
	c.GiveBack()
	c.List = append(c.List[:0], Loaded{Key: key, before: before})
	c.Load(c.List, use)
	return &c.List[0]
}

// loadHeads fetches the heads that are not loaded yet, or probes those that have a
// view. It returns false if there is no room for all of them; then they are to be
// fetched one at a time.
func (c *Engine) loadHeads(list []Loaded) bool {
	if r := c.AwaitRoom(); r.Status == verbs.Failed {
		return failAll(list, r)
	}
	for i := range list { // not before the wait, or old views would be kept in memory
		if s := &list[i]; s.state != complete && s.before == nil {
			s.view = c.viewOf(s.Key)
		}
	}
	if c.Singly {
		return c.loadEachHead(list)
	}
	for {
		c.Ops = c.Ops[:0]
		for i := range list {
			if list[i].state != complete {
				c.Ops = append(c.Ops, list[i].ask())
			}
		}
		replies := c.AskAll(c.Ops)
		if c.outdated(list, replies) {
			continue
		}
		if slices.ContainsFunc(replies, func(r verbs.Reply) bool { return r.Status == verbs.Dropped }) {
			c.Singly = true
			c.LetGo()
			return false
		}
		for i := range list {
			if s := &list[i]; s.state != complete {
				c.takeHead(s, replies[0])
				replies = replies[1:]
			}
		}
		return true
	}
}

// ask returns the operation that fetches the head, or probes it if there is a view.
func (s *Loaded) ask() verbs.Op {
	if s.view != nil {
		return verbs.Op{Kind: verbs.Probe, Key: s.Key}
	}
	return verbs.Op{Kind: verbs.Fetch, Key: s.Key, Known: s.before != nil}
}

// outdated reports whether any view disagrees with the reply to the probe of its head.
// Then all heads have to be read again, since the next operation invalidates the
// replies.
func (c *Engine) outdated(list []Loaded, replies []verbs.Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == complete {
			continue
		}
		if c.isOutdated(s, &replies[0]) {
			c.env.Views().counts.Outdated++
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// isOutdated reports whether the view of s disagrees with r, the reply to the probe of its
// head, and so does the one that has replaced it meanwhile, if any. Then s has none.
func (c *Engine) isOutdated(s *Loaded, r *verbs.Reply) bool {
	if s.view == nil || r.Status != verbs.Hit || c.usable(s.view, r) {
		return false
	}
	if v := c.viewOf(s.Key); v != nil && c.usable(v, r) {
		s.view = v
		return false
	}
	s.view, s.before = nil, s.view
	return true
}

// takeHead handles the reply to fetching or probing the head of s.
func (c *Engine) takeHead(s *Loaded, r verbs.Reply) {
	if s.view != nil && r.Status == verbs.Hit {
		c.env.Views().counts.Hits++
		c.useView(s, s.view, r)
		return
	}
	if s.view != nil { // the probe missed: there is no structure any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	if v == nil || v.gone {
		v = c.viewOf(s.Key)
	}
	switch {
	case v == nil:
	case c.usable(v, &r): // another call has brought it up to date, or made it
		c.useView(s, v, r)
		return
	case v.gone || v.users > 0 || v != s.before:
	case r.Status == verbs.Missing:
		c.env.Views().drop(v)
	case r.Status == verbs.Hit && c.catchUp(v, &r):
		c.useView(s, v, r)
		return
	}
	s.take(r)
}

// catchUp extends a view to the head that r has read. It returns false if more has
// changed than that tokens were appended, or if they are too many to add at once.
func (c *Engine) catchUp(v *view, r *verbs.Reply) bool {
	more, ok := v.added(r)
	if !ok || len(more) > c.Pace.Freely() {
		return false
	}
	if !v.extend(more, c.env.Now()) {
		c.env.Views().drop(v)
		return false
	}
	v.is(r)
	c.env.Views().grown(v)
	return true
}

// useView completes s from a view that agrees with r, the reply of the head.
func (c *Engine) useView(s *Loaded, v *view, r verbs.Reply) {
	s.view, s.before = v, nil
	s.Reply, s.state = r, complete
	s.head, s.sound, s.log = v.head, true, v.log
	c.lend(v)
}

// loadEachHead is loadHeads, one head after another.
func (c *Engine) loadEachHead(list []Loaded) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != complete {
			r := c.Ask(s.ask())
			if c.isOutdated(s, &r) {
				r = c.Ask(s.ask())
			}
			if c.takeHead(s, r); s.view == nil {
				if !c.Reserve(size + len(s.Reply.Data) + len(c.Answer)) {
					return false
				}
				s.keep(nil)
			}
		}
		size += len(s.Reply.Data) + len(s.base)
	}
	return true
}

// take sets the head of s from the reply r. The structure is complete if it has no
// segments, or the same ones that were joined before.
func (s *Loaded) take(r verbs.Reply) {
	before := s.head.pointers
	s.Reply = r
	s.head, s.sound = parseHead(r.Data)
	same := r.Status == verbs.Hit && s.sound && bytes.Equal(s.head.pointers, before)
	switch {
	case r.Status != verbs.Hit || len(s.head.segments) == 0:
		s.log, s.state = r.Data, complete
	case same && s.state == lost: // it still points to the missing part
	case same && s.base != nil:
		s.head.pointers = before
		s.log, s.state = append(s.base, s.head.tail...), complete
	default:
		s.state, s.base = unread, nil
	}
}

// keep copies the head, which the next operation would invalidate, into buf if that is
// large enough. It returns the copy.
func (s *Loaded) keep(buf []byte) []byte {
	if !s.Reply.Copied {
		s.Reply.Data = append(buf[:0], s.Reply.Data...)
		s.Reply.Copied = true
	}
	s.head, s.sound = parseHead(s.Reply.Data)
	if len(s.head.segments) == 0 {
		s.log = s.Reply.Data
	}
	return s.Reply.Data
}

// condemn deletes the heads of structures of which a part was evicted.
func (c *Engine) condemn(list []Loaded) {
	c.Ops = c.Ops[:0]
	for i := range list {
		s := &list[i]
		if s.state == lost && s.Reply.CAS == 0 {
			s.Reply.Err = fmt.Sprintf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", c.Shown(c.owner(s.Key)))
			s.Reply.Status, s.state = verbs.Failed, complete
			c.noteLost(s.Key)
		}
		if s.state == lost {
			c.Ops = append(c.Ops, verbs.Op{Kind: verbs.DeleteIf, Key: s.Key, CAS: s.Reply.CAS, Epoch: s.Reply.Epoch})
		}
	}
	if len(c.Ops) == 0 {
		return
	}
	replies := c.AskAll(c.Ops)
	for i := range list {
		s := &list[i]
		if s.state != lost {
			continue
		}
		switch r := replies[0]; r.Status {
		case verbs.Stored, verbs.Missing:
			s.Reply, s.state = verbs.Reply{Status: verbs.Missing}, complete
			if r.Status == verbs.Stored { // otherwise another call has deleted it
				c.noteLost(s.Key)
			}
		case verbs.Exists: // it has changed: read it again
		default:
			s.Reply, s.state = verbs.Reply{Err: r.Err}, complete
		}
		replies = replies[1:]
	}
}

// loadSegments fetches the segments of the structures whose heads have just been read.
// It reports whether all structures are complete.
func (c *Engine) loadSegments(list []Loaded) bool {
	var joints []joint
	total, parts := 0, 0
	for i := range list {
		s := &list[i]
		if s.state != unread {
			continue
		}
		p, bytes := extent(s.head.segments)
		if total, parts = total+bytes, parts+p; total > 2*maxStructure || parts > 2*maxParts {
			s.Reply, s.state = verbs.Reply{Err: verbs.TooMuch}, complete
			continue
		}
		var buf []byte
		if i == 0 {
			buf = c.log
		}
		j := c.newJoint(s.Key, s.head.segments, buf, len(s.head.tail))
		if s.before != nil {
			j.skip(s.before)
		}
		joints = append(joints, j)
	}
	c.join(joints)
	for i := range list {
		if s := &list[i]; s.state == unread {
			s.assemble(&joints[0])
			joints = joints[1:]
		}
	}
	if list[0].view == nil {
		c.log = list[0].base
	}
	return all(list)
}

// assemble sets the log of s from its joined segments and its tail.
func (s *Loaded) assemble(j *joint) {
	switch j.outcome.Status {
	case verbs.Hit:
		s.base, s.state = j.log, complete
		s.log = append(j.log, s.head.tail...)
	case verbs.Missing:
		s.state = lost
	default:
		s.Reply, s.state = j.outcome, complete
	}
}

// failAll completes the structures that are not loaded yet with the failure r.
func failAll(list []Loaded, r verbs.Reply) bool {
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply, s.state = r, complete
		}
	}
	return true
}

func all(list []Loaded) bool {
	for i := range list {
		if list[i].state != complete {
			return false
		}
	}
	return true
}

// Forget drops the data that was read.
func (s *Loaded) Forget() {
	s.Reply.Data, s.log, s.base, s.head, s.Fold = nil, nil, nil, head{}, nil
}

// Read returns the fold of a loaded structure. It returns nil if that is not of the
// engine's kind.
func (c *Engine) Read(s *Loaded) Fold {
	if s.view != nil {
		s.Fold = s.view.fold
		return s.Fold
	}
	if !s.sound || s.head.letter != c.Kind.Letter {
		return nil
	}
	if c.worthKeeping(s) {
		c.readToKeep(s)
	} else {
		s.Fold = c.FoldLog(c.Kind, s.log, s.tokens)
	}
	return s.Fold
}
