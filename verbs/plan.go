package verbs

// plan is how a head is to be made shorter.
type plan struct {
	*engine
	key   []byte
	limit int  // half of it may stay in the head
	whole bool // the whole structure is folded, not only its end

	folded     Fold  // what was read
	foldedKind *Kind // and what it is, as the head says, whatever the verb is about
}

// headLimit is how long a head may become before it is settled: somewhat less
// than it may be at all, as others have appends under way meanwhile.
func (c *engine) headLimit(key []byte) int { return headLimit(c.env, key) }

func headLimit(env Env, key []byte) int {
	limit := env.Options().StructureItemSize
	if most := env.ItemLimit(key, key); most > 0 {
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
// of a segment is, Exists if there was no room and there may be later, or Failed.
func (p *plan) rewrite(value, more []byte) (*change, Reply) {
	h, ok := parseHead(value)
	if !ok {
		return nil, notOfKind(p.key, p.kind)
	}
	from := h.runOf(len(h.tail)+len(more), settledTails*p.env.Options().StructureItemSize)
	parts, bytes := extent(h.segments)
	if p.whole || len(h.segments) >= manySegments || parts >= maxParts/2 || bytes+len(h.tail)+len(more) > maxStructure {
		from = 0
	}
	if r := p.read(h, from, more, len(value)); r.Status != Hit {
		return nil, r
	}
	if len(more) == 0 && p.folded.Dead() == 0 && p.short(h, from) {
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
	if r := p.read(h, from, nil, len(h.pointers)); r.Status != Hit {
		return nil, r
	}
	return p.fold(h, from, h.pointers)
}

// read folds the log that the segments of a head are from one on, with its tail and
// more behind it, when so many bytes of the head are held already: Hit, or why not.
func (p *plan) read(h head, from int, more []byte, held int) Reply {
	if p.foldedKind = kindOf(h.letter); p.foldedKind == nil {
		return notOfKind(p.key, p.kind)
	}
	_, size := extent(h.segments[from:])
	size += len(h.tail) + len(" ") + len(more)
	large := size > p.pace.freely()
	held += p.loaded
	if large && !p.reserve(held+size) {
		return Reply{Status: Exists}
	}
	joints := []joint{p.newJoint(p.key, h.segments[from:], nil, len(h.tail)+len(" ")+len(more))}
	if p.join(joints); joints[0].outcome.Status != Hit {
		return joints[0].outcome
	}
	log := append(joints[0].log, h.tail...)
	if len(more) > 0 {
		log = append(append(log, ' '), more...) // which the last token may lack
	}
	tokens := 0
	if large {
		tokens = p.countTokens(log)
		if !p.reserve(held + 2*size + p.foldedKind.Room(tokens)) { // twice, as it is written anew
			return Reply{Status: Exists}
		}
	}
	if p.folded = p.foldLog(p.foldedKind, log, tokens); p.folded == nil {
		return notOfKind(p.key, p.kind)
	}
	return Reply{Status: Hit}
}

// fold makes what was read, which old says from the segment from
// on, a segment; or leaves it in the head if nothing is before it and it is
// short.
func (p *plan) fold(h head, from int, old []byte) (*change, Reply) {
	ch := &change{old: old, new: h.prefix(from), replaced: h.segments[from:]}
	var log []byte
	if from > 0 {
		log = p.folded.AppendNet(&p.pace, nil)
	} else if log = p.foldedKind.logOf(&p.pace, p.folded); len(log) <= p.limit/2 && (len(log) <= len(old) || p.fits(p.key, p.key, log)) {
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
	s := newSegment(p.env, p.foldedKind.Letter)
	s.bytes = len(log)
	p.ops = p.ops[:0]
	for rest := log; len(rest) > 0; s.parts++ {
		key := s.appendPartKey(nil, p.key, s.parts)
		n := min(len(rest), p.partSize(key, len(head)))
		p.ops = append(p.ops, Op{Kind: Add, Key: key, Of: p.key, Data: rest[:n]})
		rest = rest[n:]
	}
	if parts, bytes := extent(before); parts+s.parts > maxParts || bytes+s.bytes > maxStructure {
		return s, p.full(p.key, bytes+s.bytes)
	}
	for rest := p.ops; len(rest) > 0; {
		n := min(len(rest), max(groupBytes/len(rest[0].Data), 1))
		for _, r := range p.askAll(rest[:n]) {
			if r.Status != Stored {
				p.remove(p.key, []segment{s})
				return s, Reply{Err: r.Err}
			}
		}
		rest = rest[n:]
	}
	return s, Reply{Status: Stored}
}

// largestPart is the most that goes into one item of a segment, in bytes.
const largestPart = 512 << 10

// partSize is how much of a segment goes into the item under key. Where the
// limit is not known, it is as much as the structure's head was long.
func (p *plan) partSize(key []byte, head int) int {
	most := head
	if limit := p.env.ItemLimit(p.key, key); limit > 0 {
		most = limit - len(key) - itemOverhead
	}
	return min(max(most, surelyTaken), largestPart)
}
