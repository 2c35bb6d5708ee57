//go:build linux

package taskload

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Crew is workers that are ready. It is used as a [load.Generator] is.
type Crew struct {
	load.Crew
	job    Job
	queues []Queue
}

// Job is what a worker does as its n-th piece of work. It returns how much that counts.
type Job func(q Queue, worker, n int) (count uint64, err error)

// Open connects so many workers to a target.
func Open(open Opener, t load.Target, workers int, job Job) (*Crew, error) {
	c := &Crew{job: job}
	for range workers {
		q, err := open(t)
		if err != nil {
			c.Close()
			return nil, err
		}
		c.queues = append(c.queues, q)
	}
	return c, nil
}

// Run works from now to the end of the window, and returns what was done within it.
func (c *Crew) Run(w load.Window) (load.Count, error) {
	return c.Work(w, len(c.queues), func(worker, n int) (uint64, error) { return c.job(c.queues[worker], worker, n) })
}

// Close closes the connections.
func (c *Crew) Close() {
	for _, q := range c.queues {
		q.Close()
	}
}

// number returns the id of a worker's n-th task.
func number(worker, n int) string { return fmt.Sprintf("t%03d.%08d", worker, n) }

// Whole puts a task, takes one and ends it, which counts as one.
func Whole(q Queue, worker, n int) (uint64, error) {
	if _, err := Produce(q, worker, n); err != nil {
		return 0, err
	}
	return Consume(q, worker, n)
}

// Produce puts a task.
func Produce(q Queue, worker, n int) (uint64, error) {
	return 1, q.Put(number(1+worker, n), time.Now())
}

// Consume takes a task and ends it. If there is none, that does not count.
func Consume(q Queue, _, _ int) (uint64, error) {
	t, err := q.Take()
	if err != nil || t == "" {
		return 0, err
	}
	return 1, q.Done(t)
}

// Pass takes a task and gives it back. If there is none, that does not count.
func Pass(q Queue, _, _ int) (uint64, error) {
	t, err := q.Take()
	if err != nil || t == "" {
		return 0, err
	}
	return 1, q.Back(t)
}

// Look asks for a task where none is due.
func Look(q Queue, _, _ int) (uint64, error) {
	t, err := q.Take()
	if err == nil && t != "" {
		err = fmt.Errorf("task %s was handed out, but none is due", t)
	}
	return 1, err
}
