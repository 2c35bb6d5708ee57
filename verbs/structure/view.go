package structure

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// view is a structure as it was read, kept for later calls: so long as its head has not
// changed, they need not read it again. Whether it has is found out with a [verbs.Probe], each
// time, by the CAS and the size.
//
// It is right because of these rules. A view is of one kind and of one epoch, and there
// is none of what has no CAS. It is used only after its head was found unchanged by the
// same call, or was read by it. It is never changed while a call works on it that may
// pause. When tokens were appended to the head, and nothing else has changed, the view
// is extended; in all other cases it is made anew.
type view struct {
	key  string
	kind *Kind
	head head // without the tail, which is the end of log
	tail int  // the length of that

	epoch uint32
	cas   uint64
	size  int // of the head

	log    []byte
	fold   Fold
	users  int   // calls that work on it
	probed int64 // when the parts of its segments were last seen, in milliseconds

	older, newer *view // see Views
	bytes        int   // as counted there
	gone         bool  // from there
}

// newView returns a view of a structure of a kind that was just read, at a time.
func newView(s *Loaded, kind *Kind, now int64) *view {
	v := &view{key: string(s.Key), kind: kind, tail: len(s.head.tail), fold: s.Fold, probed: now, gone: true}
	v.log = s.log[:len(s.log):len(s.log)] // so that it is copied before it gets longer
	v.is(&s.Reply)
	v.head = head{segments: slices.Clone(s.head.segments), pointers: bytes.Clone(s.head.pointers), letter: s.head.letter}
	return v
}

// holds reports whether r, a reply to a probe of the head, says that it is still what
// the view was read from.
func (v *view) holds(r *verbs.Reply) bool {
	return r.Status == verbs.Hit && r.CAS == v.cas && r.Size == v.size && r.Epoch == v.epoch
}

// usable reports whether r, a reply to a probe of the head, says that the view is true. One
// that is gone may have been taken by calls that decide, and be ahead of what is true.
func (v *view) usable(r *verbs.Reply) bool { return !v.gone && v.holds(r) }

// added returns the tokens that were appended to the head since the view was read, and
// true, if nothing else has happened to it, as r says, which read the head.
func (v *view) added(r *verbs.Reply) (more []byte, ok bool) {
	if r.CAS == 0 || r.Epoch != v.epoch || !v.endsInSpace() {
		return nil, false
	}
	tail, ok := bytes.CutPrefix(r.Data, v.head.pointers)
	if !ok {
		return nil, false
	}
	more, ok = bytes.CutPrefix(tail, v.log[len(v.log)-v.tail:])
	if more := trimSpace(more); v.tail == 0 && len(more) > 0 && (more[0] == '@' || letterOf(more) != v.kind.Letter) {
		return nil, false // more pointers, or a structure of another kind
	}
	return more, ok
}

// endsInSpace reports whether what follows the log is a token of its own.
func (v *view) endsInSpace() bool { return v.tail == 0 || Space(v.log[len(v.log)-1]) }

// extend adds tokens that were appended to the head. It returns false if that can't be
// done; then the view is of no use any more.
func (v *view) extend(more []byte, now int64) bool {
	log := append(v.log, more...)
	if !v.fold.Extend(log, now) {
		return false
	}
	v.log = log
	v.tail += len(more)
	return true
}

// is notes what the head was found to be.
func (v *view) is(r *verbs.Reply) { v.cas, v.size, v.epoch = r.CAS, r.Size, r.Epoch }

// common returns how many of the first segments are those of the view too, and how many
// bytes of its log they are.
func (v *view) common(segments []segment) (n, bytes int) {
	for n < len(segments) && n < len(v.head.segments) && segments[n] == v.head.segments[n] {
		bytes += segments[n].bytes
		n++
	}
	return n, bytes
}

// viewOf returns the view of the structure under key, if there is one.
func (c *Engine) viewOf(key []byte) *view {
	v := c.env.Views().find(key)
	if v == nil || v.kind != c.Kind {
		return nil
	}
	return v
}

// lend has the call use the view until it ends or reads something else.
func (c *Engine) lend(v *view) {
	v.users++
	c.lent = append(c.lent, v)
}

// GiveBack ends the use of views.
func (c *Engine) GiveBack() {
	for _, v := range c.lent {
		v.users--
	}
	clear(c.lent)
	c.lent = c.lent[:0]
}

// worthKeeping reports whether a view of what was loaded is to be kept.
func (c *Engine) worthKeeping(s *Loaded) bool {
	return s.Reply.CAS != 0 && c.env.Views().worthKeeping(s.Key, len(s.log))
}

// readToKeep folds the log of s, and keeps what it comes to as a view, if there is room.
func (c *Engine) readToKeep(s *Loaded) {
	if !s.Reply.Copied {
		s.keep(nil)
	}
	fold := c.Kind.New() // which takes no more memory than it needs
	tokens := c.countExactly(s.log)
	if s.tokens > 0 { // if they were not counted, replies are not copied, and would not outlive a pause
		c.Pace.Rest(tokens)
	}
	fold.Expect(&c.Pace, tokens)
	if !fold.Read(&c.Pace, s.log, c.env.Now()) {
		return
	}
	s.Fold = fold
	v := newView(s, c.Kind, c.env.Now())
	if !c.env.Views().keep(v) {
		return
	}
	s.base = nil
	if s == &c.List[0] { // the log may be in the call's own buffers
		c.first, c.log = nil, nil
	}
	s.view = v
	c.lend(v)
}

// partsLast is how long the parts of a structure last at least that are not read, in
// milliseconds. What is read from a view keeps memcached's hands off the head, but the
// parts would become the oldest items there are, and the first to be evicted.
const partsLast = 60_000

// wantsProbe reports whether the parts were not probed lately.
func (v *view) wantsProbe(now int64) bool {
	return len(v.head.segments) > 0 && now-v.probed >= partsLast
}

// unprobed returns the views that the call has used whose parts were not probed lately.
func (c *Engine) unprobed() (views []*view) {
	now := c.env.Now()
	for _, v := range c.lent {
		if v.wantsProbe(now) && !v.gone {
			v.probed = now
			views = append(views, v)
		}
	}
	return views
}

// probeAll probes the parts of structures, as views have them.
func (c *Engine) probeAll(views []*view) {
	for _, v := range views {
		c.probeParts(v)
	}
}

// probeParts reads the parts of a structure, as view has it. If one is missing, the
// structure is gone, see [Engine.Load].
func (c *Engine) probeParts(v *view) {
	v.probed = c.env.Now()
	key := []byte(v.key)
	cas, epoch := v.cas, v.epoch
	ops := appendOps(nil, verbs.Probe, key, v.head.segments)
	for len(ops) > 0 {
		some := ops[:min(len(ops), GroupParts)]
		ops = ops[len(some):]
		if !slices.ContainsFunc(c.AskAll(some), func(r verbs.Reply) bool { return r.Status == verbs.Missing }) {
			continue
		}
		c.env.Views().drop(v)
		if c.Ask(verbs.Op{Kind: verbs.DeleteIf, Key: key, CAS: cas, Epoch: epoch}).Status == verbs.Stored {
			c.env.NoteLost(key)
		}
		return
	}
}
