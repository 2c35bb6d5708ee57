package rankings

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// These verbs read the ranking, choose members at one of its ends, and append removals of exactly these, only
// if the ranking has not changed. So no two callers get the same member. They give no orders where others
// change the ranking all the time: which members are the lowest depends on when that is asked, so two proxies
// that carry out the same order could remove different ones.

// zpopmin removes the members with the lowest scores and answers with them.
var zpopmin = popping("zpopmin", "removes the members of a ranking with the lowest scores and answers with them and their scores", false)

// zpopmax removes the members with the highest scores and answers with them.
var zpopmax = popping("zpopmax", "removes the members of a ranking with the highest scores and answers with them and their scores", true)

// fewRemoved is how many members a call may remove if it is decided together with others.
const fewRemoved = 16

// decidedTogether is how many members other calls may remove that are decided together with one.
const decidedTogether = 256

// reaches reports whether so many members at an end can be found without looking at all.
func (r *Ranking) reaches(n int, highest bool) bool { return r.inReach(0, min(n, r.live), highest) }

// sorts reports whether members of the view of a large ranking have to be sorted to find those at an end. Then the
// call is decided alone, since the call that decides for several at once may not pause.
func sorts(e *structure.Engine, highest bool) bool {
	v := e.Env.(structure.Env).Views().Of(e.Key, &Kind)
	return v != nil && !structure.Few(e, v.Fold) && !v.Fold.(*Ranking).reaches(decidedTogether, highest)
}

// popping returns a verb that removes members at an end and answers with them.
func popping(name, does string, highest bool) verbs.Verb {
	return verbs.Verb{
		Verb:  protocol.Verb{Name: name, Usage: "<key> [<count>]", Read: readCount},
		Does:  does,
		Reads: true, Ordered: true, Removes: true,
		Carry: &verbs.Carry{By: protocol.Get, Shape: "<ranking>[/count/<count>]", Before: "count", Times: 1},
		Run: structure.Deciding{
			Kind: &Kind,
			Choose: func(e *structure.Engine) func(*verbs.Pace, format.Fold) structure.Choice {
				return func(p *verbs.Pace, fold format.Fold) structure.Choice {
					return rankingCall{e}.pop(p, fold.(*Ranking), highest)
				}
			},
			Brief: func(e *structure.Engine, fold format.Fold) bool {
				return structure.Few(e, fold) || fold.(*Ranking).reaches(e.Wanted()+decidedTogether, highest)
			},
			Alone:  func(e *structure.Engine) bool { return e.Wanted() > fewRemoved || sorts(e, highest) },
			Answer: (*structure.Engine).EndDecided,
		}.Run(),
	}
}

// pop writes an answer with the members that are to be removed, without its END, and chooses the tokens that
// remove them: fewer members than wanted if the answer would be too long.
func (c rankingCall) pop(p *verbs.Pace, ranking *Ranking, highest bool) structure.Choice {
	members := ranking.places(p, 0, min(c.Wanted(), ranking.live), highest)
	size := 0
	for n, i := range members {
		e := &ranking.entries[i]
		if size += int(e.to-e.from) + longestScore + len(" "); size > verbs.MaxAnswer {
			members = members[:n]
			break
		}
	}
	c.Answer = c.Answer[:0]
	value(p, c.Call, ranking, members, true)
	return c.removal(p, ranking, members)
}

// removal chooses the tokens that remove members.
func (c rankingCall) removal(p *verbs.Pace, ranking *Ranking, members []uint32) structure.Choice {
	size, tokens := 0, 0
	p = ranking.paceFor(p)
	p.Each(len(members), func(from, to int) {
		for _, i := range members[from:to] {
			e := &ranking.entries[i]
			size += len("z- ") + int(e.to-e.from)
			tokens += e.tokens()
		}
	})
	c.Buf = verbs.Grow(p, c.Buf[:0], size)
	p.Each(len(members), func(from, to int) {
		for _, i := range members[from:to] {
			c.Buf = appendRemoval(c.Buf, ranking.entries[i].member(ranking.log))
		}
	})
	return structure.Choice{Tokens: c.Buf, Empties: tokens == ranking.written.tokens && ranking.forgetsNothing()}
}

// forgetsNothing reports whether no increments have expired, by a clock that may be wrong, and no orders have to be
// remembered. Otherwise an emptied ranking is left to the next call that reads it, which asks memcached for the time.
func (r *Ranking) forgetsNothing() bool { return r.since == 0 && len(r.told) == 0 }

// ztrim removes all members but the highest, or but the lowest.
var ztrim = verbs.Verb{
	Verb:  protocol.Verb{Name: "ztrim", Usage: "<key> <n> [noreply]", Read: readTrim},
	Does:  "removes all members of a ranking but those with the highest scores, of which it keeps <n>; -100 keeps the hundred with the lowest scores",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<ranking>"},
	Run:   onRankings(rankingCall.ztrim),
}

func (c rankingCall) ztrim() {
	r, many := c.trim(false)
	if many {
		r, _ = c.trim(true)
	}
	c.SayDecided(r)
	c.TidyDecided(r)
}

// trim trims the ranking. If that removes so many members, or takes so long to find them, that it has to be decided
// alone, and is not, it removes none and says so.
func (c rankingCall) trim(alone bool) (r verbs.Reply, many bool) {
	r = c.Decide(alone, func(p *verbs.Pace, fold format.Fold) structure.Choice {
		ranking := fold.(*Ranking)
		highest, n := c.trimmed(ranking.live)
		if many = !alone && (n > fewRemoved || !structure.Few(c.Engine, fold) && !ranking.reaches(n, highest)); many {
			return structure.Choice{}
		}
		return c.removal(p, ranking, ranking.places(p, 0, n, highest))
	}, nil)
	return r, many && r.Status == verbs.Stored
}

// trimmed returns how many of so many members the request removes, and whether they are those with the highest
// scores.
func (c rankingCall) trimmed(members int) (highest bool, n int) {
	keep, _ := protocol.ParseInt(c.Word(0))
	if highest = keep < 0; highest {
		keep = -max(keep, -math.MaxInt64)
	}
	return highest, members - int(min(keep, int64(members)))
}
