package structure

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

const (
	// groupBytes is how many bytes of parts are fetched or written in one round trip, because other
	// requests to the upstream wait behind them.
	groupBytes = 1 << 20
	// GroupParts is how many parts are fetched in one round trip at most, since parts
	// may be longer than their share of the segment.
	GroupParts = 32
)

// joint is a structure whose segments are being fetched and concatenated.
type joint struct {
	key      []byte
	segments []format.Segment
	log      []byte
	outcome  verbs.Reply // so far: Hit, Missing, or Failed with the reason

	segment int  // index of the next segment
	part    int  // index of its next part
	left    int  // bytes of that segment still to come
	waits   bool // waits for the next round trip, because there was no memory for its last part
}

// newJoint begins to join segments of the structure under key. The log will be in buf if that is
// large enough, and will have capacity for spare more bytes.
func (f *folds) newJoint(key []byte, segments []format.Segment, buf []byte, spare int) joint {
	_, length := format.Extent(segments)
	log := buf[:0]
	if need := length + spare; cap(log) < need {
		if need > verbs.MuchMemory {
			f.takeScratch()
		}
		if n := cap(f.scratch.log); n >= need && n <= 2*need {
			log, f.scratch.log = f.scratch.log[:0], nil
		} else {
			log = verbs.Grow(&f.Pace, log, need)
		}
	}
	j := joint{key: key, segments: segments, log: log, outcome: verbs.Reply{Status: verbs.Hit}}
	j.begin()
	return j
}

// skip copies the log of those first segments that a view has too from the view, so that they need
// not be fetched. It reports whether there are any. In the structure, they follow those in before.
func (j *joint) skip(p *verbs.Pace, v *views.View, before []format.Segment) bool {
	n, log, more := v.Common(slices.Concat(before, j.segments)) // v may be dropped during a pause
	if n <= len(before) {
		return false
	}
	_, from := format.Extent(before)
	for _, text := range [][]byte{log[from:], more} {
		p.InSteps(len(text), verbs.MuchMemory, func(from, to int) { j.log = append(j.log, text[from:to]...) })
	}
	j.segment = n - len(before)
	j.begin()
	return true
}

// begin begins the next segment.
func (j *joint) begin() {
	if j.part = 0; j.segment < len(j.segments) {
		j.left = j.segments[j.segment].Bytes
	}
}

// join fetches the segments of all joints, a limited amount in each round trip. A segment whose
// length is not that in its pointer counts as missing; then nothing more is fetched of that
// structure.
func (c *call) join(joints []joint) {
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
				if part++; part == j.segments[s].Parts {
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

// fetch returns the operation that fetches a part of a segment, and the expected length
// of the part.
func (j *joint) fetch(segment, part int) (op verbs.Op, length int) {
	s := &j.segments[segment]
	most := s.Bytes
	if segment == j.segment {
		most = j.left
	}
	// A longer part is not wanted. The limit is at least 1, since 0 would mean no limit.
	return verbs.Op{Kind: verbs.Fetch, Key: s.AppendPartKey(nil, j.key, part), Of: j.key, Bytes: max(most, 1), Constant: true}, s.Bytes / s.Parts
}

// take handles the reply for the next part. It reports whether the part was dropped for lack of
// memory.
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
	if j.part++; j.part == j.segments[j.segment].Parts {
		if j.left > 0 {
			j.outcome = verbs.Reply{Status: verbs.Missing}
			return false
		}
		j.segment++
		j.begin()
	}
	return false
}
