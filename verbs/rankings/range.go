package rankings

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// zget answers with the scores of members.
var zget = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "zget", Usage: "<key> <member>+", Read: verbs.ReadMembers, List: true},
	Does:  "answers with the score of each member of a ranking, null if it has none",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>", Words: 1},
}, &Kind, func(c *verbs.Call, ranking format.Fold) {
	c.EachWordLookup(c.Words, ranking.Live()+ranking.Dead(), func(member []byte) {
		if score, ok := ranking.(*Ranking).Score(member); ok {
			appendNumber(c, score)
			return
		}
		c.Space()
		c.Answer = append(c.Answer, "null"...)
	})
})

// zcard answers with the number of members.
var zcard = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "zcard", Usage: "<key>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of members of a ranking",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>"},
}, &Kind, structure.TellLive)

// zrank answers with the place of a member, from 0 for the lowest score.
var zrank = placing("zrank", "answers with the place of a member of a ranking, 0 for the lowest score", false)

// zrevrank answers with the place of a member, from 0 for the highest score.
var zrevrank = placing("zrevrank", "answers with the place of a member of a ranking, 0 for the highest score", true)

// placing returns a verb that answers with a place, counted from the highest score or from the lowest. If no
// members have to be counted, the answer comes from a view.
func placing(name, does string, highest bool) verbs.Verb {
	return structure.TellsIf(verbs.Verb{
		Verb:  protocol.Verb{Name: name, Usage: "<key> <member>", Read: readMember},
		Does:  does,
		Reads: true, ReadOnly: true,
		Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>", Words: 1},
	}, &Kind, func(c *verbs.Call, fold format.Fold) bool {
		ranking := fold.(*Ranking)
		i, ok := ranking.find(c.Word(0))
		if ok {
			_, ok = ranking.glance(ranking.cutBefore(i))
			return ok
		}
		return true
	}, func(c *verbs.Call, fold format.Fold) { tellPlace(c, fold.(*Ranking), highest) })
}

// tellPlace appends the place of the requested member to the answer.
func tellPlace(c *verbs.Call, r *Ranking, highest bool) {
	if i, ok := r.find(c.Word(0)); ok {
		appendNumber(c, int64(r.rank(&c.Pace, i, highest)))
	} else {
		c.Answer = append(c.Answer, "NOT_FOUND"...)
	}
}

// zrange answers with members, those with the lowest scores first.
var zrange = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrange", Usage: "<key> <offset> <count> [withscores]", Read: readRange},
	Does:  "answers with members of a ranking after the first <offset>, the lowest scores first; a <count> of -1 is all",
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<offset>/<count>[/withscores]", Words: 2, Option: withscores},
}, byPlace, false)

// zrevrange answers with members, those with the highest scores first.
var zrevrange = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrevrange", Usage: "<key> <offset> <count> [withscores]", Read: readRange},
	Does:  "answers with members of a ranking after the first <offset>, the highest scores first; a <count> of -1 is all",
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<offset>/<count>[/withscores]", Words: 2, Option: withscores},
}, byPlace, true)

// stretch is the places that a request asks for, counted from the highest score or from the lowest.
type stretch struct {
	from, to int
	scores   bool // they are asked for too
	absent   bool // the request is about a member that is not there
	unsure   bool // members would have to be counted to tell
	counted  bool // only count is asked for, and no members
	count    int
}

// stretchOf returns the stretch of a call. If briefly is set, it does not count members.
type stretchOf func(c *verbs.Call, r *Ranking, highest, briefly bool) stretch

// byPlace is the stretch of an <offset> and a <count>.
func byPlace(c *verbs.Call, r *Ranking, _, _ bool) (s stretch) {
	offset, count, option := rangeOf(c.Words)
	s.from, s.to = pageIn(offset, count, r.live)
	s.scores = len(option) > 0
	return s
}

// pageIn returns the places from which to which a page goes, among n; a count of -1 is all.
func pageIn(offset, count int64, n int) (from, to int) {
	from = int(min(offset, int64(n)))
	if count < 0 {
		return from, n
	}
	return from, from + int(min(count, int64(n-from)))
}

// ranging returns v completed as a verb that answers with the members of a stretch, see ofStretch.
func ranging(v verbs.Verb, of stretchOf, highest bool) verbs.Verb {
	v.Whole = true
	return ofStretch(v, of, highest)
}

