package views

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// View is a structure that was read and is kept for later calls, which need not read it again
// while its head is unchanged. Each call checks that with a [verbs.Probe] of the head, by CAS and size. If
// another head may have the same CAS ([verbs.Reply].Indirect), it reads the head and compares all of it.
// Segments never change, so checking the head suffices.
//
// These rules keep views correct. A view has one kind and one epoch, and a head without a CAS has no view. A call uses
// a view only after it has read the head, or has found it unchanged; if the pool's settings allow that, it suffices that
// another call has done so lately (Asked). Before that it brings the view up to date with the time, if its state depends
// on the time ([format.Timed]). A view is never changed while another call uses it. If tokens were appended to the head
// and nothing else has changed, the view is extended; otherwise it is replaced.
type View struct {
	Key  string
	Kind *format.Kind
	Head format.Head // without its tail, which is the end of log
	tail int         // length of the tail in log

	format.Version // of the head

	Asked    int64 // when memcached was last asked for what agreed with the view, if calls that only read may use it for a while after that; else 0
	Standing Standing
	Joined   bool  // the last change that the loop has decided on was that of several calls
	Ends     bool  // the structure is deleted when nothing is left of it, see [format.Kind]
	wrote    wrote // the segment that this process has written last, if it may help

	Log    []byte
	Fold   format.Fold
	users  int   // calls that use it now
	Probed int64 // when all its parts had been probed or read last, by [verbs.Env.Uptime]

	older, newer *View // neighbours in the list of Views
	bytes        int   // its memory as counted by Views
	Gone         bool  // not in Views, or not any more
}

// Standing says how the view has come to be of its head's version, and whether the head has that version still:
//
//	       the loop has appended what it decided on
//	Found ─────────────────────────────────────────▶ Decided
//	  ▲ │                                              │
//	  │ └─────────────▶ Outdated ◀─────────────────────┘
//	  └──reads it, or probes it──┘   the head has changed
type Standing uint8

const (
	Found    Standing = iota // a call has read the head, or probed it
	Decided                  // the last change to the head is one that the loop has decided on
	Outdated                 // the head has changed since
)

// Decidable reports whether a call can decide on the view at the time now, by [verbs.Env.Uptime], without any operation before.
func (v *View) Decidable(now int64) bool {
	return !v.InUse() && !v.Indirect && v.Standing != Outdated && !v.WantsProbe(now) && v.EndsInSpace()
}

// NewView returns a view of a structure of a kind that was read and folded just now.
func NewView(s *Reading, kind *format.Kind, fold format.Fold) *View {
	v := &View{Key: string(s.Key), Kind: kind, Fold: fold, Gone: true}
	v.isOf(s)
	return v
}

// Usable reports whether the view may answer a call, given the probe r of its head, or what was read of it. A view
// that is gone may have been taken by calls that decide, and contain changes that
// are not in memcached yet.
func (v *View) Usable(r *verbs.Reply) bool {
	switch {
	case v.Gone:
		return false
	case r.Indirect:
		more, ok := v.added(r)
		return ok && len(more) == 0
	}
	return v.Matches(r)
}

// added compares the head that r has read with the view. If tokens were appended to the
// head and nothing else has changed, it returns these tokens and true.
func (v *View) added(r *verbs.Reply) (more []byte, ok bool) {
	if r.Status != verbs.Hit || r.CAS == 0 || r.Epoch != v.Epoch || !v.EndsInSpace() {
		return nil, false
	}
	tail, ok := bytes.CutPrefix(r.Data, v.Head.Pointers)
	if !ok {
		return nil, false
	}
	more, ok = bytes.CutPrefix(tail, v.Log[len(v.Log)-v.tail:])
	return more, ok && v.Remains(more)
}

// Remains reports whether the head is of the same kind, and has the same pointers, with more
// appended to it.
func (v *View) Remains(more []byte) bool {
	more = format.TrimSpace(more)
	return v.tail > 0 || len(more) == 0 || more[0] != '@' && format.LetterOf(more) == v.Kind.Letter
}

// EndsInSpace reports whether bytes appended to the log begin a new token.
func (v *View) EndsInSpace() bool { return v.tail == 0 || format.Space(v.Log[len(v.Log)-1]) }

// Extend adds tokens that were appended to the head. It returns false if that is
// impossible; then the view must be dropped.
func (v *View) Extend(more []byte, now int64) bool {
	log := append(v.Log, more...)
	if !v.Fold.Extend(log, now) {
		return false
	}
	v.Log = log
	v.tail += len(more)
	return true
}

// leadsTo reports whether the log of s, which has been read, begins with that of the view and has
// at most most bytes more. The pointers in the head may differ all the same: when a head is settled, its
// tokens usually become a segment unchanged.
func (v *View) leadsTo(s *Reading, most int) bool {
	_, log, more := v.Common(s.Head.Segments)
	same := len(log)
	return len(more) == 0 && v.Epoch == s.Reply.Epoch && v.EndsInSpace() && len(s.Log)-len(v.Log) <= most && bytes.HasPrefix(s.Log[same:], v.Log[same:])
}

// follow turns the view into a view of s, for which leadsTo is true. It returns false if that is
// impossible; then the view must be dropped.
func (v *View) follow(p *verbs.Pace, s *Reading, now int64) bool {
	done := true
	p.InSteps(len(s.Log)-len(v.Log), p.Freely(), func(_, to int) {
		to += len(v.Log)
		if n := bytes.IndexByte(s.Log[to:], ' '); n >= 0 { // a token must not be divided
			to += n + 1
		} else {
			to = len(s.Log)
		}
		done = done && v.Fold.Extend(s.Log[:to], now)
	})
	v.isOf(s)
	return done
}

// isOf sets everything in the view except its fold from s.
func (v *View) isOf(s *Reading) {
	v.Log = s.Log[: len(s.Log) : len(s.Log)+s.Spare]
	v.tail = len(s.Head.Tail)
	v.Probed = s.Probed
	v.Is(&s.Reply)
	v.Head = format.Head{Segments: slices.Clone(s.Head.Segments), Pointers: bytes.Clone(s.Head.Pointers), Letter: s.Head.Letter}
	v.wrote = wrote{}
}

// Is notes that the view agrees with the head that r has read or probed.
func (v *View) Is(r *verbs.Reply) {
	v.Version, v.Standing, v.Ends = format.VersionOf(r), Found, format.Ends(r)
}

// Has reports whether the text of the view's head is that of h. Then the view has the state of that structure, whatever has
// happened meanwhile, as segments never change.
func (v *View) Has(h format.Head) bool {
	return bytes.Equal(v.Head.Pointers, h.Pointers) && bytes.Equal(v.Log[len(v.Log)-v.tail:], h.Tail)
}

// Value returns a copy of the head's value.
func (v *View) Value() []byte { return slices.Concat(v.Head.Pointers, v.Log[len(v.Log)-v.tail:]) }

// InUse reports whether a call uses the view now.
func (v *View) InUse() bool { return v.users > 0 }

// Dirty reports whether a structure of which this is the view should be compacted when it is read.
func (v *View) Dirty(options *verbs.Options) bool {
	return len(v.Head.Segments) == 0 && options.Compacts(v.Fold.Dead())
}

// viewOverhead is about how much memory a view takes besides its log and fold, in bytes.
const viewOverhead = 512

// measure returns the memory that the view takes, in bytes.
func (v *View) measure() int {
	return viewOverhead + 2*len(v.Key) + cap(v.Log) + v.Fold.Kept() + cap(v.wrote.text) + len(v.Head.Pointers) + format.SegmentSize*cap(v.Head.Segments)
}
