package structure

import "github.com/memverbs/memverbs/verbs"

// plan is how a head is to be made shorter.
type plan struct {
	*Engine
	key   []byte
	limit int  // half of it may stay in the head
	whole bool // the whole structure is folded, not only its end

	folded     Fold  // what was read
	foldedKind *Kind // and what it is, as the head says, whatever the verb is about
}

// HeadLimit is how long a head may become before it is settled: somewhat less
// than it may be at all, as others have appends under way meanwhile.
func (c *Engine) HeadLimit(key []byte) int { return headLimit(c.env, key) }

func headLimit(env verbs.Env, key []byte) int {
	limit := env.Options().StructureItemSize
	if most := env.ItemLimit(key, key); most > 0 {
		limit = min(limit, most/2)
	}
	return limit - limit/8
}

// Appended reports whether so many bytes of tokens are appended to the structure under
// key. What is longer goes into a segment, for which the head is swapped.
func Appended(env verbs.Env, key []byte, size int) bool {
	return size <= headLimit(env, key) && verbs.Fits(env, key, key, size)
}

const (
	// settledTails is how many times as long as a head may become, a segment is
	// at most that settling makes of several; longer ones are left to merging,
	// for which nobody waits.
	settledTails = 8
	// manySegments is how many segments there may be before settling folds
	// them all, as those who merge don't get their turn.
	manySegments = MaxSegments / 2
)

// rewrite plans to fold the tail of a head with the segments before it that are
// not much longer, and with more behind it. There is no change if that gains
// nothing, and Stored is the outcome; or if it can't be done: Missing if a part
// of a segment is, Exists if there was no room and there may be later, or Failed.
func (p *plan) rewrite(value, more []byte) (*change, verbs.Reply) {
	h, ok := parseHead(value)
	if !ok {
		return nil, NotOfKind(p.key, p.Kind)
	}
	from := h.runOf(len(h.tail)+len(more), settledTails*p.env.Options().StructureItemSize)
	parts, bytes := extent(h.segments)
	if p.whole || len(h.segments) >= manySegments || parts >= maxParts/2 || bytes+len(h.tail)+len(more) > maxStructure {
		from = 0
	}
	if r := p.read(h, from, more, len(value)); r.Status != verbs.Hit {
		return nil, r
	}
	if len(more) == 0 && p.folded.Dead() == 0 && p.short(h, from) {
		return nil, verbs.Reply{Status: verbs.Stored}
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
func (p *plan) merge(h head) (*change, verbs.Reply) {
	from := h.mergeFrom()
	if r := p.read(h, from, nil, len(h.pointers)); r.Status != verbs.Hit {
		return nil, r
	}
	return p.fold(h, from, h.pointers)
}

// read folds the log that the segments of a head are from one on, with its tail and
// more behind it, when so many bytes of the head are held already: Hit, or why not.
func (p *plan) read(h head, from int, more []byte, held int) verbs.Reply {
	if p.foldedKind = kindOf(h.letter); p.foldedKind == nil {
		return NotOfKind(p.key, p.Kind)
	}
	_, size := extent(h.segments[from:])
	size += len(h.tail) + len(" ") + len(more)
	large := size > p.Pace.Freely()
	held += p.loaded
	if large && !p.Reserve(held+size) {
		return verbs.Reply{Status: verbs.Exists}
	}
	joints := []joint{p.newJoint(p.key, h.segments[from:], nil, len(h.tail)+len(" ")+len(more))}
	if p.join(joints); joints[0].outcome.Status != verbs.Hit {
		return joints[0].outcome
	}
	log := append(joints[0].log, h.tail...)
	if len(more) > 0 {
		log = append(append(log, ' '), more...) // which the last token may lack
	}
	tokens := 0
	if large {
		tokens = p.CountTokens(log)
		if !p.Reserve(held + 2*size + p.foldedKind.Room(tokens)) { // twice, as it is written anew
			return verbs.Reply{Status: verbs.Exists}
		}
	}
	if p.folded = p.FoldLog(p.foldedKind, log, tokens); p.folded == nil {
		return NotOfKind(p.key, p.Kind)
	}
	return verbs.Reply{Status: verbs.Hit}
}

// fold makes what was read, which old says from the segment from
// on, a segment; or leaves it in the head if nothing is before it and it is
// short.
func (p *plan) fold(h head, from int, old []byte) (*change, verbs.Reply) {
	ch := &change{old: old, new: h.prefix(from), replaced: h.segments[from:]}
	var log []byte
	if from > 0 {
		log = p.folded.AppendNet(&p.Pace, nil)
	} else if log = p.foldedKind.logOf(&p.Pace, p.folded); len(log) <= p.limit/2 && (len(log) <= len(old) || p.Fits(p.key, p.key, log)) {
		ch.new, ch.closed = log, len(log) > 0
		return ch, verbs.Reply{}
	}
	if len(log) == 0 {
		return ch, verbs.Reply{}
	}
	s, r := p.write(log, h.segments[:from], old)
	if r.Status != verbs.Stored {
		return nil, r
	}
	ch.new, ch.written = s.appendPointer(ch.new), []segment{s}
	return ch, verbs.Reply{}
}

// write writes a log into the items of a new segment, which is to stand behind
// others in a head. Nothing points to them yet, so nobody knows if it fails.
func (p *plan) write(log []byte, before []segment, head []byte) (segment, verbs.Reply) {
	s := newSegment(p.env, p.foldedKind.Letter)
	s.bytes = len(log)
	p.Ops = p.Ops[:0]
	for rest := log; len(rest) > 0; s.parts++ {
		key := s.appendPartKey(nil, p.key, s.parts)
		n := min(len(rest), p.partSize(key, len(head)))
		p.Ops = append(p.Ops, verbs.Op{Kind: verbs.Add, Key: key, Of: p.key, Data: rest[:n]})
		rest = rest[n:]
	}
	if parts, bytes := extent(before); parts+s.parts > maxParts || bytes+s.bytes > maxStructure {
		return s, p.NoRoom(p.key, bytes+s.bytes)
	}
	for rest := p.Ops; len(rest) > 0; {
		n := min(len(rest), max(groupBytes/len(rest[0].Data), 1))
		for _, r := range p.AskAll(rest[:n]) {
			if r.Status != verbs.Stored {
				p.remove(p.key, []segment{s})
				return s, verbs.Reply{Err: r.Err}
			}
		}
		rest = rest[n:]
	}
	return s, verbs.Reply{Status: verbs.Stored}
}

// largestPart is the most that goes into one item of a segment, in bytes.
const largestPart = 512 << 10

// partSize is how much of a segment goes into the item under key. Where the
// limit is not known, it is as much as the structure's head was long.
func (p *plan) partSize(key []byte, head int) int {
	most := head
	if limit := p.env.ItemLimit(p.key, key); limit > 0 {
		most = limit - len(key) - verbs.ItemOverhead
	}
	return min(max(most, verbs.SurelyTaken), largestPart)
}
