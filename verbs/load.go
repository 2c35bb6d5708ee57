package verbs

import (
	"bytes"
	"fmt"
	"slices"
)

// structure is what was read of a structure.
type structure struct {
	key    []byte
	reply  Reply  // to fetching the head: Hit, Missing, or Failed with the reason
	head   head   // its value, taken apart
	sound  bool   // it could be
	log    []byte // what segments and tail say, in order; the value if it is not sound
	tokens int    // in log at most, if it is long
	state  loading
	base   []byte // the log of the segments, as they were joined last
	fold   Fold   // what the log comes to, once it was read; valid until another is
	view   *view  // that the structure was found to be still, nil if there is none
	before *view  // that it was before, as far as is known
}

// loading is how far reading a structure has come.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment was not there
	loaded
)

// load reads the structures under the keys given, all of them at once: the
// heads in one round trip, and then the segments, where there are any. There is
// room then for what is going to be done with them. What it returns is valid until
// the next operation that the call asks for; if it is long, until the call ends.
//
// A part that is missing has been replaced since the head was read, and then
// the head no longer points to it; or it was evicted. Then the structure is
// gone, as an evicted item is, and the head is deleted unless it has changed:
// whoever has been told that there is nothing must find nothing later, and what
// is added later must not be added to a rest.
func (c *engine) load(list []structure, use use) {
	for range maxTries {
		if c.tryLoad(list, use) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != loaded {
			s.reply = contended(s.key)
		}
	}
}

