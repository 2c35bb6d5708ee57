package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Kind is the kind of structure that a [Queue] is the fold of.
var Kind = format.Kind{
	Letter: letter, Name: "queue",
	New:    func() format.Fold { return &Queue{} },
	Growth: 130, // of the shortest task that has been attempted, beside one that has not
	Memory: foldMemory,
	Needs:  func(bytes int) int { return 2*bytes + foldMemory(bytes/(putOverhead+1)) },
}

// Read implements [format.Fold].
func (q *Queue) Read(p *verbs.Pace, log []byte, _ int64) bool {
	tokens := q.expected
	if tokens == 0 { // as the log is short
		tokens = bytes.Count(log, []byte{' '}) + 1
	}
	q.Trim(max(verbs.KeptScratch, 2*foldMemory(len(log)/verbs.TypicalToken)))
	q.log = log
	q.byPut = verbs.ClearTable(p, q.byPut, tokens)
	q.byName = verbs.ClearTable(p, q.byName, tokens)
	p.InSteps(len(log), p.LookupBytes(), q.some)
	q.word(len(log))
	if q.bad {
		q.Trim(q.Kept())
		return false
	}
	return true
}

// Extend implements [format.Fold]. It returns false if so many tasks are new that other clients
// would have to wait.
func (q *Queue) Extend(log []byte, _ int64) bool {
	more := (len(log) - len(q.log)) / shortestToken
	q.log, q.start = log, len(q.log)
	if len(q.tasks)+len(q.names) > verbs.SliceTokens && !q.fits(more) {
		q.Trim(q.Kept())
		return false
	}
	q.some(q.start, len(log))
	if q.word(len(log)); q.bad {
		q.Trim(q.Kept())
		return false
	}
	return true
}

// Expect implements [format.Fold].
func (q *Queue) Expect(p *verbs.Pace, tokens int) {
	q.Trim(max(verbs.KeptScratch, 2*foldMemory(tokens)))
	q.expected = tokens
	q.tasks = verbs.Grow(p, q.tasks, tokens)
	q.names = verbs.Grow(p, q.names, tokens)
}

// Trim implements [format.Fold].
func (q *Queue) Trim(keep int) {
	if q.Kept() > keep {
		*q = Queue{}
	}
	*q = Queue{tasks: q.tasks[:0], names: q.names[:0], byPut: q.byPut[:0], byName: q.byName[:0], due: q.due[:0]}
}

// Kept implements [format.Fold].
func (q *Queue) Kept() int {
	return cap(q.tasks)*taskSize + cap(q.names)*nameSize + 4*(cap(q.byPut)+cap(q.byName)+cap(q.due))
}

// foldMemory returns the most memory, in bytes, that folding so many tokens takes.
func foldMemory(tokens int) int { return tokens*(taskSize+nameSize+4) + 2*4*verbs.TableSize(tokens) }

// Live implements [format.Fold]. It returns the number of tasks.
func (q *Queue) Live() int { return len(q.due) }

// Foreign implements [format.Fold].
func (q *Queue) Foreign() int { return q.foreign }

// Dead implements [format.Fold].
func (q *Queue) Dead() int { return q.tokens - len(q.due) }