// ofStretch returns v completed as a verb that answers with a stretch, counted from the highest score
// or from the lowest. If that is a few members that are kept in order, the answer comes from a view, without
// a coroutine.
func ofStretch(v verbs.Verb, of stretchOf, highest bool) verbs.Verb {
	v.Reads, v.ReadOnly = true, true
	return structure.Glancing{
		Kind: &Kind,
		Brief: func(c *verbs.Call, fold format.Fold) bool {
			ranking := fold.(*Ranking)
			s := of(c, ranking, highest, true)
			return !s.unsure && ranking.inReach(s.from, s.to, highest) && s.to-s.from <= c.Pace.Slice &&
				ranking.memoryFor(s.from, s.to, highest) <= c.Pace.Freely()
		},
		Answer: func(c *verbs.Call, fold format.Fold) {
			ranking := fold.(*Ranking)
			s := of(c, ranking, highest, true)
			members, _ := ranking.reach(s.from, s.to, highest)
			ranking.tell(c, s, members)
		},
		Reads: onRankings(func(c rankingCall) { c.tellRange(of, highest) }),
	}.Complete(v)
}

// tell answers with a stretch, of these members, and returns false if that is too long.
func (r *Ranking) tell(c *verbs.Call, s stretch, members []uint32) bool {
	switch {
	case s.absent:
		c.Say("NOT_FOUND")
	case s.counted:
		c.Sayf("%d", s.count)
	case value(&c.Pace, c, r, members, s.scores):
		c.End()
	default:
		return false
	}
	return true
}

// tellRange answers with the requested stretch. If there is no memory for it, the ranking is read
// again when there is.
func (c rankingCall) tellRange(of stretchOf, highest bool) {
	for range verbs.MaxTries {
		s := c.LoadOne(c.Key, structure.Counted)
		if s.Reply.Status == verbs.Missing {
			c.tellMissing(of)
			return
		}
		ranking, _ := c.FoldOf(s).(*Ranking)
		if ranking == nil {
			return
		}
		c.Item = s.Reply.Item()
		part := of(c.Call, ranking, highest, true)
		if part.unsure {
			if !c.arrange(ranking) {
				continue
			}
			part = of(c.Call, ranking, highest, false)
		}
		if c.Spare = ranking.memoryFor(part.from, part.to, highest); c.Spare > c.Pace.Freely() && !c.ReserveMore(c.Spare) {
			continue
		}
		if ranking.tell(c.Call, part, ranking.places(&c.Pace, part.from, part.to, highest)) {
			c.AfterRead(c.Compaction(nil, s))
		}
		return
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// tellMissing answers that there is no ranking.
func (c rankingCall) tellMissing(of stretchOf) {
	if s := of(c.Call, &Ranking{}, false, true); s.absent || s.counted {
		c.Say("NOT_FOUND")
	} else {
		c.End()
	}
}

// arrange puts all members in order, if that has been wanted before. It returns false if there was no memory
// for it; then the ranking was dropped.
func (c rankingCall) arrange(ranking *Ranking) bool {
	if c.Spare = ranking.arranging(); c.Spare > c.Pace.Freely() && !c.ReserveMore(c.Spare) {
		return false
	}
	ranking.arrange(&c.Pace)
	views := c.Env.(structure.Env).Views()
	if v := views.Of(c.Key, &Kind); v != nil && v.Fold == format.Fold(ranking) {
		views.Grown(v)
	}
	return true
}

// longestScore is the length of the longest score, with the space before it.
const longestScore = len(" -9223372036854775808")

// memoryFor returns an upper bound of the memory that it takes to answer with some places, in
// bytes.
func (r *Ranking) memoryFor(from, to int, highest bool) int {
	room := min(min(r.length, (to-from)*protocol.MaxKey)+(to-from)*(len(" ")+longestScore), verbs.MaxAnswer)
	if !r.inReach(from, to, highest) {
		room += rankedSize*r.live + 4*(to-from)
	}
	return room
}

// value appends the value of some entries to the answer. It returns false if that is too long; then
// it has answered with an error.
func value(pace *verbs.Pace, c *verbs.Call, ranking *Ranking, entries []uint32, scores bool) bool {
	pace = ranking.paceFor(pace)
	size := 0
	pace.Each(len(entries), func(from, to int) {
		for _, i := range entries[from:to] {
			e := &ranking.entries[i]
			size += int(e.to-e.from) + len(" ")
			if scores {
				size += digits(e.score) + len(" ")
			}
		}
	})
	size = max(size-len(" "), 0)
	if c.TooLong(size) {
		return false
	}
	c.BeginValue(pace, c.Key, size)
	pace.Each(len(entries), func(from, to int) {
		for _, i := range entries[from:to] {
			c.Space()
			e := &ranking.entries[i]
			c.Answer = append(c.Answer, e.member(ranking.log)...)
			if scores {
				c.Answer = strconv.AppendInt(append(c.Answer, ' '), e.score, 10)
			}
		}
	})
	c.Answer = append(c.Answer, "\r\n"...)
	return true
}

// digits returns the length of a number. It multiplies, since dividing takes several times as long.
func digits(n int64) int {
	size, rest := 1, uint64(n)
	if n < 0 {
		size, rest = 2, -rest
	}
	for power := uint64(10); rest >= power; power *= 10 { // 10^19 is greater than any rest
		size++
	}
	return size
}
