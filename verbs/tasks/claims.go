package tasks

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// claim is a call's attempt to take a task.
type claim struct {
	put   []byte
	n     uint32 // as the n-th attempt
	at    int64  // when the task could be taken, in milliseconds since 1970
	place int    // among the tasks that were due
	id    []byte // set if it was successful
}

// claims are a call's attempts to take tasks.
type claims struct {
	wanted
	nonce [nonceSize]byte
	sizes map[verbs.ID]int // of contents, in bytes; nil if they need not be known

	list    []claim
	inOrder bool     // the last one is of the oldest task
	nothing bool     // no task was due that it may take
	others  [][]byte // the puts of a few tasks that are not due
}

// newClaims returns claims of no tasks yet.
func (c taskCall) newClaims(w wanted) *claims { return &claims{wanted: w, nonce: newNonce(c.Env)} }

// mustMeasure reports whether the contents of that many tasks may be too large for an answer. Tasks
// that do not fit should not be taken, because taking a task counts as an attempt even if it is given
// back.
func (c taskCall) mustMeasure(want int) bool {
	return want*(max(c.Env.ItemLimit(c.Key, c.Key), usualLimit)+lineSize) > verbs.MaxAnswer
}

// toMeasure returns the puts of the tasks to measure for a call that wants some, the oldest first. It returns more of
// them if other calls may get some.
func (c taskCall) toMeasure(q *Queue, w wanted) (puts []verbs.ID) {
	if c.Contended() {
		w.count *= 2
	}
	now := c.Env.Now()
	for t := range q.inOrder(q.paceFor(&c.Pace)) {
		if t.at() > now || len(puts) == w.count {
			break
		}
		if t.attempts < w.most {
			puts = append(puts, verbs.ID(t.put(q.log)))
		}
	}
	return puts
}

// usualLimit is the length of the longest content with memcached's default settings, in bytes.
const usualLimit = 1 << 20

// measure finds out how large contents are.
func (c taskCall) measure(puts []verbs.ID) (sizes map[verbs.ID]int) {
	ops := make([]verbs.Op, 0, len(puts))
	for i := range puts {
		ops = append(ops, c.content(verbs.Probe, puts[i][:]))
	}
	sizes = map[verbs.ID]int{}
	for i, r := range c.AskAll(ops) {
		sizes[puts[i]] = r.Size
	}
	return sizes
}

// order returns the order that takes as many tasks as the call wants and fit into an answer, but at
// least one if any is due.
func (c taskCall) order(all *claims) *structure.Order {
	return &structure.Order{
		Looks: true,
		Append: func(dst []byte, to *structure.Batch) []byte {
			o := c.offerOf(to)
			all.others = c.sample(o.q)
			return all.append(dst, o)
		},
		Take: func(_ *verbs.Pace, fold format.Fold, _ *format.OrderID, _ int) (int, bool) {
			c.see(all, fold.(*Queue))
			return 0, true
		},
	}
}

// append chooses tasks of an offer, and appends the tokens that take them.
func (all *claims) append(dst []byte, o *offer) []byte {
	all.list = all.list[:0]
	of, room := o.chooser(all.wanted), verbs.MaxAnswer
	for len(all.list) < all.count {
		place, ok := o.choose(&of)
		if !ok {
			break
		}
		t := &o.q.tasks[o.due[place].task]
		put := t.put(o.q.log)
		if all.sizes != nil {
			size, known := all.sizes[verbs.ID(put)]
			if room -= size + lineSize; len(all.list) > 0 && (!known || room < 0) {
				break
			}
		}
		o.claim(&of, place)
		all.list = append(all.list, claim{put: bytes.Clone(put), n: t.attempts + 1, at: t.at(), place: place})
		dst = appendTake(dst, put, t.attempts+1, o.now, o.now+1000*all.seconds, all.nonce[:])
	}
	all.inOrder, all.nothing = o.inOrder, !of.due
	return dst
}

// see finds out which claims were successful.
func (c taskCall) see(all *claims, q *Queue) {
	lost := false
	for i := range all.list {
		of := &all.list[i]
		switch t := q.find(of.put); {
		case t == nil || t.attempts < of.n: // the task was ended, replaced or given back meanwhile
		case t.attempts == of.n && bytes.Equal(t.nonce(q.log), all.nonce[:]):
			of.id = bytes.Clone(q.id(t))
		default:
			lost = true
		}
	}
	if lost {
		c.NoteContended()
	}
	if hint := c.Env.Hints().Of(c.Key); len(all.list) > 0 && hint.InOrder != all.inOrder && c.Contended() {
		hint.InOrder = all.inOrder
		c.Env.Hints().Note(string(c.Key), hint)
	}
}

// taken returns the claims that were successful, the oldest first.
func (all *claims) taken() []claim {
	taken := slices.DeleteFunc(all.list, func(of claim) bool { return of.id == nil })
	slices.SortFunc(taken, func(a, b claim) int { return a.place - b.place })
	return taken
}
