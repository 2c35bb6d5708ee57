package verbs

import (
	"bytes"
	"fmt"
)

// structure is what was read of a structure.
type structure struct {
	key   []byte
	reply Reply  // to fetching the head: Hit, Missing, or Failed with the reason
	head  head   // its value, taken apart
	sound bool   // it could be
	log   []byte // what segments and tail say, in order; the value if it is not sound
	state loading
	base  []byte // the log of the segments, as they were joined last
}

// loading is how far reading a structure has come.
type loading uint8

const (
	unread loading = iota
	lost           // the head was read, but a part of a segment was not there
	loaded
)

// load reads the structures under the keys given, all of them at once: the
// heads in one round trip, and in another the segments, where there are any.
// What it returns is valid until the next operation that the call asks for.
//
// A part that is missing has been replaced since the head was read, and then
// the head no longer points to it; or it was evicted. Then the structure is
// gone, as an evicted item is, and the head is deleted unless it has changed:
// whoever has been told that there is nothing must find nothing later, and what
// is added later must not be added to a rest.
func (c *Call) load(list []structure) {
	for range maxTries {
		if c.loadHeads(list) {
			return
		}
		c.condemn(list)
		if c.loadSegments(list) {
			return
		}
	}
	for i := range list {
		if s := &list[i]; s.state != loaded {
			s.reply = contended(s.key)
		}
	}
}

// contended is the outcome of what others got in the way of all the time.
func contended(key []byte) Reply {
	return Reply{Err: fmt.Sprintf("SERVER_ERROR %s is changed by others all the time: given up after many tries; try again", key)}
}

// loadOne is load for one key.
func (c *Call) loadOne(key []byte) *structure {
	c.list = append(c.list[:0], structure{key: key})
	c.load(c.list)
	return &c.list[0]
}

// reload loads again what loadOne returned. Segments that the head still points
// to are not fetched a second time.
func (c *Call) reload() {
	c.list[0].state = unread
	c.load(c.list)
}

// loadHeads fetches the heads that are not loaded. It returns true if that was
// all there is to read.
func (c *Call) loadHeads(list []structure) bool {
	c.ops = c.ops[:0]
	for i := range list {
		if list[i].state != loaded {
			c.ops = append(c.ops, Op{Kind: Fetch, Key: list[i].key})
		}
	}
	replies := c.askAll(c.ops)
	for i := range list {
		if s := &list[i]; s.state != loaded {
			s.take(replies[0])
			replies = replies[1:]
		}
	}
	if all(list) {
		return true
	}
	for i := range list { // more will be asked for, so replies won't stay
		if i == 0 {
			c.first = list[i].keep(c.first)
		} else {
			list[i].keep(nil)
		}
	}
	return false
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
	s.reply.Data = append(buf[:0], s.reply.Data...)
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
	c.ops = c.ops[:0]
	total := 0
	for i := range list {
		s := &list[i]
		if s.state != unread {
			continue
		}
		_, bytes := extent(s.head.segments)
		if total += bytes; total > 2*maxStructure || len(c.ops) > 2*maxParts {
			s.reply, s.state = Reply{Err: tooMuch}, loaded
			continue
		}
		c.ops = appendOps(c.ops, Fetch, s.key, s.head.segments)
	}
	if len(c.ops) == 0 {
		return all(list)
	}
	replies := c.askAll(c.ops)
	for i := range list {
		if s := &list[i]; s.state != unread {
			continue
		} else if i == 0 {
			replies = s.assemble(replies, c.log)
			c.log = s.base
		} else {
			replies = s.assemble(replies, nil)
		}
	}
	return all(list)
}

func all(list []structure) bool {
	for i := range list {
		if list[i].state != loaded {
			return false
		}
	}
	return true
}

// assemble puts the log together from the parts at the start of replies, in the
// memory of buf if there is enough, and returns the other replies.
func (s *structure) assemble(replies []Reply, buf []byte) []Reply {
	parts, _ := extent(s.head.segments)
	switch log, all := join(s.head.segments, replies, buf, len(s.head.tail)); all.Status {
	case Hit:
		s.base, s.state = log, loaded
		s.log = append(log, s.head.tail...)
	case Missing:
		s.state = lost
	default:
		s.reply, s.state = all, loaded
	}
	return replies[parts:]
}
