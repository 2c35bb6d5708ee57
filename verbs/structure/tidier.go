package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
)

// Some calls that have appended to a structure tidy up after their answer: they settle a head that
// has become too long, or compact a log of which much is superfluous.

// tidier is the part of an [Engine] that does so.
type tidier struct {
	*call
	limits    *limits
	settler   *settler
	compactor *compactor
	leader    *leader
}

// smallLog is a length, in bytes, below which compacting a log gains little.
const smallLog = 4 << 10

// smallStep is the length, in bytes, below which an append is a small step. memcached copies the whole
// item for each append; for a longer one, that cost is spread over more bytes.
const smallStep = 1 << 10

// Tidy is called after an append to a structure. more is the number of bytes appended,
// 0 if another call tidies up after them; size is the resulting length of the head, 0
// if unknown.
func (t *tidier) Tidy(key []byte, more, size int) {
	if untidy(t.Call, more, size, t.limits.HeadLimit(key)) {
		t.TidyUp(key, size)
	}
}

// TidyDecided is Tidy for a call that has decided with the outcome r, see [Engine.Decide].
func (t *tidier) TidyDecided(r verbs.Reply) {
	if r.Grown > 0 && t.untidyDecided(r) {
		t.TidyUp(t.Key, r.Size)
	}
}

// untidyDecided reports whether TidyDecided has something to do. The call knows what it has decided on, so it reads no log
// in vain.
func (t *tidier) untidyDecided(r verbs.Reply) bool {
	if limit := t.limits.HeadLimit(t.Key); r.Size > limit {
		return settles(r.Size-r.Grown, r.Size, limit)
	}
	w := &t.leader.weight
	return !w.segmented && w.dead > w.live && t.env.Options().Compacts(w.dead) &&
		(t.Random(w.dead) < compactedOften || readsAtRandom(t.Call, r.Grown, r.Size))
}

// compactedOften is about how many calls compact a log, out of as many calls as the log has dead tokens.
// It is small, since each compaction takes a read, and a swap that may fail.
const compactedOften = 12

// untidy reports whether a structure needs tidying up after an append. A head that is
// too long should be settled. A shorter one is considered for compaction at random.
func untidy(c *verbs.Call, more, size, limit int) bool {
	if size > limit {
		return settles(size-more, size, limit)
	}
	return readsAtRandom(c, more, size)
}

// untidyAppended is untidy after a call has appended tokens with the reply r.
func untidyAppended(c *verbs.Call, tokens []byte, r verbs.Reply) bool {
	return untidy(c, r.Grown, r.Size, c.Limit) && (r.Size > c.Limit || mayBeDirty(c, tokens, r.Size))
}

// readsAtRandom reports whether this writer, whose append made a log grow by more to size bytes, should read it, to see
// whether it is worth compacting. The probability is more/size: so a log is read about once each time it doubles, and the
// cost for each byte appended does not depend on the log's length. memcached copies the whole item
// for each append, however little that adds, so a log that grows in small steps is read twice as
// often, for it to stay short.
func readsAtRandom(c *verbs.Call, more, size int) bool {
	if size <= smallLog {
		return c.Random(smallLog) < more
	}
	return c.Random(size) < max(more, min(2*more, smallStep))
}

// mayBeDirty reports whether a log of so many bytes may be worth compacting if its tokens are like these, which were
// appended to it. Elements with data are long, so that a log has few of them. If its other tokens are shorter, their
// writers read it. As tokens differ in length, it may have twice as many.
func mayBeDirty(c *verbs.Call, tokens []byte, size int) bool {
	return c.Env.Options().Compacts(2 * size / len(tokens) * bytes.Count(tokens, space))
}

var space = []byte{' '}

// Untidy reports whether [Engine.TidyUp] should follow an append to a part of the call's structure,
// see [Engine.Tidy]. It does not use the engine.
func Untidy(c *verbs.Call, key []byte, more, size int) bool {
	return untidy(c, more, size, headLimit(c.Env, c.Key, key))
}

// TidyUp tidies up a structure whose head has size bytes: it settles a head that is too
// long and then merges segments, or compacts a shorter one if that is worth it.
func (t *tidier) TidyUp(key []byte, size int) {
	limit := t.limits.HeadLimit(key)
	if size <= limit {
		if !t.leader.loader.looksAfter(key) {
			t.leader.asLeader(func() { t.compactor.compactHead(key) })
		}
		return
	}
	if t.limits.isStuck(key) {
		return
	}
	settled := false
	t.leader.asLeader(func() { settled = t.settler.Settle(key, limit).Status == verbs.Stored })
	if settled {
		t.settler.merge(key)
	}
}

// settles reports whether this writer, whose append made a head grow from before to
// after bytes, should settle it. Few should, since only one can succeed: the writer
// that crosses the limit, then one more for each further sixteenth of it. Beyond twice
// the limit all should, so that all proxies hold back their appends.
func settles(before, after, limit int) bool {
	step := max(limit/16, 1)
	return before <= limit || before/step != after/step || after > 2*limit
}
