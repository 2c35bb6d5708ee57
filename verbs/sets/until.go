package sets

import (
	"cmp"
	"math"
	"slices"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A member may be added until a time, in seconds since 1970: "~<until>:<member> ". By the clock of who
// reads, it is in the set until then, and its token stays in the log for a while longer, see
// [format.Until]. When the set is brought up to date with the time, no token is touched: how many members
// last until each time is counted, so those of a time that is over are subtracted at once. Whether a
// single member has expired is seen from its token.

// signUntil begins a token with an until. Proxies that do not know it refuse the set.
const signUntil = '~'

// longestUntil is how many digits an until has at most.
const longestUntil = len("1099511627776")

// untils is what a set knows of the members that were added until a time. The zero value is for a set
// without any.
type untils struct {
	tokens int   // with an until, in the log
	now    int64 // the time that the set is of, in milliseconds since 1970
	since  int64 // when a member last expired, or was forgotten; 0 for never

	times  []lasting // those that are not outlived, the soonest first
	last   int       // index of the one that was found last
	beyond int64     // members that last until this time or longer are not in times; 0 if all are
	waning lasting   // those that have expired and are not outlived
}

// lasting is the members that last until a time.
type lasting struct {
	until   int64
	members int
	length  int // of them together, in bytes
}

const lastingSize = 24 // in bytes

// mostTimes is how many times are counted by themselves. If there are more, only the next half is, and
// when that is over, the log has to be folded again. Members that are added for so many seconds have some
// hundred different times.
const mostTimes = 512

func (of *lasting) add(members, length int) {
	of.members += members
	of.length += length
}

// cutUntil moves the beginning of the token to its member. It returns false if the token has no until or
// no member.
func (t *token) cutUntil(log []byte) bool {
	until, from := int64(0), t.from
	for t.from < t.to && log[t.from]-'0' <= 9 {
		if until = 10*until + int64(log[t.from]-'0'); until > format.LatestUntil {
			return false
		}
		t.from++
	}
	if t.from == from || int(t.from-from) > longestUntil || t.from == t.to || log[t.from] != ':' {
		return false
	}
	t.from++
	return t.from < t.to
}

// begin returns the index in log where the token, which has an until, begins.
func (t *token) begin(log []byte) uint32 {
	at := t.from - uint32(len(":"))
	for log[at] != signUntil {
		at--
	}
	return at
}

// until returns the until of the token, which has one.
func (t *token) until(log []byte) (until int64) {
	for at := t.begin(log) + 1; log[at] != ':'; at++ {
		until = 10*until + int64(log[at]-'0')
	}
	return until
}

// hasExpired reports whether the member that the token has added until a time is no member any more.
// It is not inlined so that [Set.lives] is.
//
//go:noinline
func (s *Set) hasExpired(t *token) bool { return s.untils.isExpired(t.until(s.log)) }

func (u *untils) isExpired(until int64) bool  { return format.ExpiredAt(until) <= u.now }
func (u *untils) isOutlived(until int64) bool { return format.OutlivedAt(until) <= u.now }

// countLasting is count for a set with tokens that have an until.
func (s *Set) countLasting(from, to int) {
	for i := from; i < to; i++ {
		s.countOne(&s.tokens[i])
	}
}

// countOne counts the member that the token has added, if it is in the set, or is kept in the log.
func (s *Set) countOne(t *token) {
	length := int(t.to - t.from)
	if t.hash&timed == 0 {
		if t.hash&dead == 0 {
			s.live++
			s.length += length
		}
		return
	}
	u, until := &s.untils, t.until(s.log)
	if u.isOutlived(until) {
		u.since = max(u.since, format.OutlivedAt(until))
		t.hash = t.hash&^timed | dead
		return
	}
	u.note(until, 1, length)
	if u.isExpired(until) {
		u.since = max(u.since, format.ExpiredAt(until))
		u.waning.add(1, length)
		return
	}
	s.live++
	s.length += length
}

// uncount undoes countOne.
func (s *Set) uncount(t *token) {
	length := int(t.to - t.from)
	if t.hash&timed != 0 {
		u, until := &s.untils, t.until(s.log)
		if u.isOutlived(until) {
			return
		}
		u.note(until, -1, -length)
		if u.isExpired(until) {
			u.waning.add(-1, -length)
			return
		}
	}
	if t.hash&dead == 0 {
		s.live--
		s.length -= length
	}
}

// note counts members that last until a time.
func (u *untils) note(until int64, members, length int) {
	if u.beyond != 0 && until >= u.beyond {
		return
	}
	if u.last >= len(u.times) || u.times[u.last].until != until {
		at, found := slices.BinarySearchFunc(u.times, until, func(of lasting, until int64) int { return cmp.Compare(of.until, until) })
		if !found && len(u.times) == mostTimes {
			u.beyond = u.times[mostTimes/2].until
			u.times = u.times[:mostTimes/2]
			u.note(until, members, length)
			return
		}
		if u.last = at; !found {
			u.times = slices.Insert(u.times, at, lasting{until: until})
		}
	}
	u.times[u.last].add(members, length)
}

// advance brings the set up to the time now, in milliseconds since 1970. It returns false if the log has
// to be folded again: if the clock was put back to before something expired, or was forgotten, or if
// members may have expired that are not counted by their time.
func (s *Set) advance(now int64) bool {
	u := &s.untils
	if now < u.since || u.beyond != 0 && now >= format.ExpiredAt(u.beyond) {
		return false
	}
	gone := 0
	for i := range u.times {
		of := &u.times[i]
		if format.ExpiredAt(of.until) > now {
			break
		}
		if !u.isExpired(of.until) {
			s.live -= of.members
			s.length -= of.length
			u.waning.add(of.members, of.length)
			u.since = max(u.since, format.ExpiredAt(of.until))
		}
		if format.OutlivedAt(of.until) <= now {
			u.waning.add(-of.members, -of.length)
			u.since = max(u.since, format.OutlivedAt(of.until))
			gone = i + 1
		}
	}
	if gone > 0 {
		u.times, u.last = slices.Delete(u.times, 0, gone), 0
	}
	u.now = now
	return true
}

// Since implements [format.Timed].
func (s *Set) Since() int64 { return s.untils.since }

// Until implements [format.Timed].
func (s *Set) Until() int64 {
	u, next := &s.untils, int64(math.MaxInt64)
	if u.beyond != 0 {
		next = format.ExpiredAt(u.beyond)
	}
	for i := range u.times {
		until := u.times[i].until
		if !u.isExpired(until) {
			return min(next, format.ExpiredAt(until))
		}
		next = min(next, format.OutlivedAt(until))
	}
	return next
}

// logSize returns the most bytes that members with an until make the log longer, besides that of the
// members of the set.
func (u *untils) logSize() int {
	return u.waning.length + u.waning.members*len("+ ") + u.tokens*(longestUntil+len(":"))
}

// appendLasting is AppendLog for a set with tokens that have an until.
func (s *Set) appendLasting(p *verbs.Pace, dst []byte) []byte {
	dst = verbs.Grow(p, dst, min(s.LogSize(), len(s.log)+1))
	p.Each(len(s.tokens), func(from, to int) {
		for i := range s.tokens[from:to] {
			switch t := &s.tokens[from+i]; {
			case t.hash&dead != 0:
			case t.hash&timed == 0:
				dst = appendToken(dst, '+', t.member(s.log))
			case !s.untils.isOutlived(t.until(s.log)):
				dst = append(append(dst, s.log[t.begin(s.log):t.to]...), ' ')
			}
		}
	})
	return dst
}

// writeLasting is writeSome for a set with tokens that have an until.
func (s *Set) writeLasting(dst []byte, n int, sign byte, first, last int) int {
	for i := first; i < last; i++ {
		t := &s.tokens[i]
		if !s.lives(t) {
			continue
		}
		if sign != 0 {
			dst[n] = sign
			n++
		}
		n += copy(dst[n:], t.member(s.log))
		dst[n] = ' '
		n++
	}
	return n
}

// resets reports whether the net of a log with the token, the first one that removes its member or adds it
// until a time, has to remove that member. It need not if it adds the member until a time.
func (s *Set) resets(t *token) bool {
	switch s.log[t.from-1] {
	case '-':
		return true
	case ':':
		slot := *s.find(t.hash, t.member(s.log))
		last := &s.tokens[slot&s.index-1]
		return last.hash&timed == 0 || s.untils.isOutlived(last.until(s.log))
	}
	return false
}
