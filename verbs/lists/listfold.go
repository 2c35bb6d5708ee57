package lists

import (
	"math"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Kind is the kind of structure that a [List] is the fold of.
var Kind = format.Kind{Letter: letter, Name: "list", New: func() format.Fold { return &List{} }, Memory: foldMemory, Ends: true, Complete: true}

// Read implements [format.Fold].
func (l *List) Read(p *verbs.Pace, log []byte, now int64) bool {
	l.Trim(max(verbs.KeptScratch, 2*foldMemory(len(log)/verbs.TypicalToken)))
	cut := splitter{log: log, tokens: l.tokens}
	p.EachByte(len(log), cut.some)
	cut.end()
	l.tokens = cut.tokens[:0]
	if cut.bad {
		return false
	}
	l.log, l.tokens, l.foreign, l.letters, l.now = log, cut.tokens, cut.foreign, cut.letters, now
	l.table = verbs.ClearTable(p, l.table, len(l.tokens))
	w := work{left: math.MaxInt, p: p.ForLog(len(log))}
	p.Each(len(l.tokens), func(from, to int) { l.apply(&w, from, to) })
	l.dropRemoved(p)
	return true
}

// Extend implements [format.Fold]. It returns false if the clock was put back, if the table is too
// small for the tokens, or if removing the elements would take too long without a pause.
func (l *List) Extend(log []byte, now int64) bool {
	if now < l.Since() {
		l.Trim(l.Kept())
		return false
	}
	known := len(l.tokens)
	cut := splitter{log: log, tokens: l.tokens, start: len(l.log)}
	cut.some(len(l.log), len(log))
	cut.end()
	if cut.bad || verbs.TableSize(len(cut.tokens)) > len(l.table) {
		l.Trim(l.Kept())
		return false
	}
	l.log, l.tokens, l.now = log, cut.tokens, now
	l.foreign, l.letters = l.foreign+cut.foreign, l.letters+cut.letters
	w := work{left: verbs.SliceTokens}
	if !l.apply(&w, known, len(l.tokens)) {
		l.Trim(l.Kept())
		return false
	}
	l.dropRemoved(nil)
	return true
}

// Since implements [format.Timed].
func (l *List) Since() int64 { return l.removed.Since(l.now) }

// Until implements [format.Timed]. The state never changes by time alone: what orders have removed
// may be remembered for longer than necessary.
func (l *List) Until() int64 { return math.MaxInt64 }

// Expect implements [format.Fold].
func (l *List) Expect(p *verbs.Pace, tokens int) {
	l.Trim(max(verbs.KeptScratch, 2*foldMemory(tokens)))
	l.tokens = verbs.Grow(p, l.tokens, tokens)
	l.right.pushed = verbs.Grow(p, l.right.pushed, tokens)
}

// Trim implements [format.Fold].
func (l *List) Trim(keep int) {
	if l.Kept() > keep {
		*l = List{}
	}
	*l = List{
		tokens: l.tokens[:0], table: l.table[:0], removed: l.removed[:0],
		left: side{pushed: l.left.pushed[:0]}, right: side{pushed: l.right.pushed[:0]},
	}
}

// Kept implements [format.Fold].
func (l *List) Kept() int {
	return cap(l.tokens)*tokenSize + 4*(cap(l.table)+cap(l.left.pushed)+cap(l.right.pushed)) + cap(l.removed)*removedSize
}

// foldMemory returns the most memory, in bytes, that folding so many tokens takes: for a list
// of tokens that append has grown, both sides, the table, and what AppendNet needs.
func foldMemory(tokens int) int {
	return tokens*(tokenSize+2*4) + 4*verbs.TableSize(tokens) + netMemory(tokens)
}

// Dead implements [format.Fold]. What an order has removed is not superfluous as long as
// it is remembered.
func (l *List) Dead() int { return len(l.tokens) + l.foreign + l.letters - l.Live() - l.noted }

// Foreign implements [format.Fold].
func (l *List) Foreign() int { return l.foreign }
