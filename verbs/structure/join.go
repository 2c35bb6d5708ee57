package structure

import "github.com/memverbs/memverbs/verbs"

const (
	// groupBytes is how much of the parts of segments is fetched or written in
	// one round trip, in bytes: what others ask of the upstream meanwhile comes
	// behind.
	groupBytes = 1 << 20
	// GroupParts is how many parts are fetched in one round trip, as a part may be
	// longer than it should.
	GroupParts = 32
)

// joint is a structure whose segments are being fetched and put together.
type joint struct {
	key      []byte
	segments []segment
	log      []byte
	outcome  verbs.Reply // so far: Hit, Missing, or Failed with the reason

	segment int  // the one that is next
	part    int  // of it that is next
	left    int  // of the segment, in bytes
	waits   bool // for the next round, as there was no room for its last part
}

// newJoint begins to put segments of the structure under key together, in the memory
// of buf if there is enough, with room for some more bytes.
func (c *Engine) newJoint(key []byte, segments []segment, buf []byte, room int) joint {
	_, length := extent(segments)
	log := buf[:0]
	if need := length + room; cap(log) < need {
		if need > verbs.MuchMemory {
			c.takeScratch()
		}
		if n := cap(c.scratch.log); n >= need && n <= 2*need {
			log, c.scratch.log = c.scratch.log[:0], nil
		} else {
			log = verbs.Grow(&c.Pace, log, need)
		}
	}
	j := joint{key: key, segments: segments, log: log, outcome: verbs.Reply{Status: verbs.Hit}}
	j.begin()
	return j
}

// skip takes from a view what it has of the same segments.
func (j *joint) skip(v *view) {
	n, bytes := v.common(j.segments)
	j.log = append(j.log, v.log[:bytes]...)
	j.segment = n
	j.begin()
}

// begin begins the next segment.
func (j *joint) begin() {
	if j.part = 0; j.segment < len(j.segments) {
		j.left = j.segments[j.segment].bytes
	}
}

// join fetches the segments of all joints, so much in one round trip as is good for
// others. A segment that is not as long as its pointer says is as good as missing,
// and then nothing more is fetched of that structure.
func (c *Engine) join(joints []joint) {
	for {
		var of []*joint
		c.Ops = c.Ops[:0]
		size := 0
		for i := range joints {
			j := &joints[i]
			for s, part := j.segment, j.part; s < len(j.segments) && j.outcome.Status == verbs.Hit; {
				if size >= groupBytes || len(of) == GroupParts || c.Singly && len(of) == 1 {
					break
				}
				op, length := j.fetch(s, part)
				c.Ops, of, size = append(c.Ops, op), append(of, j), size+length
				if part++; part == j.segments[s].parts {
					s, part = s+1, 0
				}
			}
			j.waits = false
		}
		if len(of) == 0 {
			return
		}
		for i, r := range c.AskAll(c.Ops) {
			c.Singly = of[i].take(r) || c.Singly
		}
	}
}

// fetch returns the operation that fetches a part of a segment, and how long that
// should be.
func (j *joint) fetch(segment, part int) (op verbs.Op, length int) {
	s := &j.segments[segment]
	most := s.bytes
	if segment == j.segment {
		most = j.left
	}
	// What is longer is of no use, and 0 would be for any length.
	return verbs.Op{Kind: verbs.Fetch, Key: s.appendPartKey(nil, j.key, part), Of: j.key, Bytes: max(most, 1), Constant: true}, s.bytes / s.parts
}

// take takes the next part. It reports whether there was no room for it.
func (j *joint) take(r verbs.Reply) (dropped bool) {
	switch {
	case j.waits || j.outcome.Status != verbs.Hit:
		return false
	case r.Status == verbs.Dropped && r.Size <= j.left:
		j.waits = true
		return true
	case r.Status == verbs.Dropped || len(r.Data) > j.left:
		j.outcome = verbs.Reply{Status: verbs.Missing}
		return false
	case r.Status != verbs.Hit:
		j.outcome = verbs.Reply{Status: r.Status, Err: r.Err}
		return false
	}
	j.log = append(j.log, r.Data...)
	j.left -= len(r.Data)
	if j.part++; j.part == j.segments[j.segment].parts {
		if j.left > 0 {
			j.outcome = verbs.Reply{Status: verbs.Missing}
			return false
		}
		j.segment++
		j.begin()
	}
	return false
}
