package tasks

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

// at returns when the task can be taken next.
func (t *task) at() int64 {
	if t.attempts == mostAttempts {
		return latest // the numbers for attempts are used up
	}
	return max(t.when, t.until)
}

// there reports whether the queue has the task now.
func (t *task) there() bool { return t.place > 0 }

// tokenSize returns the greatest length of the token that puts t.
func (q *Queue) tokenSize(t *task) int {
	size := longestPut + int(q.names[t.name].to-q.names[t.name].from)
	if t.attempts > 0 {
		size += attempted
	}
	return size
}
