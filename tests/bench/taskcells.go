//go:build linux

package main

import (
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/taskload"
)

// tasks is the loads of queues of timed tasks: memverbs beside a server of queues, beside Valkey,
// and beside clients that keep tasks by themselves.
func tasks(o *options) *part {
	return &part{
		name: "tasks", title: "Tasks", text: tasksText, apart: true,
		table: verbTable, detail: true, drawn: []column{requests, whole}, unit: memverbs,
		cells: []*cell{
			taskCell{name: "task", what: "put, take and end a task, 100 others being due", due: 100, job: taskload.Whole,
				besideQueues: 0.25, besideClients: 3}.cell(o),
			taskCell{name: "task-alone", what: "the same by one worker", workers: 1, due: 100, job: taskload.Whole}.cell(o),
			taskCell{name: "task-none", what: "take a task where none is due", pending: 100, job: taskload.Look}.cell(o),
		},
	}
}

const tasksText = `memverbs beside its rivals, told as in the table of the verbs. All keep one queue, of tasks of 100 B.

- task: putting a task, taking one and ending it counts as one request, in three round trips. The task that is taken is
  seldom the one that was put.
- beanstalkd: put, reserve-with-timeout 0 and delete, without a binlog.
- valkey: the order is in a sorted set, contents are in a hash, and three scripts put, take and end tasks.
- clients: gomemcache. One item lists the tasks. A task is put by set and append; it is taken by get of the list and add of a
  lock for one task after another, until that succeeds; it is ended by delete of the content, gets and cas of the list until
  that succeeds, and delete of the lock.
- The workers are in the process that measures, also those clients, so no processor time of theirs is told; and what
  the workers cost lessens all differences.`

// taskWorkers is how many workers there are in most loads.
const taskWorkers = 16

// taskCell describes a cell of tasks.
type taskCell struct {
	name, what    string
	workers       int // 16 unless set
	due, pending  int // how many tasks there are in the beginning: due, or a day later
	job           taskload.Job
	besideQueues  float64 // bars on requests a second, 0 for none
	besideClients float64
}

func (d taskCell) cell(o *options) *cell {
	if d.workers == 0 {
		d.workers = taskWorkers
	}
	c := &cell{name: d.name, what: d.what, names: []string{memverbs, beanstalkd, valkey, simple}, subject: memverbs, brief: true}
	c.rivals = c.names[1:]
	if d.besideQueues > 0 {
		c.bars = []bar{{beanstalkd, requests, d.besideQueues}, {valkey, requests, d.besideQueues}, {simple, requests, d.besideClients}}
	}
	c.set = func(s *stage) ([]*contestant, error) { return d.set(s) }
	return fewRounds(c)
}

func (d taskCell) set(s *stage) ([]*contestant, error) {
	proxies, err := s.taskProxies(1)
	if err != nil {
		return nil, err
	}
	queues, err := s.beanstalkd()
	if err != nil {
		return nil, err
	}
	sorted, err := s.valkey()
	if err != nil {
		return nil, err
	}
	clients := &contestant{}
	var addrs []string
	for _, store := range proxies[0].stores {
		clients.stores, addrs = append(clients.stores, store.Process), append(addrs, store.Addr)
	}
	clients.open = d.opens(taskload.Simple(addrs...), load.Target{})
	all := []*contestant{contestantOf(proxies...), contestantOf(queues), contestantOf(sorted), clients}
	all[0].open = d.opens(taskload.Verbs, proxies[0].Target)
	all[1].open = d.opens(taskload.Beanstalkd, queues.Target)
	all[2].open = d.opens(taskload.Valkey, sorted.Target)
	return all, nil
}

// opens returns a function that fills a queue and connects the workers.
func (d taskCell) opens(open taskload.Opener, t load.Target) func() (driver, error) {
	return func() (driver, error) {
		if err := d.fill(open, t); err != nil {
			return nil, err
		}
		return taskload.Open(open, t, d.workers, d.job)
	}
}

func (d taskCell) fill(open taskload.Opener, t load.Target) error {
	if d.pending > 0 {
		return taskload.Fill(open, t, d.pending, time.Now().Add(24*time.Hour))
	}
	return taskload.Fill(open, t, d.due, time.Now())
}

// taskProxies starts so many memverbs in front of two memcacheds.
func (s *stage) taskProxies(n int) ([]*server, error) {
	stores, err := s.memcacheds(2, "tcp")
	if err != nil {
		return nil, err
	}
	return s.likeGomemcache(s.options.memverbs, stores, n)
}
