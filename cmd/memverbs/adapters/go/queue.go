package memverbs

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Queue has tasks, each of which is given out until a worker says that it is done.
type Queue structure

// Queue returns the queue with a name.
func (v *Verbs) Queue(name string) Queue { return Queue(v.structure(name)) }

// Put puts a task, to be done after a delay, in place of any with the same id.
func (q Queue) Put(id, data string, delay time.Duration) error {
	_, err := q.verbs.set(data, "taskput", q.name, Word(id), when(delay))
	return err
}

// Add puts a task unless there is one with the same id, and returns whether it did.
func (q Queue) Add(id, data string, delay time.Duration) (bool, error) {
	return q.verbs.add(data, 0, "taskadd", q.name, Word(id), when(delay))
}

// Take takes a task, which nobody else gets while it is held, and returns nil if none is due.
func (q Queue) Take(hold time.Duration) (*Task, error) { return q.take(hold) }

// TakeOf is like Take, but waits for a task, not longer than the client's time-out, and leaves alone those that were taken
// so many times.
func (q Queue) TakeOf(hold time.Duration, attempts int, wait time.Duration) (*Task, error) {
	options := []string{"1", "most", strconv.Itoa(attempts)}
	if ms := wait.Milliseconds(); ms > 0 {
		options = append(options, "wait", strconv.FormatInt(ms, 10))
	}
	return q.take(hold, options...)
}

func (q Queue) take(hold time.Duration, options ...string) (*Task, error) {
	value, err := q.verbs.get(append([]string{"tasktake", q.name, strconv.Itoa(seconds(hold))}, options...)...)
	if err != nil {
		return nil, err
	}
	records, err := Records(value)
	if err != nil || len(records) == 0 {
		return nil, err
	}
	words := records[0].Words
	if len(words) != 4 {
		return nil, fmt.Errorf("a task has the words %q", words)
	}
	id, err := Text(words[0])
	return &Task{ID: id, Data: records[0].Data, queue: q, stamp: words[3]}, err
}

// Drop ends a task, whoever holds it.
func (q Queue) Drop(id string) (bool, error) { return q.verbs.delete("taskdrop", q.name, Word(id)) }

// Len is the number of tasks, with those that are held, are not due, or failed too often.
func (q Queue) Len() (int, error) {
	value, err := q.verbs.get("tasklen", q.name)
	if err != nil || value == nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// Task is a task that this worker holds. Its methods return false if it has become another worker's, or is there no more.
type Task struct {
	ID   string
	Data []byte

	queue Queue
	stamp string
}

// Attempt is how often the task was taken, this time included.
func (t *Task) Attempt() int {
	_, attempt, _ := strings.Cut(t.stamp, ".")
	n, _ := strconv.Atoi(attempt)
	return n
}

// Done ends the task.
func (t *Task) Done() (bool, error) { return t.queue.verbs.delete("taskdone", t.queue.name, t.stamp) }

// Keep holds the task for so long from now, as the work takes longer.
func (t *Task) Keep(hold time.Duration) (bool, error) {
	return t.queue.verbs.touch(seconds(hold), "taskkeep", t.queue.name, t.stamp)
}

// Retry gives the task back, to be taken after a delay.
func (t *Task) Retry(delay time.Duration) (bool, error) {
	return t.queue.verbs.set(when(delay), "taskretry", t.queue.name, t.stamp)
}

// when is the time of a task that is due after a delay.
func when(delay time.Duration) string {
	if delay <= 0 {
		return "0"
	}
	return "+" + strconv.FormatInt(delay.Milliseconds(), 10)
}
