package rankings

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// An increment whose call loses every race against changes by others is given as an order, see
// [structure.Order]:
//
//	z>id.n:m           adds n to the score of m
//	z>id.n@until:m     the same until a time
//
// The new scores are remembered under the id, in order. In a log that was folded, they are
//
//	z<id.s;s;…         the results of the orders with this id

// order is a parsed order.
type order struct {
	id     format.OrderID
	amount []byte // n or n@until
	member []byte
}

// parseOrder parses an order, without its letter and sign.
func parseOrder(text []byte) (o order, ok bool) {
	id, text, ok := format.ParseOrderID(text)
	if !ok || len(text) == 0 || text[0] != '.' {
		return o, false
	}
	o.id = id
	o.amount, o.member, ok = cutMember(text[1:])
	return o, ok
}

// appendOrder appends an order to add n to a member's score, until a time if that is not 0.
func appendOrder(dst []byte, id *format.OrderID, n, until int64, member []byte) []byte {
	dst = append(id.Append(append(dst, letter, signOrder)), '.')
	if until != 0 {
		return appendMember(appendUntil(dst, n, until), member)
	}
	return appendMember(strconv.AppendInt(dst, n, 10), member)
}

// carryOut carries out an order, text, without its letter and sign, which ends at index end of the
// log. It returns false if text is not an order.
func (r *Ranking) carryOut(text []byte, end int) bool {
	o, ok := parseOrder(text)
	if !ok {
		return false
	}
	i := r.entryOf(o.member, end)
	r.change(i, func(i uint32) {
		if bytes.IndexByte(o.amount, '@') < 0 {
			var n int64
			n, ok = protocol.ParseInt(o.amount)
			r.add(i, n)
			return
		}
		var n, until int64
		n, until, ok = parseIncrement(o.amount)
		r.addUntil(i, n, until)
	})
	if !ok {
		return false
	}
	r.orders++
	r.remember(o.id, []int64{r.entries[i].score})
	return true
}

// remember adds scores to the results of the orders with an id, unless nobody waits for them any more.
func (r *Ranking) remember(id format.OrderID, scores []int64) {
	if r.told.Late(&id) {
		return
	}
	if told := r.told.Latest(id); *told == nil {
		*told = scores
	} else {
		*told = append(*told, scores...)
	}
}

// recall parses and remembers a token with the results of orders, given without its letter and
// sign. It returns false if text is not such a token.
func (r *Ranking) recall(text []byte) bool {
	id, text, ok := format.ParseOrderID(text)
	if !ok || len(text) == 0 || text[0] != '.' {
		return false
	}
	text = text[1:]
	scores := verbs.Grow[int64](r.pace, nil, bytes.Count(text, []byte{';'})+1)
	ok = eachPart(r.pace, text, func(part []byte) bool {
		n, ok := protocol.ParseInt(part)
		scores = append(scores, n)
		return ok
	})
	if !ok {
		return false
	}
	r.remember(id, scores)
	return true
}

// remembers reports whether the results of the orders with an id still have to be remembered.
func (r *Ranking) remembers(id *format.OrderID) bool {
	return r.told.Of(id) != nil && !id.Expired(r.now)
}

// scoresOf returns count of the results of the orders with an id, beginning with number from. It
// returns false if these are not remembered.
func (r *Ranking) scoresOf(id *format.OrderID, from, count int) (scores []int64, ok bool) {
	if told := r.told.Of(id); told != nil && from+count <= len(*told) {
		return (*told)[from : from+count], true
	}
	return nil, false
}

// appendTold appends the tokens of the results that still have to be remembered.
func (r *Ranking) appendTold(p *verbs.Pace, dst []byte) []byte {
	for i := range r.told {
		t := &r.told[i]
		if t.ID.Expired(r.now) {
			continue
		}
		dst = t.ID.Append(append(dst, letter, signTold))
		separator := byte('.')
		p.InSteps(len(t.Is), p.LookupBytes(), func(from, to int) {
			for _, score := range t.Is[from:to] {
				dst = strconv.AppendInt(append(dst, separator), score, 10)
				separator = ';'
			}
		})
		dst = append(dst, ' ')
	}
	return dst
}
