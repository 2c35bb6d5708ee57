package structure

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// Loaded is what was read of a structure.
type Loaded struct {
	Key    []byte
	Reply  verbs.Reply // to fetching the head: Hit, Missing, or Failed with the reason
	head   head        // its value, taken apart
	sound  bool        // it could be
	log    []byte      // what segments and tail say, in order; the value if it is not sound
	tokens int         // in log at most, if it is long
	state  loading
	base   []byte // the log of the segments, as they were joined last
	Fold   Fold   // what the log comes to, once it was read; valid until another is
	view   *view  // that the structure was found to be still, nil if there is none
	before *view  // that it was before, as far as is known
}

// loading is how far reading a structure has come.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment was not there
	complete
)

// Load reads the structures under the keys given, all of them at once: the
// heads in one round trip, and then the segments, where there are any. There is
// room then for what is going to be done with them. What it returns is valid until
// the next operation that the call asks for; if it is long, until the call ends.
//
// A part that is missing has been replaced since the head was read, and then
// the head no longer points to it; or it was evicted. Then the structure is
// gone, as an evicted item is, and the head is deleted unless it has changed:
// whoever has been told that there is nothing must find nothing later, and what
// is added later must not be added to a rest.
func (c *Engine) Load(list []Loaded, use Use) {
	for range verbs.MaxTries {
		if c.tryLoad(list, use) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != complete {
			s.Reply = verbs.Contended(s.Key)
		}
	}
}

// tryLoad returns false if another try is needed.
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
	if all(list) && size+2*len(c.Words) <= c.Pace.Freely() { // a token may be of one letter
		return true
	}
	if !c.Reserve(size + len(c.Answer)) {
		return false
	}
	for i := range list { // more will be asked for, so replies won't stay
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

// measure reserves room for what is going to be done with the structures. It
// returns false if they have to be read again.
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
			held += len(s.log) // of one to be compacted
		}
	}
	c.loaded = held + use.room(c.Kind, of)
	if !c.Reserve(c.loaded) {
		return false
	}
	c.KeepRoom(c.loaded)
	return true
}

// NotOfKind is the outcome of reading what is no structure of a kind.
func NotOfKind(key []byte, kind *Kind) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// LoadOne is Load for one key.
func (c *Engine) LoadOne(key []byte, use Use) *Loaded { return c.loadAfter(key, use, nil) }

// loadAfter is LoadOne, if there is a view of what the structure was before and is not any
// more.
func (c *Engine) loadAfter(key []byte, use Use, before *view) *Loaded {
	c.GiveBack()
	c.List = append(c.List[:0], Loaded{Key: key, before: before})
	c.Load(c.List, use)
	return &c.List[0]
}

// loadHeads fetches the heads that are not loaded, or asks whether they are still what
// there are views of. It returns false if there is no room for that, and they are to be
// fetched one at a time.
func (c *Engine) loadHeads(list []Loaded) bool {
	for i := range list {
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

// ask returns the operation that reads the head, or asks whether its view still holds.
func (s *Loaded) ask() verbs.Op {
	if s.view != nil {
		return verbs.Op{Kind: verbs.Probe, Key: s.Key}
	}
	return verbs.Op{Kind: verbs.Fetch, Key: s.Key, Known: s.before != nil}
}

// outdated reports whether any of the structures is not any more what its view is, as
// the replies to probes of their heads say. Then all heads have to be read once more,
// since what was read is not valid for so long.
func (c *Engine) outdated(list []Loaded, replies []verbs.Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == complete {
			continue
		}
		if r := &replies[0]; s.view != nil && r.Status == verbs.Hit && !s.view.usable(r) {
			s.view, s.before = nil, s.view
			c.env.Views().counts.Outdated++
			outdated = true
		}
		replies = replies[1:]
	}
	return outdated
}

// takeHead takes what was read of the head, or the reply to a probe of what there is a
// view of.
func (c *Engine) takeHead(s *Loaded, r verbs.Reply) {
	if s.view != nil && r.Status == verbs.Hit {
		c.env.Views().counts.Hits++
		c.useView(s, s.view, r)
		return
	}
	if s.view != nil { // there is nothing any more
		s.view, s.before = nil, s.view
	}
	v := s.before
	switch {
	case v == nil || v.gone:
	case v.holds(&r): // another call has brought it up to date
		c.useView(s, v, r)
		return
	case v.users > 0:
	case r.Status == verbs.Missing:
		c.env.Views().drop(v)
	case r.Status == verbs.Hit && c.catchUp(v, &r):
		c.useView(s, v, r)
		return
	}
	s.take(r)
}

// catchUp brings a view up to date with the head that r read, if tokens were appended,
// few enough to add at once. Otherwise it returns false.
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

// useView takes the structure to be what its view says, after r has said so.
func (c *Engine) useView(s *Loaded, v *view, r verbs.Reply) {
	s.view, s.before = v, nil
	s.Reply, s.state = r, complete
	s.head, s.sound, s.log = v.head, true, v.log
	c.lend(v)
}

// loadEachHead fetches one head after another.
func (c *Engine) loadEachHead(list []Loaded) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != complete {
			r := c.Ask(s.ask())
			if s.view != nil && r.Status == verbs.Hit && !s.view.usable(&r) {
				s.view, s.before = nil, s.view
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

// take begins to read the structure whose head is r.
func (s *Loaded) take(r verbs.Reply) {
	before := s.head.pointers
	s.Reply = r
	s.head, s.sound = parseHead(r.Data)
	same := r.Status == verbs.Hit && s.sound && bytes.Equal(s.head.pointers, before)
	switch {
	case r.Status != verbs.Hit || len(s.head.segments) == 0:
		s.log, s.state = r.Data, complete
	case same && s.state == lost: // the part that was missing is still pointed to
	case same && s.base != nil:
		s.head.pointers = before
		s.log, s.state = append(s.base, s.head.tail...), complete
	default:
		s.state, s.base = unread, nil
	}
}

// keep copies what the next operation would overwrite, into the memory of buf if
// there is enough. It returns what it took.
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

// condemn deletes the heads of which a part was evicted.
func (c *Engine) condemn(list []Loaded) {
	c.Ops = c.Ops[:0]
	for i := range list {
		s := &list[i]
		if s.state == lost && s.Reply.CAS == 0 {
			s.Reply.Err = fmt.Sprintf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", s.Key)
			s.Reply.Status, s.state = verbs.Failed, complete
			c.env.NoteLost(s.Key)
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
			if r.Status == verbs.Stored { // otherwise somebody else has found the same
				c.env.NoteLost(s.Key)
			}
		case verbs.Exists: // it is looked at again
		default:
			s.Reply, s.state = verbs.Reply{Err: r.Err}, complete
		}
		replies = replies[1:]
	}
}

// loadSegments fetches the segments of the structures whose heads have just
// been read. It returns true if all is loaded.
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

// assemble puts the log together from the segments.
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

func all(list []Loaded) bool {
	for i := range list {
		if list[i].state != complete {
			return false
		}
	}
	return true
}

// Forget lets go of what was read.
func (s *Loaded) Forget() {
	s.Reply.Data, s.log, s.base, s.head, s.Fold = nil, nil, nil, head{}, nil
}

// Read folds the log of a structure that was loaded, of the kind that the verb is about.
// It returns nil if it is none.
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
