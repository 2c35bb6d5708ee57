package rankings

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// These verbs answer with the new scores. If they appended first and then read, two callers might
// see the same sum. So they compute the answer from the scores as they were read, and append the
// tokens only if nothing has changed. If others change the ranking all the time, the increments are
// given as orders (orders.go). If the client wants no reply, they are just appended.

// zincrby adds to scores and answers with the new ones.
var zincrby = answering(verbs.Verb{
	Verb:  protocol.Verb{Name: "zincrby", Usage: "<key> (<n> <member>)+ [noreply]", Read: readPairs},
	Does:  "adds to scores of members of a ranking and answers with the new ones",
	Carry: &verbs.Carry{By: protocol.Incr, Down: true, Shape: "<ranking>/<member>", Words: 1, ValueFirst: true},
}, incrementsOf)

// zincrbyp adds to scores for some time and answers with the new ones.
var zincrbyp = answering(verbs.Verb{
	Verb:  protocol.Verb{Name: "zincrbyp", Usage: "<key> (<n> <member>)+ <seconds> [noreply]", Read: readExpiring},
	Does:  "adds to scores for so many seconds, and answers with the new ones",
	Carry: &verbs.Carry{By: protocol.Incr, Down: true, Shape: "<ranking>/<member>/<seconds>", Words: 2, ValueFirst: true},
}, expiringOf)

// increments are what a call adds to scores.
type increments struct {
	pairs []byte // numbers and members
	until int64  // when they expire, in seconds since 1970; 0 for never
}

func incrementsOf(c *verbs.Call) increments { return increments{pairs: c.Words} }

func expiringOf(c *verbs.Call) increments {
	pairs, word := protocol.CutLastWord(c.Words)
	seconds, _ := protocol.ParseInt(word)
	return increments{pairs, format.Until(c.Noted(), seconds)}
}

// answering returns v completed as a verb that makes increments. of returns the increments of a call.
func answering(v verbs.Verb, of func(*verbs.Call) increments) verbs.Verb {
	blind := structure.Appends(v, &Kind, true, func(c *verbs.Call) []byte {
		c.Buf = of(c).append(c.Buf)
		return c.Buf
	})
	answering := structure.Deciding{
		Kind: &Kind,
		Choose: func(e *structure.Engine) func(*verbs.Pace, format.Fold) structure.Choice {
			all := of(e.Call)
			return func(_ *verbs.Pace, fold format.Fold) structure.Choice {
				return structure.Choice{Tokens: rankingCall{e}.decide(fold.(*Ranking), all)}
			}
		},
		Adds:   func(e *structure.Engine) int { return len(of(e.Call).pairs) },
		Order:  func(e *structure.Engine) *structure.Order { return rankingCall{e}.order(of(e.Call)) },
		Answer: (*structure.Engine).LineDecided,
	}.Run()
	v.Reads, v.Ordered = true, true
	v.Run = func(c *verbs.Call) verbs.Step {
		if c.Quiet {
			return blind.Run(c)
		}
		return answering(c)
	}
	return v
}

// append appends the tokens of the increments to dst.
func (all increments) append(dst []byte) []byte {
	for n, member := range pairs(all.pairs) {
		if all.until == 0 {
			dst = appendToken(dst, signAdd, n, member)
		} else {
			dst = appendMember(appendUntil(append(dst, letter, signExpire), n, all.until), member)
		}
	}
	return dst
}

// appendOrders appends the orders to make the increments to dst.
func (all increments) appendOrders(dst []byte, id *format.OrderID) []byte {
	for n, member := range pairs(all.pairs) {
		dst = appendOrder(dst, id, n, all.until, member)
	}
	return dst
}

// count returns how many there are.
func (all increments) count() int { return protocol.CountWords(all.pairs) / 2 }

// order returns the call as an order.
func (c rankingCall) order(all increments) *structure.Order {
	return &structure.Order{
		Remembered: true,
		Append: func(dst []byte, to *structure.Batch) []byte {
			c.Buf = all.appendOrders(c.Buf[:0], &to.ID)
			return append(dst, c.Buf...)
		},
		Take: func(_ *verbs.Pace, fold format.Fold, id *format.OrderID, from int) (n int, ok bool) {
			n = all.count()
			scores, ok := fold.(*Ranking).scoresOf(id, from, n)
			c.Answer = c.Answer[:0]
			for _, score := range scores {
				appendNumber(c.Call, score)
			}
			return n, ok
		},
	}
}

// decide returns the tokens of the increments and prepares the answer. If the call had to wait for
// long, increments may have expired already.
func (c rankingCall) decide(ranking *Ranking, all increments) []byte {
	c.Answer = c.Answer[:0]
	sum, counts := all.summing(), all.until == 0 || ranking.timeNear(c.Env.Now()) < format.ExpiredAt(all.until)
	for n, member := range pairs(all.pairs) {
		score, _ := ranking.Score(member)
		if counts {
			score += sum(n, member)
		}
		appendNumber(c.Call, score)
	}
	c.Buf = all.append(c.Buf[:0])
	return c.Buf
}

// summing returns a function to be called with each increment in order. It returns the sum of the
// increments of the same member so far.
func (all increments) summing() func(n int64, member []byte) int64 {
	if all.count() == 1 {
		return func(n int64, _ []byte) int64 { return n }
	}
	sums := map[string]int64{}
	return func(n int64, member []byte) int64 {
		n += sums[string(member)]
		sums[string(member)] = n
		return n
	}
}
