package rankings

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/memverbs/memverbs/verbs"
)

// An increment that expires counts until a time, by the clock of whoever reads. That time is
// rounded up so that the increments of a member expire at few different times, and those of
// the same time are added up. It is in whole seconds.

// expiry returns until when an increment counts that is made at the time now, in milliseconds, for
// that many seconds: at least for these, and for at most a 64th of them or a second longer.
func expiry(now, seconds int64) int64 {
	bucket := int64(1)
	if parts := seconds / 64; parts > 0 {
		bucket = 1 << (bits.Len64(uint64(parts)) - 1)
	}
	step := 1000 * bucket
	return (now + 1000*seconds + step - 1) / step * bucket
}

// expiredLasts is how long an expired increment stays in a log, in milliseconds: for another
// proxy it may not have expired yet. The clocks of all proxies must agree within this time.
const expiredLasts = 10_000

// latestTimes is how many times at which increments expire are remembered. An increment with one of
// these times is added to the list of the one in an expiryHeap, so that few have to be sorted.
const latestTimes = 256

// addends is how many of a member's last increments are compared with a new one. Usually the
// new one expires together with one of these; if not, they are added up when the log is
// written.
const addends = 8

// expired reports whether the increment does not count any more.
func (r *Ranking) expired(until int64) bool { return expiredAt(until) <= r.now }

// outlived reports whether the increment has expired for everybody.
func (r *Ranking) outlived(until int64) bool { return outlivedAt(until) <= r.now }

// expiredAt returns when an increment does not count any more, and outlivedAt when it has expired for
// everybody, in milliseconds.
func expiredAt(until int64) int64  { return 1000 * until }
func outlivedAt(until int64) int64 { return expiredAt(until) + expiredLasts }

// addUntil adds n to the score of entry i until a time.
func (r *Ranking) addUntil(i uint32, n, until int64) {
	if r.outlived(until) {
		r.since = max(r.since, outlivedAt(until))
		return
	}
	e := &r.entries[i]
	expired := r.expired(until)
	if expired {
		r.since = max(r.since, expiredAt(until))
	} else {
		e.score += n
	}
	for k, tries := e.last, addends; k != 0 && tries > 0; tries-- {
		other := &r.increments[k-1]
		if other.until == until {
			other.n += n
			return
		}
		k = other.next
	}
	k := uint32(len(r.increments))
	if len(r.increments) == cap(r.increments) {
		r.increments = verbs.Grow(r.pace, r.increments, 1+len(r.increments)/4)
	}
	r.increments = append(r.increments, increment{n: n, until: until, of: i, next: e.last})
	e.last = k + 1
	e.kept++
	if !expired {
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
	r.now = now
	for r.expired(r.pending.next(r.increments)) {
		k := r.pending.pop(r.increments)
		r.since = max(r.since, expiredAt(r.increments[k].until))
		if most -= r.eachMate(k, most, r.expire); most < 0 {
			return false
		}
		r.leaving.push(r.increments, k)
	}
	for r.outlived(r.leaving.next(r.increments)) {
		k := r.leaving.pop(r.increments)
		r.since = max(r.since, outlivedAt(r.increments[k].until))
		if most -= r.eachMate(k, most, r.leave); most < 0 {
			return false
		}
	}
	return true
}

// eachMate calls do with increment k and those that expire together with it, and returns how many
// these are. If they are more than most, it does not call do.
func (r *Ranking) eachMate(k uint32, most int, do func(uint32)) int {
	n := 1 + int(r.increments[k].mates)
	if n > most {
		return n
	}
	for at := k + 1; at > 0; at = r.increments[at-1].mate {
		do(at - 1)
	}
	return n
}

// leave makes AppendLog omit increment k, which expired so long ago that it has expired for
// everybody.
func (r *Ranking) leave(k uint32) {
	of := r.increments[k].of
	if of == nobody {
		return
	}
	e := &r.entries[of]
	r.written.add(e, -1)
	e.kept--
	r.written.add(e, 1)
}

// expire takes increment k out of the score.
func (r *Ranking) expire(k uint32) {
	of := &r.increments[k]
	if of.of == nobody {
		return
	}
	r.change(of.of, func(i uint32) {
		r.entries[i].score -= of.n
		r.entries[i].counting--
	})
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
func (r *Ranking) Since() int64 {
	since := r.since
	for i := range r.told {
		since = max(since, r.told[i].id.ForgottenSince(r.now))
	}
	return since
}
