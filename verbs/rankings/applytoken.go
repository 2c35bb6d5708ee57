package rankings

import "github.com/memverbs/memverbs/verbs/structure/format"

// some applies the tokens of the log from index from to index to, where all before from were
// applied. A token that does not end before to is left for later.
func (r *Ranking) some(from, to int) {
	for ; from < to; from += ahead {
		end := min(from+ahead, to)
		r.lookAhead(from, end)
		for i := from; i < end; i++ {
			if c := r.log[i]; c <= ' ' && format.Space(c) {
				r.word(i)
			}
		}
	}
}

// word applies the token that ends at index end.
func (r *Ranking) word(end int) {
	word := r.log[r.start:end]
	r.start = end + 1
	if len(word) == 0 || r.bad {
		return
	}
	r.tokens++
	switch {
	case len(word) == 1 && word[0] == letter:
	case format.Foreign(word, letter):
		r.others++
	case len(word) < shortestToken, word[0] != letter, !r.apply(word[1], word[2:], end):
		r.bad = true
	}
}

// apply applies a token that ends at index end of the log, given its sign and the rest of it.
// It returns false if that is no token.
func (r *Ranking) apply(sign byte, text []byte, end int) bool {
	switch sign {
	case signRemove:
		r.change(r.entryOf(text, end), r.forget)
	case signSet, signAdd, signRaise, signLower:
		n, member, ok := cutNumber(text)
		if !ok {
			return false
		}
		r.change(r.entryOf(member, end), func(i uint32) {
			switch sign {
			case signSet:
				r.forget(i)
				r.add(i, n)
			case signAdd:
				r.add(i, n)
			default:
				r.clamp(i, n, kindOf(sign))
			}
		})
	case signExpire:
		increments, member, ok := cutMember(text)
		if !ok || len(increments) == 0 {
			return false
		}
		r.change(r.entryOf(member, end), func(i uint32) { ok = r.addAll(i, increments) })
		return ok
	case signOrder:
		return r.carryOut(text, end)
	case signTold:
		return r.recall(text)
	default:
		return false
	}
	return true
}

// addAll adds increments that expire to entry i. It returns false if these are none.
func (r *Ranking) addAll(i uint32, increments []byte) bool {
	return eachPart(r.pace, increments, func(part []byte) bool {
		n, until, ok := parseIncrement(part)
		if ok {
			r.addUntil(i, n, until)
		}
		return ok
	})
}

// forget makes entry i that of a removed member.
func (r *Ranking) forget(i uint32) {
	e := &r.entries[i]
	r.disown(e)
	e.score, e.last, e.counting, e.kept = 0, 0, 0, 0
	e.hash = e.hash&^flags | forgets
}
