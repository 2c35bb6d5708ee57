package tasks

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// claim is a call's try to take a task.
type claim struct {
	put []byte
	n   uint32 // as the n-th attempt
	at  int64  // when the task could be taken, in milliseconds since 1970

	size  int    // of its content, in bytes; 0 if it need not be known
	asked bool   // its token was appended
	id    []byte // set if it was successful
}

// claims are a call's tries to take tasks.
type claims struct {
	list  []claim
	want  int   // how many tasks at most
	until int64 // when the call's hold ends
	nonce [nonceSize]byte
}

// A call chooses the tasks that it tries to take among the oldest ones: spread times as many as it
// wants, but at least leastSpread. The wider the choice, the less often two proxies try to take the
// same task.
const (
	spread      = 4
	leastSpread = 32
)

// choose returns claims of tasks that are due now, more than the call wants: others of the event
// loop may claim some of them.
func (c taskCall) choose(q *Queue, want int, seconds int64) *claims {
	now := c.Env.Now()
	all := &claims{want: want, until: now + 1000*seconds, nonce: newNonce(c.Env)}
	for t := range q.inOrder(q.paceFor(&c.Pace)) {
		if t.at() > now || len(all.list) == max(spread*want, leastSpread) {
			break
		}
		all.list = append(all.list, claim{put: bytes.Clone(t.put(q.log)), n: t.attempts + 1, at: t.at()})
	}
	for i := range all.list { // shuffle
		j := i + c.Random(len(all.list)-i)
		all.list[i], all.list[j] = all.list[j], all.list[i]
	}
	return all
}

// measure finds out how large the contents of claims are if they may be too large for one answer.
// What does not fit must not be taken: to give it back costs an attempt.
func (c taskCall) measure(all *claims) {
	largest := max(c.Env.ItemLimit(c.Key, c.Key), usualLimit)
	if all.want*(largest+lineSize) <= verbs.MaxAnswer {
		return
	}
	var ops []verbs.Op
	for i := range min(len(all.list), all.want) { // seldom any others
		ops = append(ops, c.content(verbs.Probe, all.list[i].put))
	}
	for i, r := range c.AskAll(ops) {
		all.list[i].size = r.Size
	}
}

// usualLimit is the length of the longest content, in bytes, unless memcached is told otherwise.
const usualLimit = 1 << 20

// append appends the tokens that take as many tasks as the call wants and an answer has room for, but
// at least one. It leaves those alone that other calls of the event loop have claimed, whose tokens
// come first.
func (all *claims) append(dst []byte, now int64, claimed map[verbs.ID]bool) []byte {
	left, room := all.want, verbs.MaxAnswer
	for i := range all.list {
		of := &all.list[i]
		fits := of.size+lineSize <= room || left == all.want
		of.asked = left > 0 && fits && !claimed[verbs.ID(of.put)]
		if of.asked {
			dst = appendTake(dst, of.put, of.n, max(now, of.at), all.until, all.nonce[:])
			left--
			room -= of.size + lineSize
		}
	}
	return dst
}

// addPuts adds the puts that tokens change to those that are claimed.
func addPuts(claimed map[verbs.ID]bool, tokens []byte) {
	for token := range structure.Words(tokens) {
		if put := concerns(token); put != nil {
			claimed[verbs.ID(put)] = true
		}
	}
}

// see finds out which claims were successful.
func (all *claims) see(q *Queue) {
	for i := range all.list {
		of := &all.list[i]
		if !of.asked {
			continue
		}
		if t := q.find(of.put); t != nil && t.attempts == of.n && bytes.Equal(t.nonce(q.log), all.nonce[:]) {
			of.id = bytes.Clone(q.id(t))
		}
	}
}

// taken returns the claims that were successful, the oldest first.
func (all *claims) taken() []claim {
	taken := slices.DeleteFunc(all.list, func(of claim) bool { return of.id == nil })
	slices.SortStableFunc(taken, func(a, b claim) int { return int(min(max(a.at-b.at, -1), 1)) })
	return taken
}
