package structure

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// plan is a plan to make a head shorter by folding a part of the log.
type plan struct {
	s     *settler
	key   []byte
	limit int              // limit of the head in bytes; afterwards up to half of it may be tokens
	whole bool             // fold the whole structure instead of only its end
	after []format.Segment // segments that follow the folded part
	began int64            // when reading began, by [verbs.Env.Uptime]

	lent       views.Loans  // the view that has folded, until its log is written
	log        []byte       // the part that was read: segments and tokens
	folded     format.Fold  // of log, or of lent
	foldedKind *format.Kind // kind according to the head, whatever the kind of the verb
	dropped    Dropped      // what Engine.Prune has dropped of it
	unpruned   bool         // don't call Engine.Prune
	inserts    bool         // log has tokens that the structure does not have yet
	probed     *verbs.Reply // takes the reply to a probe of the head that follows what is written; nil if nobody needs it
}

const (
	// shortTails times StructureItemSize is the length of the longest segment that settling folds.
	// Longer ones are left to merging, which no client waits for. Merging takes long, and would
	// fail if settling replaced segments that are being merged.
	shortTails = 4
	// littleGain is the fraction of a log's bytes that folding must save; if it saves less, the log is
	// written as it is, unless it is that of the whole structure. If the text of a log does not change,
	// views of it can be extended; otherwise they have to be made anew.
	littleGain = 8
	// manySegments is the number of segments at which settling folds them all, because
	// merging does not keep up.
	manySegments = format.MaxSegments / 2
)

// rewrite plans to fold the tail of the head value, with more appended to it, and the last segments
// that are not much longer. If it returns no change, the reply is the reason: Stored if folding
// gains nothing, Missing if a part of a segment is missing, Exists if there was no memory and a
// retry will wait for it, or Failed.
func (p *plan) rewrite(value, more []byte) (*change, verbs.Reply) {
	defer p.lent.End()
	h, ok := format.ParseHead(value)
	if !ok {
		return nil, NotOfKind(p.s.Shown(p.key), p.s.Kind)
	}
	if len(h.Segments) == 0 && len(h.Tail) == 0 { // there is nothing yet
		h.Letter = format.LetterOf(more)
	}
	usual := h.SettledFrom(len(h.Tail)+len(more), p.short())
	from := usual
	parts, bytes := format.Extent(h.Segments)
	p.s.limits.noteRoom(p.key, h.Segments, len(value))
	if p.whole || len(h.Segments) >= manySegments || parts >= format.MaxParts/2 || p.s.limits.reachesFull(h.Segments) || bytes+len(h.Tail)+len(more) > format.MaxStructure {
		from = 0
	}
	r := verbs.Reply{Status: verbs.Hit}
	if from > 0 || len(more) > 0 || !p.takeView(h, len(value)) {
		r = p.read(h, from, more, len(value))
	}
	if r.Status == verbs.Dropped && from == 0 {
		p.s.limits.noteNeeds(p.key, r.Size)
		p.s.limits.noteRoom(p.key, h.Segments, len(value))
	}
	if r.Status == verbs.Dropped && from < usual && !p.whole { // folding a part is better than nothing
		from = usual
		r = p.read(h, from, more, len(value))
	}
	if r.Status == verbs.Dropped { // the next operation fails with the reason
		p.s.Reserve(r.Size)
		r.Status = verbs.Exists
	}
	if r.Status != verbs.Hit {
		return nil, r
	}
	if len(more) == 0 && p.folded.Dead() == 0 && p.asShort(h, from) {
		return nil, verbs.Reply{Status: verbs.Stored}
	}
	return p.fold(h, from, value)
}

// asShort reports whether folding would not shorten the head, given that it has no dead
// tokens.
func (p *plan) asShort(h format.Head, from int) bool {
	if len(h.Tail) == 0 {
		return len(h.Segments)-from <= 1
	}
	return len(h.Segments) == 0 && len(h.Tail) <= p.limit
}

// short returns the length of the longest segment that settling folds, in bytes.
func (p *plan) short() int {
	if long := p.s.env.Options().LongSegment; long > 0 {
		return long - 1
	}
	return shortTails * p.s.env.Options().StructureItemSize
}

// merge plans to fold the segments of a head from index from to index to, which have become similar
// in size.
func (p *plan) merge(h format.Head, from, to int) (*change, verbs.Reply) {
	p.after = h.Segments[to:]
	old := h.Prefix(to)
	h = format.Head{Segments: h.Segments[:to], Letter: h.Letter}
	if r := p.read(h, from, nil, len(old)); r.Status != verbs.Hit {
		return nil, r
	}
	return p.fold(h, from, old)
}

