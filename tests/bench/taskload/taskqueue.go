//go:build linux

package taskload

import (
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Queue is a connection to a server that has a queue of tasks.
type Queue interface {
	// Clear removes all tasks.
	Clear() error
	// Put puts a task with an id, which is due at the time given.
	Put(id string, due time.Time) error
	// Take takes a task that is due; none is the zero Task.
	Take() (Task, error)
	// Done ends a task that was taken.
	Done(Task) error
	// Back gives a task back that was taken, so that it is due at once.
	Back(Task) error
	Close()
}

// Opener opens a connection to a queue.
type Opener func(load.Target) (Queue, error)

// Task is what Done needs to know of a task.
type Task string

const (
	name = "tasks" // of the queue
	hold = 60      // seconds
	size = 100     // of the content, in bytes
)

var content = strings.Repeat("c", size)

// Fill empties a queue and puts so many tasks, which are due at the time given.
func Fill(open Opener, t load.Target, tasks int, due time.Time) error {
	q, err := open(t)
	if err != nil {
		return err
	}
	defer q.Close()
	err = q.Clear()
	for i := 0; i < tasks && err == nil; i++ {
		err = q.Put(number(0, i), due)
	}
	return err
}
