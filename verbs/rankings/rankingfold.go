package rankings

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Kind is the kind of structure that a [Ranking] is the fold of.
var Kind = format.Kind{Letter: letter, Name: "ranking", New: func() format.Fold { return &Ranking{} }, Memory: foldMemory, Ends: true, Complete: true}

// Read implements [format.Fold].
func (r *Ranking) Read(p *verbs.Pace, log []byte, now int64) bool {
	tokens := r.expected
	if tokens == 0 { // as the log is short
		tokens = bytes.Count(log, []byte{' '}) + 1
	}
	r.Trim(max(verbs.KeptScratch, 2*foldMemory(len(log)/verbs.TypicalToken)))
	r.log, r.now, r.pace = log, now, p
	r.table = verbs.ClearTable(p, r.table, tokens)
	p.InSteps(len(log), p.LookupBytes(), r.some)
	r.word(len(log))
	r.pace = nil
	if r.bad {
		r.Trim(r.Kept())
		return false
	}
	return true
}

// Extend implements [format.Fold]. It returns false if the clock was put back, or if so many members
// are new, or so many increments have expired, that other clients would have to wait.
func (r *Ranking) Extend(log []byte, now int64) bool {
	more := (len(log) - len(r.log)) / shortestToken
	r.log, r.start, r.moved = log, len(r.log), 0
	done := (len(r.entries) <= verbs.SliceTokens || r.fits(more)) && r.advance(now, verbs.SliceTokens)
	if done {
		r.some(r.start, len(log))
		r.word(len(log))
		done = !r.bad
	}
	if !done {
		r.Trim(r.Kept())
	}
	return done
}

// Until implements [format.Timed].
func (r *Ranking) Until() int64 {
	return min(format.ExpiredAt(r.pending.next(r.increments)), format.OutlivedAt(r.leaving.next(r.increments)))
}

// Expect implements [format.Fold].
func (r *Ranking) Expect(p *verbs.Pace, tokens int) {
	r.Trim(max(verbs.KeptScratch, 2*foldMemory(tokens)))
	r.expected = tokens
	r.entries = verbs.Grow(p, r.entries, tokens)
}

// Trim implements [format.Fold].
func (r *Ranking) Trim(keep int) {
	if r.Kept() > keep {
		*r = Ranking{}
	}
	*r = Ranking{
		entries: r.entries[:0], table: r.table[:0],
		increments: r.increments[:0], pending: r.pending[:0], leaving: r.leaving[:0], times: r.times[:0], scratch: r.scratch[:0],
	}
}

// Kept implements [format.Fold].
func (r *Ranking) Kept() int {
	indexes := cap(r.table) + cap(r.pending) + cap(r.leaving) + cap(r.times) + cap(r.scratch) + cap(r.lowest.members) + cap(r.highest.members)
	kept := cap(r.entries)*entrySize + cap(r.increments)*incrementSize + 4*indexes + r.inOrder.kept()
	for i := range r.told {
		kept += toldSize + 8*cap(r.told[i].Is)
	}
	return kept
}

// foldMemory returns the most memory, in bytes, that folding so many tokens takes. A token can
// be an entry and an increment; further increments in it count as tokens, see
// [format.CountTokens].
func foldMemory(tokens int) int {
	return tokens*(entrySize+incrementSize+2*4) + 4*verbs.TableSize(tokens)
}

// Foreign implements [format.Fold].
func (r *Ranking) Foreign() int { return r.others }

// Dead implements [format.Fold]. Results of orders that have to be remembered are not superfluous.
func (r *Ranking) Dead() int { return r.tokens - r.written.tokens - len(r.told) }