// takeView takes the fold of the view of the structure, so that the structure need not be read, if the view has just the head h.
// used is how many bytes the call uses for that head. It returns false if there is no such view, if its fold may not be
// written yet, or if there is no memory for what is written.
func (p *plan) takeView(h format.Head, used int) bool {
	v := p.s.viewOf(p.key)
	if v == nil || p.s.Prune != nil || !v.Has(h) || !p.s.advance(v) {
		return false
	}
	p.began, p.foldedKind, p.folded = p.s.env.Uptime(), p.s.Kind, v.Fold
	p.lent.Lend(v) // so that nobody changes it
	if !p.s.clock.isOver(p.key, forgets(p.folded)) {
		return false
	}
	size := p.written(0, len(v.Log))
	return size <= p.s.Pace.Freely() || p.s.Reserve(p.s.loader.loaded+used+size)
}

// read fetches the segments of h from index from on and folds their log, the tail and more. used is
// how many bytes the call uses for the head already. It returns Hit; Dropped if that takes more
// memory than any call can have, with the bytes as Size; or why it failed.
func (p *plan) read(h format.Head, from int, more []byte, used int) verbs.Reply {
	p.began = p.s.env.Uptime()
	if p.foldedKind = format.KindOf(h.Letter); p.foldedKind == nil {
		return NotOfKind(p.s.Shown(p.key), p.s.Kind)
	}
	_, size := format.Extent(h.Segments[from:])
	size += len(h.Tail) + len(" ") + len(more)
	large := size > p.s.Pace.Freely()
	used += p.s.loader.loaded
	if large {
		if r := p.reserve(used + size); r.Status != verbs.Hit {
			return r
		}
	}
	joints := []joint{p.s.folds.newJoint(p.key, h.Segments[from:], nil, len(h.Tail)+len(" ")+len(more))}
	if v := p.s.viewOf(p.key); v != nil {
		joints[0].skip(&p.s.Pace, v, h.Segments[:from])
	}
	if p.s.join(joints); joints[0].outcome.Status != verbs.Hit {
		return joints[0].outcome
	}
	p.log = append(joints[0].log, h.Tail...)
	if p.inserts = len(more) > 0; p.inserts {
		p.log = append(append(p.log, ' '), more...) // the last token may lack its space
	}
	tokens := 0
	if large {
		tokens = p.s.folds.countTokens(p.foldedKind, p.log)
		used += size + p.foldedKind.Memory(tokens)
		if r := p.reserve(used); r.Status != verbs.Hit {
			return r
		}
	}
	if p.folded = p.s.folds.FoldLog(p.foldedKind, p.log, tokens); p.folded == nil {
		return NotOfKind(p.s.Shown(p.key), p.s.Kind)
	}
	if since := forgets(p.folded); !p.s.clock.isOver(p.key, since) {
		now, ok := p.s.clock.look(p.key)
		switch {
		case ok:
		case len(h.Segments)+len(h.Tail) == 0: // without a structure the upstream's time is unknown, so nothing may be forgotten
			now = 0
		default:
			return verbs.Reply{Status: verbs.Exists} // the next try, if there is one, may succeed
		}
		p.folded = p.s.folds.foldAt(1000*now, p.foldedKind, p.log, tokens)
	}
	if large {
		if r := p.reserve(used + p.written(from, size)); r.Status != verbs.Hit {
			return r
		}
	}
	if p.dropped = (Dropped{}); p.s.Prune != nil && !p.unpruned && p.foldedKind == p.s.Kind {
		return p.s.Prune(p.folded, p.s.limits.wasStuck(p.key), &p.dropped)
	}
	return verbs.Reply{Status: verbs.Hit}
}

// written returns the most bytes that writing the log from segment from on takes, if reading it took size
// bytes. For the whole structure that may be much less.
func (p *plan) written(from, size int) int {
	if sized, ok := p.folded.(format.Sized); ok && from == 0 && len(p.after) == 0 {
		return min(sized.LogSize(), size)
	}
	return size
}

// reserve reserves n bytes and returns Hit. If they are not free, it drops what was loaded, and
// returns Exists if a retry will wait for them, or Dropped if no call can have them. A retry that loads the
// structure again keeps the memory for the plan reserved: otherwise it would have to wait for it each time.
func (p *plan) reserve(n int) verbs.Reply {
	switch more := n - p.s.loader.loaded; {
	case !p.s.CanReserve(n):
		p.s.loader.drop()
		return verbs.Reply{Status: verbs.Dropped, Size: n}
	case !p.s.Reserve(n):
		p.s.loader.Spare = max(p.s.loader.Spare, more)
		return verbs.Reply{Status: verbs.Exists}
	}
	return verbs.Reply{Status: verbs.Hit}
}

