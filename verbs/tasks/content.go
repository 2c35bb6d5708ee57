package tasks

import (
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// handOut answers with tasks that were taken, and drops those whose content was evicted. It returns
// false if these are all. It also probes the contents of some others.
func (c taskCall) handOut(taken []claim, others [][]byte) bool {
	c.Answer = c.Answer[:0]
	var lost [][]byte
	for len(taken) > 0 {
		some := taken[:min(len(taken), c.atOnce())]
		replies, gone := c.contents(some, others)
		lost, others = append(lost, gone...), nil
		if replies == nil {
			return c.handOutEach(taken, lost)
		}
		for i := range some {
			if r := &replies[i]; r.Status == verbs.Missing {
				lost = append(lost, some[i].put)
			} else if !c.appendTaken(&some[i], r) {
				return true
			}
		}
		taken = taken[len(some):]
	}
	return c.handedOut(lost)
}

// firstContents is how many contents are fetched at first, if it is not known how long they are.
const firstContents = 8

// atOnce returns how many contents are fetched in one round trip.
func (c taskCall) atOnce() int {
	if size := c.Env.Hints().Of(c.Key).Size; size > 0 {
		return max(structure.BatchBytes/size, 1)
	}
	return firstContents
}

// contents fetches the contents of tasks, and probes those of others. It returns the replies, or
// nil if there is no memory for them in the answer, and the puts of others whose contents are
// missing.
func (c taskCall) contents(of []claim, others [][]byte) (replies []verbs.Reply, missing [][]byte) {
	ops := make([]verbs.Op, 0, len(of)+len(others))
	for i := range of {
		ops = append(ops, c.content(verbs.Fetch, of[i].put))
	}
	for _, put := range others {
		ops = append(ops, c.content(verbs.Probe, put))
	}
	replies = c.AskAll(ops)
	missing = c.missing(others, replies[len(of):])
	replies = replies[:len(of)]
	size := 0
	for i := range replies {
		size += max(len(replies[i].Data), replies[i].Size) + lineSize
	}
	c.weigh(size / len(of))
	if slices.ContainsFunc(replies, verbs.Reply.IsDropped) || len(c.Answer)+size > verbs.MaxAnswer {
		return nil, missing
	}
	replies, _ = c.GrowAnswer(replies, size)
	return replies, missing
}

// weigh notes about how many bytes the contents of the queue's tasks have.
func (c taskCall) weigh(size int) {
	hint := c.Env.Hints().Of(c.Key)
	if size > 2*hint.Size || size <= hint.Size/2 {
		hint.Size = size
		c.Env.Hints().Note(string(c.Key), hint)
	}
}

// handOutEach is handOut for contents that take more memory than is free: it reads them one by one,
// and gives tasks back that do not fit into the answer. lost are puts whose contents were found
// missing before.
func (c taskCall) handOutEach(taken []claim, lost [][]byte) bool {
	for i := range taken {
		r, fits := c.fetch(&taken[i])
		switch {
		case r.Status == verbs.Missing:
			lost = append(lost, taken[i].put)
		case !fits && len(c.Answer) > 0:
			c.giveBack(taken[i:])
			return c.handedOut(lost)
		case !fits:
			c.giveBack(taken)
			c.Say(verbs.TooMuch)
			return true
		case !c.appendTaken(&taken[i], &r):
			return true
		}
	}
	return c.handedOut(lost)
}

// fetch reads the content of a task. It returns false if the answer would be too long.
func (c taskCall) fetch(of *claim) (r verbs.Reply, fits bool) {
	r = c.Ask(c.content(verbs.Fetch, of.put))
	if size := len(c.Answer) + max(len(r.Data), r.Size) + lineSize; size > verbs.MaxAnswer {
		return r, false
	} else if r.Status == verbs.Dropped || !c.ReserveMore(size) {
		c.NeedMemory(size)
		r = c.Ask(c.content(verbs.Fetch, of.put)) // waits for memory first
	}
	return r, true
}

// longestStamp is the length of the longest stamp.
const longestStamp = putSize + len(".4294967295")

// appendTaken appends a task and its content to the answer. It returns false if the content
// could not be read; then it has told the client.
func (c taskCall) appendTaken(of *claim, r *verbs.Reply) bool {
	if r.Status != verbs.Hit {
		c.Fail(*r)
		return false
	}
	c.AppendItem(of.id, r.Flags, r.Data, appendStamp(make([]byte, 0, longestStamp), of.put, of.n))
	return true
}

// handedOut completes the answer and drops tasks whose content is lost. It returns false if
// there is nothing to answer with.
func (c taskCall) handedOut(lost [][]byte) bool {
	answered := len(c.Answer) > 0
	if answered {
		c.End()
	}
	c.lose(lost)
	return answered
}

// giveBack gives back tasks that were taken, so that other workers can take them at once.
func (c taskCall) giveBack(taken []claim) {
	var tokens []byte
	for i := range taken {
		tokens = appendChange(tokens, signRetry, taken[i].put, taken[i].n, taken[i].at)
	}
	c.AppendExisting(tokens)
}
