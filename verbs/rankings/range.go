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
	Verb:  protocol.Verb{Name: "zget", Usage: "<key> <member>+", Read: readMembers, List: true},
	Does:  "answers with the score of each member of a ranking, null if it has none",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>", Words: 1},
}, &Kind, func(c *verbs.Call, ranking format.Fold) {
	c.EachWordLookup(c.Words, ranking.Live()+ranking.Dead(), func(member []byte) {
		if score, ok := ranking.(*Ranking).Score(member); ok {
			appendNumber(c, score)
			return
		}
		if len(c.Answer) > 0 {
			c.Answer = append(c.Answer, ' ')
		}
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
var zrank = verbs.Verb{
	Verb:  protocol.Verb{Name: "zrank", Usage: "<key> <member>", Read: readMember},
	Does:  "answers with the place of a member of a ranking, 0 for the lowest score",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>", Words: 1},
	Run:   onRankings(func(c rankingCall) { c.tellRank(false) }),
}

// zrevrank answers with the place of a member, from 0 for the highest score.
var zrevrank = verbs.Verb{
	Verb:  protocol.Verb{Name: "zrevrank", Usage: "<key> <member>", Read: readMember},
	Does:  "answers with the place of a member of a ranking, 0 for the highest score",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<member>", Words: 1},
	Run:   onRankings(func(c rankingCall) { c.tellRank(true) }),
}

func (c rankingCall) tellRank(highest bool) {
	c.TellOfOne(func(fold format.Fold) {
		ranking := fold.(*Ranking)
		member, _ := protocol.NextWord(c.Words)
		if i, ok := ranking.find(member); ok {
			appendNumber(c.Call, int64(ranking.rank(&c.Pace, i, highest)))
		} else {
			c.Answer = append(c.Answer, "NOT_FOUND"...)
		}
	})
}

// zrange answers with members, those with the lowest scores first.
var zrange = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrange", Usage: "<key> <offset> <count> [withscores]", Read: readRange},
	Does:  "answers with members of a ranking after the first <offset>, the lowest scores first; a <count> of -1 is all",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<offset>/<count>[/withscores]", Words: 2, Option: withscores},
}, false)

// zrevrange answers with members, those with the highest scores first.
var zrevrange = ranging(verbs.Verb{
	Verb:  protocol.Verb{Name: "zrevrange", Usage: "<key> <offset> <count> [withscores]", Read: readRange},
	Does:  "answers with members of a ranking after the first <offset>, the highest scores first; a <count> of -1 is all",
	Reads: true, ReadOnly: true, Whole: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>/<offset>/<count>[/withscores]", Words: 2, Option: withscores},
}, true)

// ranging returns v completed as a verb that answers with a range, counted from the highest score
// or from the lowest. If the range is a few members of an end that is kept in order, the answer
// comes from a view, without a coroutine.
func ranging(v verbs.Verb, highest bool) verbs.Verb {
	v.Run = structure.Glancing{
		Kind: &Kind,
		Brief: func(c *verbs.Call, fold format.Fold) bool {
			ranking := fold.(*Ranking)
			from, to, _ := span(c.Words, ranking.live)
			_, ok := ranking.reach(from, to, highest)
			return ok && to-from <= c.Pace.Slice && ranking.roomFor(from, to, highest) <= c.Pace.Freely()
		},
		Answer: func(c *verbs.Call, fold format.Fold) {
			ranking := fold.(*Ranking)
			from, to, scores := span(c.Words, ranking.live)
			if members, _ := ranking.reach(from, to, highest); value(c, ranking, members, scores) {
				c.End()
			}
		},
		Reads: onRankings(func(c rankingCall) { c.tellRange(highest) }),
	}.Run()
	return v
}

// tellRange answers with the requested range. If there is no memory for it, the ranking is read
// again when there is.
func (c rankingCall) tellRange(highest bool) {
	for range verbs.MaxTries {
		s := c.LoadOne(c.Key, structure.Counted)
		if s.Reply.Status == verbs.Missing {
			c.End()
			return
		}
		ranking := c.readRanking(s)
		if ranking == nil {
			return
		}
		c.Item = s.Reply.Item()
		from, to, scores := span(c.Words, ranking.live)
		if c.Spare = ranking.roomFor(from, to, highest); c.Spare > c.Pace.Freely() && !c.ReserveMore(c.Spare) {
			continue
		}
		if value(c.Call, ranking, ranking.places(&c.Pace, from, to, highest), scores) {
			c.End()
			c.AfterRead(c.Compaction(nil, s))
		}
		return
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// span returns the places, among n, that the words of a request ask for, as the first of them and
// the one after the last, and whether the scores are asked for too.
func span(words []byte, n int) (from, to int, scores bool) {
	offset, count, option := rangeOf(words)
	from = int(min(offset, int64(n)))
	to = n
	if count >= 0 {
		to = from + int(min(count, int64(n-from)))
	}
	return from, to, len(option) > 0
}

// longestScore is the length of the longest score, with the space before it.
const longestScore = len(" -9223372036854775808")

// roomFor returns an upper bound of the memory that it takes to answer with some places, in
// bytes.
func (r *Ranking) roomFor(from, to int, highest bool) int {
	room := min(min(r.length, (to-from)*protocol.MaxKey)+(to-from)*(len(" ")+longestScore), verbs.MaxAnswer)
	if _, ok := r.reach(from, to, highest); !ok {
		room += rankedSize*r.live + 4*(to-from)
	}
	return room
}

// value appends the value of some entries to the answer. It returns false if that is too long; then
// it has answered with an error.
func value(c *verbs.Call, ranking *Ranking, entries []uint32, scores bool) bool {
	pace := ranking.paceFor(&c.Pace)
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
	begun := len(c.Answer)
	pace.Each(len(entries), func(from, to int) {
		for _, i := range entries[from:to] {
			if len(c.Answer) > begun {
				c.Answer = append(c.Answer, ' ')
			}
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

// digits returns the length of a number.
func digits(n int64) int {
	var buf [20]byte
	return len(strconv.AppendInt(buf[:0], n, 10))
}
