package verbs

// plan is how a head is to be made shorter.
type plan struct {
	*Call
	key   []byte
	limit int  // half of it may stay in the head
	whole bool // the whole structure is folded, not only its end
}

// headLimit is how long a head may become before it is settled: somewhat less
// than it may be at all, as others have appends under way meanwhile.
func (c *Call) headLimit(key []byte) int { return headLimit(c.env, key) }

func headLimit(env Env, key []byte) int {
	limit := env.Options().StructureItemSize
	if most := env.ItemLimit(key); most > 0 {
		limit = min(limit, most/2)
	}
	return limit - limit/8
}

const (
	// settledTails is how many times as long as a head may become, a segment is
	// at most that settling makes of several; longer ones are left to merging,
	// for which nobody waits.
	settledTails = 8
	// manySegments is how many segments there may be before settling folds
	// them all, as those who merge don't get their turn.
	manySegments = maxSegments / 2
)

// rewrite plans to fold the tail of a head with the segments before it that are
// not much longer, and with more behind it. There is no change if that gains
// nothing, and Stored is the outcome; or if it can't be done: Missing if a part
// of a segment is, or Failed.
func (p *plan) rewrite(value, more []byte) (*change, Reply) {
	h, ok := parseHead(value)
	if !ok {
		return nil, noSet(p.key)
	}
	from := h.runOf(len(h.tail)+len(more), settledTails*p.env.Options().StructureItemSize)
	parts, bytes := extent(h.segments)
	if p.whole || len(h.segments) >= manySegments || parts >= maxParts/2 || bytes+len(h.tail)+len(more) > maxStructure {
		from = 0
	}
	log, all := p.fetch(h.segments[from:], len(h.tail)+1+len(more))
	if all.Status != Hit {
		return nil, all
	}
	log = append(log, h.tail...)
	if len(more) > 0 {
		log = append(append(log, ' '), more...) // which the last token may lack
	}
	if !p.set.Read(log) {
		return nil, noSet(p.key)
	}
	if len(more) == 0 && p.set.Dead() == 0 && p.short(h, from) {
		return nil, Reply{Status: Stored}
	}
	return p.fold(h, from, value)
}

// short reports whether the head can't become shorter, as long as nothing in
// it is dead.
func (p *plan) short(h head, from int) bool {
	if len(h.tail) == 0 {
		return len(h.segments)-from <= 1
	}
	return len(h.segments) == 0 && len(h.tail) <= p.limit
}

// merge plans to fold the last segments of a head that have become similar in
// size.
func (p *plan) merge(h head) (*change, Reply) {
	from := h.mergeFrom()
	log, all := p.fetch(h.segments[from:], 0)
	if all.Status != Hit {
		return nil, all
	}
	if !p.set.Read(log) {
		return nil, noSet(p.key)
	}
	return p.fold(h, from, h.pointers)
}

// fetch fetches the log that segments are.
func (p *plan) fetch(segments []segment, room int) (log []byte, all Reply) {
	p.ops = appendOps(p.ops[:0], Fetch, p.key, segments)
	if len(p.ops) == 0 {
		return make([]byte, 0, room), Reply{Status: Hit}
	}
	return join(segments, p.askAll(p.ops), nil, room)
}

// fold makes what the call's set has read, which old says from the segment from
// on, a segment; or leaves it in the head if nothing is before it and it is
// short.
func (p *plan) fold(h head, from int, old []byte) (*change, Reply) {
	ch := &change{old: old, new: h.prefix(from), replaced: h.segments[from:]}
	var log []byte
	if from > 0 {
		log = p.set.AppendNet(nil)
	} else if log = p.set.AppendLog(nil); len(log) <= p.limit/2 && (len(log) <= len(old) || p.fits(p.key, log)) {
		ch.new, ch.closed = log, len(log) > 0
		return ch, Reply{}
	}
	if len(log) == 0 {
		return ch, Reply{}
	}
	s, r := p.write(log, h.segments[:from], old)
	if r.Status != Stored {
		return nil, r
	}
	ch.new, ch.written = s.appendPointer(ch.new), []segment{s}
	return ch, Reply{}
}

// write writes a log into the items of a new segment, which is to stand behind
// others in a head. Nothing points to them yet, so nobody knows if it fails.
func (p *plan) write(log []byte, before []segment, head []byte) (segment, Reply) {
	s := newSegment(p.env)
	s.bytes = len(log)
	p.ops = p.ops[:0]
	for rest := log; len(rest) > 0; s.parts++ {
		key := s.appendPartKey(nil, p.key, s.parts)
		n := min(len(rest), p.partSize(key, len(head)))
		p.ops = append(p.ops, Op{Kind: Add, Key: key, Data: rest[:n]})
		rest = rest[n:]
	}
	if parts, bytes := extent(before); parts+s.parts > maxParts || bytes+s.bytes > maxStructure {
		return s, p.full(p.key, bytes+s.bytes)
	}
	all := Reply{Status: Stored}
	for _, r := range p.askAll(p.ops) {
		if r.Status != Stored {
			all = Reply{Err: r.Err}
		}
	}
	if all.Status != Stored {
		p.remove(p.key, []segment{s})
	}
	return s, all
}

// largestPart is the most that goes into one item of a segment, in bytes.
const largestPart = 512 << 10

// partSize is how much of a segment goes into the item under key. Where the
// limit is not known, it is as much as the structure's head was long.
func (p *plan) partSize(key []byte, head int) int {
	most := head
	if limit := p.env.ItemLimit(key); limit > 0 {
		most = limit - len(key) - itemOverhead
	}
	return min(max(most, surelyTaken), largestPart)
}
