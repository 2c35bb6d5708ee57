package rankings

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These verbs answer with members whose scores are in a range, and with those around a member. In a large
// ranking they find them by binary search once all members are in order, see inorder.go.

// zcount answers with the number of members whose scores are in a range.
var zcount = ofStretch(verbs.Verb{
	Verb:  protocol.Verb{Name: "zcount", Usage: "<key> <min> <max>", Read: readBounds},
	Does:  "answers with the number of members of a ranking whose scores are from <min> to <max>, both included; - and + are no bound",
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<min>/<max>", Words: 2},
}, numberBetween, false)

// zbyscore answers with the members whose scores are in a range, the lowest first.
var zbyscore = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zbyscore", Usage: "<key> <min> <max> [<offset> <count>] [withscores]", Read: readByScore},
	Does:  "answers with the members of a ranking whose scores are from <min> to <max>, both included, - and + for no bound, the lowest first; of these, those of a page",
	Carry: &verbs.Carry{By: protocol.Get, Shape: shapeByScore, Words: 2, Before: "page", Times: 2, Option: withscores},
}, byScore, false)

// zrevbyscore answers with the members whose scores are in a range, the highest first.
var zrevbyscore = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrevbyscore", Usage: "<key> <max> <min> [<offset> <count>] [withscores]", Read: readByScore},
	Does:  "answers with the members of a ranking whose scores are from <max> down to <min>, both included, + and - for no bound, the highest first; of these, those of a page",
	Carry: &verbs.Carry{By: protocol.Get, Shape: shapeByRevScore, Words: 2, Before: "page", Times: 2, Option: withscores},
}, byScore, true)

const (
	shapeByScore    = "<ranking>/<min>/<max>[/page/<offset>/<count>][/withscores]"
	shapeByRevScore = "<ranking>/<max>/<min>[/page/<offset>/<count>][/withscores]"
)

// zaround answers with a member and those next to it, the lowest first.
var zaround = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zaround", Usage: "<key> <member> <n> [withscores]", Read: readAround},
	Does:  "answers with the <n> members before a member of a ranking, the member, and the <n> after it, the lowest scores first",
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>/<n>[/withscores]", Words: 2, Option: withscores},
}, around, false)

// zrevaround answers with a member and those next to it, the highest first.
var zrevaround = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrevaround", Usage: "<key> <member> <n> [withscores]", Read: readAround},
	Does:  "answers with the <n> members before a member of a ranking, the member, and the <n> after it, the highest scores first",
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>/<n>[/withscores]", Words: 2, Option: withscores},
}, around, true)

// length returns the number of places.
func (s *stretch) length() int { return s.to - s.from }

// numberBetween is the stretch of bounds, of which only the length is asked for.
func numberBetween(c *verbs.Call, r *Ranking, _, briefly bool) stretch {
	min, max, _, _ := boundsOf(c.Words)
	s := r.between(&c.Pace, min, max, briefly)
	return stretch{counted: true, count: s.length(), unsure: s.unsure}
}

// between returns the places of the members whose scores are from min to max, counted from the lowest. If briefly is set, it
// does not count members.
func (r *Ranking) between(p *verbs.Pace, min, max int64, briefly bool) (s stretch) {
	if min > max {
		return s
	}
	from, sure := r.before(p, cut{score: min}, briefly)
	to, surely := r.before(p, cut{score: max, after: true}, briefly)
	return stretch{from: from, to: to, unsure: !sure || !surely}
}

// byScore is the stretch of bounds, an <offset> and a <count>.
func byScore(c *verbs.Call, r *Ranking, highest, briefly bool) stretch {
	min, max, rest, _ := boundsOf(c.Words)
	if highest {
		min, max = max, min
	}
	s := r.between(&c.Pace, min, max, briefly)
	if highest {
		s.from, s.to = r.live-s.to, r.live-s.from
	}
	offset, count, option := pageOf(rest)
	from, to := pageIn(offset, count, s.length())
	s.from, s.to = s.from+from, s.from+to
	s.scores = len(option) > 0
	return s
}

// around is the stretch around a member.
func around(c *verbs.Call, r *Ranking, highest, briefly bool) (s stretch) {
	i, ok := r.find(c.Word(0))
	if !ok {
		s.absent = true
		return s
	}
	place, sure := r.before(&c.Pace, r.cutBefore(i), briefly)
	s.unsure = !sure
	if highest {
		place = r.live - 1 - place
	}
	n, _ := protocol.ParseInt(c.Word(1))
	s.from = place - int(min(n, int64(place)))
	s.to = place + 1 + int(min(n, int64(r.live-1-place)))
	s.scores = len(c.Word(2)) > 0
	return s
}
