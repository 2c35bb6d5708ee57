package rankings

import "slices"

// zmax and zmin append tokens that raise a score to a number, or lower it, as it is at that place of the log.
// What a token does depends on the time: a score of 5 with 10 more until a time, raised to 12, is 15, and from that
// time on 12. No sum and no two bounds say the same. So as long as increments count that a member had before such a
// token, its entry has a history: a chain of all that was said of it since, the latest first, in r.increments. The
// score is computed anew from the history when one of these increments expires. A member without such increments has
// no history: its score is a number again.
//
// A log that does not begin with the structure does not show the score that a token acts on. So its net keeps
// all tokens of such a member, see AppendNet.

// add adds n to the score of entry i, for ever. Sums wrap around, so that the result does not
// depend on the order of additions, on which parts expire, or on folding a log in parts.
func (r *Ranking) add(i uint32, n int64) {
	e := &r.entries[i]
	if e.hash&chained != 0 {
		r.say(i, increment{n: n, until: always, of: i}, nobody)
		return
	}
	e.score += n
	e.hash |= stays
}

// clamp raises or lowers the score of entry i to n.
func (r *Ranking) clamp(i uint32, n, kind int64) {
	r.clamping = true
	r.say(i, increment{n: n, until: kind, of: i}, nobody)
}

// say applies a part of a history, which is no increment, to entry i. It is number k of r.increments, or nobody if it
// is in none yet.
func (r *Ranking) say(i uint32, part increment, k uint32) {
	e := &r.entries[i]
	if part.until == always {
		e.score += part.n
		if e.hash |= stays; e.hash&chained != 0 {
			r.noteAlways(i, part, k)
		}
		return
	}
	exists := e.isMember()
	if e.kept > 0 && e.hash&chained == 0 {
		r.beginHistory(i)
	}
	e.score = clamped(e.score, exists, part.n, part.until)
	if e.hash |= stays | clamps; e.hash&chained == 0 {
		return
	}
	if last := &r.increments[e.last-1]; last.until == part.until {
		last.n = clamped(last.n, true, part.n, part.until)
		return
	}
	r.note(i, part, k)
}

// beginHistory makes a history of the parts of the score of entry i, what never expires first.
func (r *Ranking) beginHistory(i uint32) {
	e := &r.entries[i]
	base := r.base(e)
	r.scratch = r.history(r.scratch, e)
	e.hash |= chained
	e.last, e.kept, e.counting = 0, 0, 0
	if e.hash&stays != 0 {
		r.note(i, increment{n: base, until: always, of: i}, nobody)
	}
	for _, k := range r.scratch {
		r.link(i, k)
	}
}

// note adds a part to the history of entry i, see say.
func (r *Ranking) note(i uint32, part increment, k uint32) {
	if k == nobody {
		k = r.newIncrement(part)
	}
	r.link(i, k)
}

// noteAlways adds to the history of entry i what never expires, together with what was said lately.
func (r *Ranking) noteAlways(i uint32, part increment, k uint32) {
	for at, tries := r.entries[i].last, addends; at != 0 && tries > 0; tries-- {
		other := &r.increments[at-1]
		if other.until == always {
			other.n += part.n
			return
		}
		if other.until < always {
			break
		}
		at = other.next
	}
	r.note(i, part, k)
}

// history returns the indexes of what entry e has in r.increments, without what has expired for everybody, the
// earliest first. buf is scratch.
func (r *Ranking) history(buf []uint32, e *entry) []uint32 {
	all := buf[:0]
	for k := e.last; k != 0; k = r.increments[k-1].next {
		if part := &r.increments[k-1]; part.until < 0 || !r.outlived(part.until) {
			all = append(all, k-1)
		}
	}
	slices.Reverse(all)
	return all
}

// recount returns the score that the history of e comes to now.
func (r *Ranking) recount(e *entry) (score int64) {
	r.scratch = r.history(r.scratch, e)
	exists := false
	for _, k := range r.scratch {
		switch part := &r.increments[k]; {
		case part.until < always:
			score, exists = clamped(score, exists, part.n, part.until), true
		case part.until == always || !r.expired(part.until):
			score, exists = score+part.n, true
		}
	}
	return score
}

// retell shortens the history of entry i after some of it has expired for everybody: to what a fold has that reads the
// tokens of what is left. Without increments that is a number.
func (r *Ranking) retell(i uint32) {
	e := &r.entries[i]
	parts := r.history(nil, e)
	for k := e.last; k != 0; k = r.increments[k-1].next {
		if part := &r.increments[k-1]; part.until >= 0 && r.outlived(part.until) {
			part.of = nobody
		}
	}
	e.score, e.last, e.counting, e.kept = 0, 0, 0, 0
	e.hash &^= stays | chained
	for _, k := range parts {
		part := r.increments[k]
		if part.until < 0 {
			r.say(i, part, k)
			continue
		}
		r.link(i, k)
		switch {
		case r.expired(part.until):
			continue
		case e.hash&chained == 0:
			e.counting++
		}
		e.score += part.n
	}
}

// appendHistory appends the tokens of the history of an entry. If anew is set, they forget what was before.
func (r *Ranking) appendHistory(dst []byte, e *entry, anew bool) []byte {
	member, parts := e.member(r.log), r.history(nil, e)
	if anew && r.increments[parts[0]].until != always {
		dst = appendRemoval(dst, member)
	}
	for n := 0; n < len(parts); n++ {
		part := &r.increments[parts[n]]
		switch {
		case part.until == floor:
			dst = appendToken(dst, signRaise, part.n, member)
		case part.until == roof:
			dst = appendToken(dst, signLower, part.n, member)
		case part.until == always && n == 0: // the score that the increments began with
			dst = appendToken(dst, signSet, part.n, member)
		case part.until == always:
			dst = appendToken(dst, signAdd, part.n, member)
		default:
			dst = appendUntil(append(dst, letter, signExpire), part.n, part.until)
			for n+1 < len(parts) && r.increments[parts[n+1]].until >= 0 {
				n++
				dst = appendUntil(append(dst, ';'), r.increments[parts[n]].n, r.increments[parts[n]].until)
			}
			dst = appendMember(dst, member)
		}
	}
	return dst
}
