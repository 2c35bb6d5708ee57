package tasks

import (
	"bytes"
	"math"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Queue is the fold of a queue's log: the tasks after all tokens in order. It points into the
// log and keeps no copy of it. The zero value is an empty queue, and a Queue can be reused for
// one log after another.
type Queue struct {
	log     []byte
	start   int  // where the next token begins
	tokens  int  // in the log
	foreign int  // those of other kinds
	bad     bool // the log has a word that is no token of any kind

	tasks  []task   // all tasks that the log names; those that it puts are in the order of their puts
	names  []name   // the ids of tasks
	byPut  []uint32 // see index.go
	byName []uint32
	due    []uint32 // heap of the tasks in the queue, see due.go
	length int      // about how many bytes their tokens have at most, see tokenSize

	expected int // tokens, see Expect
}

// task is the state of a put according to the log.
type task struct {
	when, until int64 // when it is due, and until when it is held, in milliseconds since 1970
	attempts    uint32
	hash        uint32 // of its put
	putAt       uint32 // the put is log[putAt:putAt+putSize]
	nonceAt     uint32 // the nonce of the latest attempt likewise, if there is one
	name        uint32 // index of its id; meaningless unless it is in the queue
	place       uint32 // 1 + its index in due, 0 if it is not in the queue
	gone        bool   // the log removes it; false if it is in the queue, or unknown
}

// name is an id that the log says something about.
type name struct {
	from, to uint32 // the id is log[from:to]
	hash     uint32
	task     uint32 // 1 + the index of the task with this id, 0 if there is none
}

const (
	taskSize = 48 // in bytes
	nameSize = 16
)

func (t *task) put(log []byte) []byte   { return log[t.putAt : t.putAt+putSize] }
func (t *task) nonce(log []byte) []byte { return log[t.nonceAt : t.nonceAt+nonceSize] }
func (n *name) id(log []byte) []byte    { return log[n.from:n.to] }

// mostAttempts is how often a task can be taken. Only tokens that somebody else has written reach
// it.
const mostAttempts = math.MaxUint32

// at returns when the task can be taken next.
func (t *task) at() int64 {
	if t.attempts == mostAttempts {
		return latest // the numbers for attempts are used up
	}
	return max(t.when, t.until)
}

// there reports whether the queue has the task now.
func (t *task) there() bool { return t.place > 0 }

// Kind is the kind of structure that a [Queue] is the fold of.
var Kind = format.Kind{
	Letter: letter, Name: "queue",
	New:    func() format.Fold { return &Queue{} },
	Growth: 130, // of the shortest task that has been attempted, beside one that has not
	Room:   foldRoom,
	Needs:  func(bytes int) int { return 2*bytes + foldRoom(bytes/(putOverhead+1)) },
}

// tokenSize returns the greatest length of the token that puts t.
func (q *Queue) tokenSize(t *task) int {
	size := longestPut + int(q.names[t.name].to-q.names[t.name].from)
	if t.attempts > 0 {
		size += attempted
	}
	return size
}

// put puts t, whose id is log[from:to], in place of any task with the same id or name.
func (q *Queue) put(t *task, from, to uint32) {
	id := q.nameOf(from, to)
	if other := q.names[id].task; other > 0 {
		q.drop(other - 1)
	}
	i := q.newTask(t.putAt)
	of := &q.tasks[i]
	of.when, of.until, of.attempts, of.nonceAt, of.name = t.when, t.until, t.attempts, t.nonceAt, id
	q.names[id].task = i + 1
	q.add(i)
}

// take makes attempt n at task i, if it is the next one and the task was due.
func (q *Queue) take(i, n uint32, from, until int64, nonceAt uint32) {
	if t := &q.tasks[i]; t.there() && n == t.attempts+1 && from >= t.at() {
		q.length -= q.tokenSize(t)
		t.attempts, t.until, t.nonceAt = n, until, nonceAt
		q.length += q.tokenSize(t)
		q.moved(i)
	}
}

// putOff makes attempt n at task i prolong its hold until a time, or give the task back until then.
// A hold never becomes shorter: a token that arrives late must not shorten a hold that a later one
// has prolonged.
func (q *Queue) putOff(i, n uint32, holds bool, time int64) {
	t := &q.tasks[i]
	if !t.there() || n != t.attempts {
		return
	}
	if holds {
		t.until = max(t.until, time)
	} else {
		t.when, t.until = time, 0
	}
	q.moved(i)
}

// end makes attempt n end task i.
func (q *Queue) end(i, n uint32) {
	if t := &q.tasks[i]; t.there() && n == t.attempts {
		q.drop(i)
	}
}

// drop removes task i.
func (q *Queue) drop(i uint32) {
	t := &q.tasks[i]
	if t.there() {
		q.names[t.name].task = 0
		q.remove(i)
	}
	t.gone = true
}

// dropID removes the task whose id is log[from:to].
func (q *Queue) dropID(from, to uint32) {
	if other := q.names[q.nameOf(from, to)].task; other > 0 {
		q.drop(other - 1)
	}
}

// Read implements [format.Fold].
func (q *Queue) Read(p *verbs.Pace, log []byte, _ int64) bool {
	tokens := q.expected
	if tokens == 0 { // as the log is short
		tokens = bytes.Count(log, []byte{' '}) + 1
	}
	q.Trim(max(verbs.KeptScratch, 2*foldRoom(len(log)/verbs.TypicalToken)))
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
	q.Trim(max(verbs.KeptScratch, 2*foldRoom(tokens)))
	q.expected = tokens
	if cap(q.tasks) < tokens {
		p.Provide(tokens*taskSize, func() { q.tasks = verbs.Fresh[task](tokens)[:0] })
		p.Provide(tokens*nameSize, func() { q.names = verbs.Fresh[name](tokens)[:0] })
	}
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

// foldRoom returns the most memory, in bytes, that folding so many tokens takes.
func foldRoom(tokens int) int { return tokens*(taskSize+nameSize+4) + 2*4*verbs.TableSize(tokens) }

// Live implements [format.Fold]. It returns the number of tasks.
func (q *Queue) Live() int { return len(q.due) }

// Foreign implements [format.Fold].
func (q *Queue) Foreign() int { return q.foreign }

// Dead implements [format.Fold].
func (q *Queue) Dead() int { return q.tokens - len(q.due) }
