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
	return r.appendEntries(p, dst, func(dst []byte, e *entry) []byte {
		if e.hash&stays != 0 {
			dst = appendToken(dst, signSet, r.base(e), e.member(r.log))
		}
		return dst
	}, nil)
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
		size += len("z< ") + longestID + len(r.told[i].scores)*(len(";")+widestNumber)
	}
	return size
}

// AppendNet implements [format.Fold]. The effect of a member's tokens does not depend on the log
// before, but the result of an order does. So the tokens of members with orders whose results have
// to be remembered are kept as they are, and so are these orders.
func (r *Ranking) AppendNet(p *verbs.Pace, dst []byte) []byte {
	dst = r.growFor(p, dst, len(r.log)+1)
	ordered := r.ordered(p)
	if len(r.told) > 0 {
		dst = r.appendOrdered(p, dst, ordered)
	}
	return r.appendEntries(p, dst, func(dst []byte, e *entry) []byte {
		switch member := e.member(r.log); e.hash & flags {
		case forgets:
			return appendRemoval(dst, member)
		case forgets | stays:
			return appendToken(dst, signSet, r.base(e), member)
		case stays:
			return appendToken(dst, signAdd, r.base(e), member)
		}
		return dst
	}, ordered)
}

// growFor grows dst for tokens of so many bytes. They are no longer than the log, as no sum is longer than its
// addends together.
func (r *Ranking) growFor(p *verbs.Pace, dst []byte, size int) []byte {
	return verbs.Grow(p, dst, min(size, len(r.log)+1))
}

// appendEntries appends the tokens of all entries except some: for each, those that appendStaying
// appends, and then its increments that expire.
func (r *Ranking) appendEntries(p *verbs.Pace, dst []byte, appendStaying func(dst []byte, e *entry) []byte, except map[uint32]bool) []byte {
	var scratch []increment
	appendEntry := func(e *entry) {
		dst = appendStaying(dst, e)
		if e.kept > 0 {
			scratch = r.belonging(scratch, e)
			dst = appendIncrements(dst, scratch, e.member(r.log))
		}
	}
	pauses := p != nil && len(r.log) > p.Freely() // a shorter log may be in the reply buffer
	for i := range r.entries {
		e := &r.entries[i]
		if except[uint32(i)] {
			continue
		}
		if pauses {
			p.Rest(1 + int(e.kept))
		}
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

// base returns the part of a score that never expires.
func (r *Ranking) base(e *entry) int64 {
	base := e.score
	for k := e.last; k != 0; k = r.increments[k-1].next {
		if of := &r.increments[k-1]; !r.expired(of.until) {
			base -= of.n
		}
	}
	return base
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

// appendOrdered appends the tokens of the given entries as they are, and the results of earlier
// orders.
func (r *Ranking) appendOrdered(p *verbs.Pace, dst []byte, entries map[uint32]bool) []byte {
	r.eachToken(p, func(token []byte) {
		if concerns, member := subject(token); concerns == signTold {
			id, _, _ := format.ParseOrderID(token[2:])
			if !r.remembers(&id) {
				return
			}
		} else if !entries[entryIn(*r.slot(hash(member), member))] {
			return
		}
		dst = append(append(dst, token...), ' ')
	})
	return dst
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
