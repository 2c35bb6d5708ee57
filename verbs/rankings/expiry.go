package rankings

import (
	"cmp"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// An increment that expires counts until a time, by the clock of whoever reads. That time is
// rounded up, see [format.Until], so that the increments of a member expire at few different times, and
// those of the same time are added up.

// latestTimes is how many times at which increments expire are remembered. An increment with one of
// these times is added to the list of the one in an expiryHeap, so that few have to be sorted.
const latestTimes = 256

// addUntil adds n to the score of entry i until a time.
func (r *Ranking) addUntil(i uint32, n, until int64) {
	if r.outlived(until) {
		r.since = max(r.since, format.OutlivedAt(until))
		return
	}
	e := &r.entries[i]
	expired := r.expired(until)
	if expired {
		r.since = max(r.since, format.ExpiredAt(until))
	} else {
		e.score += n
	}
	for k, tries := e.last, addends; k != 0 && tries > 0; tries-- {
		other := &r.increments[k-1]
		if other.until == until {
			other.n += n
			return
		}
		if other.until < always { // what comes before acts before
			break
		}
		k = other.next
	}
	k := r.newIncrement(increment{n: n, until: until, of: i})
	r.link(i, k)
	if !expired && e.hash&chained == 0 {
		e.counting++
	}
	r.await(k, expired)
}

// await enters increment k into the heap of those that will expire or, if it has expired, of those
// that will leave the log.
func (r *Ranking) await(k uint32, expired bool) {
	of := &r.increments[k]
	slot := r.timeSlot(of.until)
	if *slot > 0 {
		if first := &r.increments[*slot-1]; first.until == of.until { // both have expired, or neither has
			of.mate, first.mate = first.mate, k+1
			first.mates++
			return
		}
	}
	*slot = k + 1
	if expired {
		r.leaving.push(r.increments, k)
	} else {
		r.pending.push(r.increments, k)
	}
}

// timeSlot returns the slot in times for a time. Times are multiples of powers of two, so the slot is
// the highest bits of a product (multiplicative hashing; Knuth, "The Art of Computer Programming",
// 6.4).
func (r *Ranking) timeSlot(until int64) *uint32 {
	if len(r.times) == 0 {
		r.times = verbs.ClearTable(nil, r.times, latestTimes)
	}
	return &r.times[uint64(until)*0x9e3779b97f4a7c15>>32%uint64(len(r.times))]
}

// disown detaches the increments of e, which belong to nobody then.
func (r *Ranking) disown(e *entry) {
	for k := e.last; k != 0; {
		of := &r.increments[k-1]
		of.of = nobody
		k = of.next
	}
}

// advance brings the scores up to the time now, in milliseconds. It returns false if the clock was put
// back to before something expired, or if more than most increments have expired or left.
func (r *Ranking) advance(now int64, most int) bool {
	if now < r.Since() {
		return false
	}
	r.now, r.recounted = now, 0
	for r.expired(r.pending.next(r.increments)) {
		k := r.pending.pop(r.increments)
		r.since = max(r.since, format.ExpiredAt(r.increments[k].until))
		if most -= r.eachMate(k, most, r.expire); most < 0 {
			return false
		}
		r.leaving.push(r.increments, k)
	}
	for r.outlived(r.leaving.next(r.increments)) {
		k := r.leaving.pop(r.increments)
		r.since = max(r.since, format.OutlivedAt(r.increments[k].until))
		if most -= r.eachMate(k, most, r.leave); most < 0 {
			return false
		}
	}
	return true
}

// eachMate calls do with increment k and those that expire together with it, and returns how many
// these are, and the parts of histories that do has gone through. It stops when that is more than most.
func (r *Ranking) eachMate(k uint32, most int, do func(uint32) int) int {
	n := 1 + int(r.increments[k].mates)
	for at := k + 1; at > 0 && n <= most; at = r.increments[at-1].mate {
		n += do(at - 1)
	}
	return n
}

// leave makes AppendLog omit increment k, which expired so long ago that it has expired for
// everybody.
func (r *Ranking) leave(k uint32) (parts int) {
	of := r.increments[k].of
	if of == nobody {
		return 0
	}
	e := &r.entries[of]
	r.written.add(e, -1)
	if e.hash&chained != 0 {
		parts = int(e.kept)
		r.retell(of)
	} else {
		e.kept--
	}
	r.written.add(e, 1)
	return parts
}

// expire takes increment k out of the score.
func (r *Ranking) expire(k uint32) (parts int) {
	of := &r.increments[k]
	if of.of == nobody {
		return 0
	}
	e := &r.entries[of.of]
	if e.hash&chained == 0 {
		r.change(of.of, func(uint32) {
			e.score -= of.n
			e.counting--
		})
		return 0
	}
	if r.recounted != of.of+1 {
		r.recounted, parts = of.of+1, int(e.kept)
		r.change(of.of, func(uint32) { e.score = r.recount(e) })
	}
	return parts
}

// belonging returns the increments of an entry that AppendLog writes, the next to expire first;
// those that expire together are added up. buf is scratch.
func (r *Ranking) belonging(buf []increment, e *entry) []increment {
	all := buf[:0]
	for k := e.last; k != 0; k = r.increments[k-1].next {
		if of := &r.increments[k-1]; !r.outlived(of.until) {
			all = append(all, *of)
		}
	}
	slices.SortFunc(all, func(a, b increment) int { return cmp.Compare(a.until, b.until) })
	sums := all[:0]
	for _, of := range all {
		if last := len(sums) - 1; last >= 0 && sums[last].until == of.until {
			sums[last].n += of.n
		} else {
			sums = append(sums, of)
		}
	}
	return sums
}

// Since implements [format.Timed].
func (r *Ranking) Since() int64 { return max(r.since, r.told.Since(r.now)) }

// timeNear returns, of the times at which all scores are what they are now, the one next to now, in milliseconds. The
// ranking's own time may be later, if the clock was put back since and nothing has expired between.
func (r *Ranking) timeNear(now int64) int64 { return min(max(now, r.Since()), r.Until()-1) }