// fold plans to replace old, the beginning of the head, by the pointers before index
// from and what was read: a new segment, or tokens in the head if they are few and no
// segment precedes or follows them.
func (p *plan) fold(h format.Head, from int, old []byte) (*change, verbs.Reply) {
	ch := &change{old: old, new: h.Prefix(from), replaced: h.Segments[from:], dropped: p.dropped, letter: p.foldedKind.Letter}
	ch.foreign = foreignIn(p.foldedKind, p.folded)
	var log []byte
	switch {
	case from > 0:
		if log = p.folded.AppendNet(&p.s.Pace, nil); p.gainsLittle(log) {
			log, ch.foreign = p.asItIs(), foreign{}
		}
	case len(p.after) > 0:
		log = p.folded.AppendLog(&p.s.Pace, nil)
	default:
		if log = p.foldedKind.LogOf(&p.s.Pace, p.folded); p.staysInHead(log, old) {
			ch.new, ch.closed, ch.empty = log, len(log) > 0, isEmpty(&p.s.Pace, p.foldedKind, p.folded)
			return ch, verbs.Reply{}
		}
	}
	p.lent.End()
	if len(log) == 0 {
		return ch, verbs.Reply{}
	}
	s, r := p.write(log, h.Segments[:from], old)
	if r.Status != verbs.Stored {
		return nil, r
	}
	ch.before, ch.new, ch.written, ch.log = h.Segments[:from], s.AppendPointer(ch.new), []format.Segment{s}, log
	return ch, verbs.Reply{}
}

// staysInHead reports whether the log of the whole structure may be a head by itself, in place of old.
func (p *plan) staysInHead(log, old []byte) bool {
	return len(log) <= p.limit/2 && (len(log) <= len(old) || p.s.Fits(p.s.owner(p.key), p.key, log))
}

// gainsLittle reports whether net, which changes a structure as the log does, is hardly shorter.
func (p *plan) gainsLittle(net []byte) bool {
	return !p.dropped.any() && len(p.log)-len(net) <= len(p.log)/littleGain
}

// asItIs returns the log as it was read, with a space at the end.
func (p *plan) asItIs() []byte {
	if n := len(p.log); n > 0 && !format.Space(p.log[n-1]) {
		p.log = append(p.log, ' ')
	}
	return p.log
}

// write writes a log into the parts of a new segment, which will come after the segments in before.
// Nothing points to the parts yet, so a failure has no effect.
func (p *plan) write(log []byte, before []format.Segment, head []byte) (format.Segment, verbs.Reply) {
	s := format.NewSegment(p.s.env, p.foldedKind.Letter)
	s.Bytes = len(log)
	p.s.Ops = p.s.Ops[:0]
	for rest := log; len(rest) > 0; s.Parts++ {
		key := s.AppendPartKey(nil, p.key, s.Parts)
		n := min(len(rest), p.partSize(key, len(head)))
		p.s.Ops = append(p.s.Ops, verbs.Op{Kind: verbs.Add, Key: key, Of: p.key, Data: rest[:n]})
		rest = rest[n:]
	}
	parts, bytes := format.Extent(before)
	partsAfter, bytesAfter := format.Extent(p.after)
	if bytes += bytesAfter; parts+partsAfter+s.Parts > format.MaxParts || bytes+s.Bytes > format.MaxStructure {
		if !p.inserts {
			p.s.limits.noteStuck(p.key, p.began)
		}
		return s, p.s.limits.NoRoom(p.key, bytes+s.Bytes)
	}
	for rest := p.s.Ops; len(rest) > 0; {
		n := min(len(rest), max(groupBytes/len(rest[0].Data), 1))
		group := rest[:n]
		if rest = rest[n:]; len(rest) == 0 && p.probed != nil {
			group = append(group, verbs.Op{Kind: verbs.Probe, Key: p.key}) // which takes no round trip more
		}
		replies := p.s.AskAll(group)
		for _, r := range replies[:n] {
			if r.Status != verbs.Stored {
				p.s.writer.remove(p.key, []format.Segment{s})
				return s, verbs.Reply{Err: r.Err}
			}
		}
		if len(replies) > n {
			*p.probed = replies[n]
		}
	}
	return s, verbs.Reply{Status: verbs.Stored}
}

// largestPart is the length of the longest part, in bytes.
const largestPart = 512 << 10

// partSize returns how many bytes the part under key may have. While the upstream's size limit is
// unknown, that is the length of the head, which is known to fit.
func (p *plan) partSize(key []byte, head int) int {
	most := head
	if limit := p.s.env.ItemLimit(p.s.owner(p.key), key); limit > 0 {
		most = limit - len(key) - verbs.ItemOverhead
	}
	return min(max(most, verbs.SurelyTaken), largestPart)
}
