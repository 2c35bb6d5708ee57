package verbs

import (
	"bytes"
	"fmt"
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
func (c *Call) load(list []structure, use use) {
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
func (c *Call) tryLoad(list []structure, use use) bool {
	if !c.loadHeads(list) {
		return false
	}
	size := 0
	for i := range list {
		list[i].tokens = 0
		_, segments := extent(list[i].head.segments)
		size += len(list[i].reply.Data) + segments
	}
	if all(list) && size+2*len(c.words) <= c.pace.freely() { // a member may be one letter
		return true
	}
	if !c.reserve(size + len(c.answer)) {
		return false
	}
	for i := range list { // more will be asked for, so replies won't stay
		if i == 0 {
			c.first = list[i].keep(c.first)
		} else {
			list[i].keep(nil)
		}
	}
	c.condemn(list)
	return c.loadSegments(list) && c.measure(list, use)
}

// measure reserves room for what is going to be done with the structures. It
// returns false if they have to be read again.
func (c *Call) measure(list []structure, use use) bool {
	size, tokens, most := 0, 0, 0
	held := len(c.answer)
	for i := range list {
		s := &list[i]
		s.tokens = 0
		if s.reply.Status == Hit && s.sound {
			s.tokens = c.countTokens(s.log)
			size, tokens, most = size+len(s.log), tokens+s.tokens, max(most, s.tokens)
		}
		held += len(s.reply.Data) + len(s.base)
		if len(s.base) == 0 {
			held += len(s.log) // of one to be compacted
		}
	}
	c.loaded = held + use.room(size, tokens, most)
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

// loadOne is load for one key.
func (c *Call) loadOne(key []byte, use use) *structure {
	c.list = append(c.list[:0], structure{key: key})
	c.load(c.list, use)
	return &c.list[0]
}

// reload loads again what loadOne returned. Segments that the head still points
// to are not fetched a second time.
func (c *Call) reload(use use) {
	c.list[0].state = unread
	c.load(c.list, use)
}

// loadHeads fetches the heads that are not loaded. It returns false if there is
// no room for that, and they are to be fetched one at a time.
func (c *Call) loadHeads(list []structure) bool {
	if c.singly {
		return c.loadEachHead(list)
	}
	c.ops = c.ops[:0]
	for i := range list {
		if list[i].state != loaded {
			c.ops = append(c.ops, Op{Kind: Fetch, Key: list[i].key})
		}
	}
	replies := c.askAll(c.ops)
	for i := range list {
		if s := &list[i]; s.state != loaded {
			if replies[0].Status == Dropped {
				c.singly = true
				c.letGo()
				return false
			}
			s.take(replies[0])
			replies = replies[1:]
		}
	}
	return true
}

// loadEachHead fetches one head after another.
func (c *Call) loadEachHead(list []structure) bool {
	size := 0
	for i := range list {
		s := &list[i]
		if s.state != loaded {
			s.take(c.ask(Op{Kind: Fetch, Key: s.key}))
			if !c.reserve(size + len(s.reply.Data) + len(c.answer)) {
				return false
			}
			s.keep(nil)
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
func (c *Call) condemn(list []structure) {
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
func (c *Call) loadSegments(list []structure) bool {
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
		joints = append(joints, c.newJoint(s.key, s.head.segments, buf, len(s.head.tail)))
	}
	c.join(joints)
	for i := range list {
		if s := &list[i]; s.state == unread {
			s.assemble(&joints[0])
			joints = joints[1:]
		}
	}
	c.log = list[0].base
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
func (s *structure) forget() { s.reply.Data, s.log, s.base, s.head = nil, nil, nil, head{} }
