package rankings

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// AppendLog implements [format.Fold].
func (r *Ranking) AppendLog(p *verbs.Pace, dst []byte) []byte {
	dst = r.growFor(p, dst, r.LogSize())
	dst = r.appendTold(p, dst)
	return r.appendEntries(p, dst, false, func(dst []byte, e *entry) []byte {
		if e.hash&stays != 0 {
			dst = appendToken(dst, signSet, r.base(e), e.member(r.log))
		}
		return dst
	}, func(uint32) bool { return false })
}

const (
	longestIncrement = len(";@1099511627776") + widestNumber
	longestID        = len(".18446744073709551615.9223372036854775807") + len("0123456789abcdef")
)

// LogSize implements [format.Sized].
func (r *Ranking) LogSize() int {
	w := &r.written
	width := widestNumber // what is left of a score without its increments may be any number
	if len(r.increments) == 0 {
		width = len("-") + len(strconv.FormatUint(w.widest, 10))
	}
	size := w.tokens*(len("z=: ")+width) + w.members + w.increments*longestIncrement
	for i := range r.told {
		size += len("z< ") + longestID + len(r.told[i].Is)*(len(";")+widestNumber)
	}
	return size
}

// AppendNet implements [format.Fold]. The effect of a member's tokens does not depend on the log
// before, but the result of an order does. So the tokens of members with orders whose results have
// to be remembered are kept as they are, and so are these orders. What raises or lowers a score depends on the log
// before, unless this one has set or removed the member: the tokens of such members are kept, too.
func (r *Ranking) AppendNet(p *verbs.Pace, dst []byte) []byte {
	dst = r.growFor(p, dst, len(r.log)+1)
	ordered := r.ordered(p)
	asIs := func(i uint32) bool { return ordered[i] || r.entries[i].hash&(clamps|forgets) == clamps }
	if len(r.told) > 0 || r.clamping {
		dst = r.appendAsIs(p, dst, asIs)
	}
	return r.appendEntries(p, dst, true, func(dst []byte, e *entry) []byte {
		switch member := e.member(r.log); e.hash & (forgets | stays) {
		case forgets:
			return appendRemoval(dst, member)
		case forgets | stays:
			return appendToken(dst, signSet, r.base(e), member)
		case stays:
			return appendToken(dst, signAdd, r.base(e), member)
		}
		return dst
	}, asIs)
}

// growFor grows dst for tokens of so many bytes. They are no longer than the log, as no sum is longer than its
// addends together.
func (r *Ranking) growFor(p *verbs.Pace, dst []byte, size int) []byte {
	return verbs.Grow(p, dst, min(size, len(r.log)+1))
}

// appendEntries appends the tokens of all entries except some: for each, those that appendStaying
// appends, and then its increments that expire; or its history, which forgets what was before if anew is set.
func (r *Ranking) appendEntries(p *verbs.Pace, dst []byte, anew bool, appendStaying func(dst []byte, e *entry) []byte, except func(uint32) bool) []byte {
	var scratch []increment
	appendEntry := func(e *entry) {
		if e.hash&chained != 0 {
			dst = r.appendHistory(dst, e, anew)
			return
		}
		dst = appendStaying(dst, e)
		if e.kept > 0 {
			scratch = r.belonging(scratch, e)
			dst = appendIncrements(dst, scratch, e.member(r.log))
		}
	}
	rests := p.ForLog(len(r.log))
	for i := range r.entries {
		e := &r.entries[i]
		if except(uint32(i)) {
			continue
		}
		rests.Rest(1 + int(e.kept))
		if e.kept > manyIncrements {
			p.Provide(int(e.kept)*incrementSize, func() { appendEntry(e) })
		} else {
			appendEntry(e)
		}
	}
	return dst
}

// manyIncrements is how many increments of a member take about as long as a slice.
const manyIncrements = verbs.SliceTokens

// appendIncrements appends the token of a member's increments that expire.
func appendIncrements(dst []byte, increments []increment, member []byte) []byte {
	dst = append(dst, letter, signExpire)
	for i := range increments {
		if i > 0 {
			dst = append(dst, ';')
		}
		dst = appendUntil(dst, increments[i].n, increments[i].until)
	}
	return appendMember(dst, member)
}

// ordered returns the entries of members with orders whose results have to be remembered.
func (r *Ranking) ordered(p *verbs.Pace) map[uint32]bool {
	if r.orders == 0 || len(r.told) == 0 {
		return nil
	}
	entries := map[uint32]bool{}
	r.eachToken(p, func(token []byte) {
		if token[1] != signOrder {
			return
		}
		if o, _ := parseOrder(token[2:]); r.remembers(&o.id) {
			entries[entryIn(*r.slot(hash(o.member), o.member))] = true
		}
	})
	return entries
}

// appendAsIs appends the tokens of some entries as they are, and the results of orders that have to be remembered.
// Of tokens that raise the score of the same member one after another, or lower it, it appends one.
func (r *Ranking) appendAsIs(p *verbs.Pace, dst []byte, some func(uint32) bool) []byte {
	var last []clampToken // by entries
	if size := 16 * len(r.entries); r.clamping {
		p.Provide(size, func() { last = verbs.Fresh[clampToken](len(r.entries)) })
	}
	flush := func(i uint32) {
		if r.clamping && last[i].sign != 0 {
			dst = appendToken(dst, last[i].sign, last[i].n, r.entries[i].member(r.log))
			last[i].sign = 0
		}
	}
	r.eachToken(p, func(token []byte) {
		sign, member := subject(token)
		if sign == signTold {
			if id, _, _ := format.ParseOrderID(token[2:]); r.remembers(&id) {
				dst = append(append(dst, token...), ' ')
			}
			return
		}
		i := entryIn(*r.slot(hash(member), member))
		switch {
		case !some(i):
		case sign == signRaise, sign == signLower:
			n, _, _ := cutNumber(token[2:])
			if last[i].sign == sign {
				n = clamped(last[i].n, true, n, kindOf(sign))
			} else {
				flush(i)
			}
			last[i] = clampToken{n, sign}
		default:
			flush(i)
			dst = append(append(dst, token...), ' ')
		}
	})
	p.Each(len(last), func(from, to int) {
		for i := from; i < to; i++ {
			flush(uint32(i))
		}
	})
	return dst
}

// clampToken is a token that raises or lowers a score, and is not written yet.
type clampToken struct {
	n    int64
	sign byte // 0 for none
}

// subject returns the sign of a token and the member that it concerns, nil for the results of an
// order.
func subject(token []byte) (sign byte, member []byte) {
	switch sign = token[1]; sign {
	case signTold:
	case signRemove:
		member = token[2:]
	case signOrder:
		o, _ := parseOrder(token[2:])
		member = o.member
	default:
		_, member, _ = cutMember(token[2:])
	}
	return sign, member
}

// eachToken calls do for each token of rankings in the log.
func (r *Ranking) eachToken(p *verbs.Pace, do func(token []byte)) {
	start := 0
	word := func(end int) {
		if word := r.log[start:end]; len(word) >= shortestToken && !format.Foreign(word, letter) {
			do(word)
		}
		start = end + 1
	}
	p.InSteps(len(r.log), p.LookupBytes(), func(from, to int) {
		for at := from; at < to; at++ {
			if c := r.log[at]; c <= ' ' && format.Space(c) {
				word(at)
			}
		}
	})
	word(len(r.log))
}