// tryLoad returns false if another try is needed.
func (c *engine) tryLoad(list []structure, use use) bool {
	if !c.loadHeads(list) {
		return false
	}
	size := 0
	for i := range list {
		s := &list[i]
		if s.tokens = 0; s.view == nil {
			_, segments := extent(s.head.segments)
			size += len(s.reply.Data) + segments
		} else if use != counted {
			size += len(s.view.log)
		}
	}
	if all(list) && size+2*len(c.words) <= c.pace.freely() { // a member may be one letter
		return true
	}
	if !c.reserve(size + len(c.answer)) {
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
func (c *engine) measure(list []structure, use use) bool {
	var of extents
	held := len(c.answer)
	for i := range list {
		s := &list[i]
		if s.view != nil {
			n := s.view.fold.Live() + s.view.fold.Dead()
			of.bytes, of.tokens, of.most = of.bytes+len(s.view.log), of.tokens+n, max(of.most, n)
			continue
		}
		s.tokens = 0
		if s.reply.Status == Hit && s.sound {
			s.tokens = c.countTokens(s.log)
			of.bytes, of.tokens, of.most, of.folds = of.bytes+len(s.log), of.tokens+s.tokens, max(of.most, s.tokens), max(of.folds, s.tokens)
		}
		held += len(s.reply.Data) + len(s.base)
		if len(s.base) == 0 {
			held += len(s.log) // of one to be compacted
		}
	}
	c.loaded = held + use.room(c.kind, of)
	if !c.reserve(c.loaded) {
		return false
	}
	c.room = c.loaded + c.arguments // the rest is given back
	return true
}

// contended is the outcome of what others got in the way of all the time.
func contended(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s is changed by others all the time: given up after many tries; try again", key)}
}

// notOfKind is the outcome of reading what is no structure of a kind.
func notOfKind(key []byte, kind *Kind) Reply {
	return Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// loadOne is load for one key.
func (c *engine) loadOne(key []byte, use use) *structure { return c.loadAfter(key, use, nil) }

// loadAfter is loadOne, if there is a view of what the structure was before and is not any
// more.
func (c *engine) loadAfter(key []byte, use use, before *view) *structure {
	c.giveBack()
	c.list = append(c.list[:0], structure{key: key, before: before})
	c.load(c.list, use)
	return &c.list[0]
}

// loadHeads fetches the heads that are not loaded, or asks whether they are still what
// there are views of. It returns false if there is no room for that, and they are to be
// fetched one at a time.
func (c *engine) loadHeads(list []structure) bool {
	for i := range list {
		if s := &list[i]; s.state != loaded && s.before == nil {
			s.view = c.viewOf(s.key)
		}
	}
	if c.singly {
		return c.loadEachHead(list)
	}
	for {
		c.ops = c.ops[:0]
		for i := range list {
			if list[i].state != loaded {
				c.ops = append(c.ops, list[i].ask())
			}
		}
		replies := c.askAll(c.ops)
		if c.outdated(list, replies) {
			continue
		}
		if slices.ContainsFunc(replies, func(r Reply) bool { return r.Status == Dropped }) {
			c.singly = true
			c.letGo()
			return false
		}
		for i := range list {
			if s := &list[i]; s.state != loaded {
				c.takeHead(s, replies[0])
				replies = replies[1:]
			}
		}
		return true
	}
}

// ask returns the operation that reads the head, or asks whether its view still holds.
func (s *structure) ask() Op {
	if s.view != nil {
		return Op{Kind: Probe, Key: s.key}
	}
	return Op{Kind: Fetch, Key: s.key, Known: s.before != nil}
}

// outdated reports whether any of the structures is not any more what its view is, as
// the replies to probes of their heads say. Then all heads have to be read once more,
// since what was read is not valid for so long.
func (c *engine) outdated(list []structure, replies []Reply) bool {
	outdated := false
	for i := range list {
		s := &list[i]
		if s.state == loaded {
			continue
		}
		if r := &replies[0]; s.view != nil && r.Status == Hit && !s.view.usable(r) {
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
func (c *engine) takeHead(s *structure, r Reply) {
	if s.view != nil && r.Status == Hit {
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
	case r.Status == Missing:
		c.env.Views().drop(v)
	case r.Status == Hit && c.catchUp(v, &r):
		c.useView(s, v, r)
		return
	}
	s.take(r)
}

// catchUp brings a view up to date with the head that r read, if tokens were appended,
// few enough to add at once. Otherwise it returns false.
func (c *engine) catchUp(v *view, r *Reply) bool {
	more, ok := v.added(r)
	if !ok || len(more) > c.pace.freely() {
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
func (c *engine) useView(s *structure, v *view, r Reply) {
	s.view, s.before = v, nil
	s.reply, s.state = r, loaded
	s.head, s.sound, s.log = v.head, true, v.log
	c.lend(v)
}

// loadEachHead fetches one head after another.
func (c *engine) loadEachHead(list []structure) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != loaded {
			r := c.ask(s.ask())
			if s.view != nil && r.Status == Hit && !s.view.usable(&r) {
				s.view, s.before = nil, s.view
				r = c.ask(s.ask())
			}
			if c.takeHead(s, r); s.view == nil {
				if !c.reserve(size + len(s.reply.Data) + len(c.answer)) {
					return false
				}
				s.keep(nil)
			}
		}
		size += len(s.reply.Data) + len(s.base)
	}
	return true
}

// take begins to read the structure whose head is r.
func (s *structure) take(r Reply) {
	before := s.head.pointers
	s.reply = r
	s.head, s.sound = parseHead(r.Data)
	same := r.Status == Hit && s.sound && bytes.Equal(s.head.pointers, before)
	switch {
	case r.Status != Hit || len(s.head.segments) == 0:
		s.log, s.state = r.Data, loaded
	case same && s.state == lost: // the part that was missing is still pointed to
	case same && s.base != nil:
		s.head.pointers = before
		s.log, s.state = append(s.base, s.head.tail...), loaded
	default:
		s.state, s.base = unread, nil
	}
}

// keep copies what the next operation would overwrite, into the memory of buf if
// there is enough. It returns what it took.
func (s *structure) keep(buf []byte) []byte {
	if !s.reply.Copied {
		s.reply.Data = append(buf[:0], s.reply.Data...)
		s.reply.Copied = true
	}
	s.head, s.sound = parseHead(s.reply.Data)
	if len(s.head.segments) == 0 {
		s.log = s.reply.Data
	}
	return s.reply.Data
}

// condemn deletes the heads of which a part was evicted.
func (c *engine) condemn(list []structure) {
	c.ops = c.ops[:0]
	for i := range list {
		s := &list[i]
		if s.state == lost && s.reply.CAS == 0 {
			s.reply.Err = fmt.Sprintf("SERVER_ERROR a part of %s was evicted, and its upstream keeps no CAS; delete it", s.key)
			s.reply.Status, s.state = Failed, loaded
			c.env.NoteLost(s.key)
		}
		if s.state == lost {
			c.ops = append(c.ops, Op{Kind: DeleteIf, Key: s.key, CAS: s.reply.CAS, Epoch: s.reply.Epoch})
		}
	}
	if len(c.ops) == 0 {
		return
	}
	replies := c.askAll(c.ops)
	for i := range list {
		s := &list[i]
		if s.state != lost {
			continue
		}
		switch r := replies[0]; r.Status {
		case Stored, Missing:
			s.reply, s.state = Reply{Status: Missing}, loaded
			if r.Status == Stored { // otherwise somebody else has found the same
				c.env.NoteLost(s.key)
			}
		case Exists: // it is looked at again
		default:
			s.reply, s.state = Reply{Err: r.Err}, loaded
		}
		replies = replies[1:]
	}
}

// loadSegments fetches the segments of the structures whose heads have just
// been read. It returns true if all is loaded.
func (c *engine) loadSegments(list []structure) bool {
	var joints []joint
	total, parts := 0, 0
	for i := range list {
		s := &list[i]
		if s.state != unread {
			continue
		}
		p, bytes := extent(s.head.segments)
		if total, parts = total+bytes, parts+p; total > 2*maxStructure || parts > 2*maxParts {
			s.reply, s.state = Reply{Err: tooMuch}, loaded
			continue
		}
		var buf []byte
		if i == 0 {
			buf = c.log
		}
		j := c.newJoint(s.key, s.head.segments, buf, len(s.head.tail))
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
func (s *structure) assemble(j *joint) {
	switch j.outcome.Status {
	case Hit:
		s.base, s.state = j.log, loaded
		s.log = append(j.log, s.head.tail...)
	case Missing:
		s.state = lost
	default:
		s.reply, s.state = j.outcome, loaded
	}
}

func all(list []structure) bool {
	for i := range list {
		if list[i].state != loaded {
			return false
		}
	}
	return true
}

// forget lets go of what was read.
func (s *structure) forget() {
	s.reply.Data, s.log, s.base, s.head, s.fold = nil, nil, nil, head{}, nil
}

// read folds the log of a structure that was loaded, of the kind that the verb is about.
// It returns nil if it is none.
func (c *engine) read(s *structure) Fold {
	if s.view != nil {
		s.fold = s.view.fold
		return s.fold
	}
	if !s.sound || s.head.letter != c.kind.Letter {
		return nil
	}
	if c.worthKeeping(s) {
		c.readToKeep(s)
	} else {
		s.fold = c.foldLog(c.kind, s.log, s.tokens)
	}
	return s.fold
}
