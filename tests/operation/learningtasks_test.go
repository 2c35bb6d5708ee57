package operation

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// tasking is what clients have put into queues of tasks, and what has become of it.
type tasking struct {
	mu    sync.Mutex
	put   map[string]bool // whether the put was acknowledged
	taken map[string]int

	number        atomic.Int64
	over, drained atomic.Bool // nothing more is to be put; nothing more is put
	putters       sync.WaitGroup
	workers       sync.WaitGroup
}

const firstTaskQueues = 40

// queues returns how many queues there are by now: there are new ones all the time.
func (w *tasking) queues() int { return firstTaskQueues + int(w.number.Load()/50) }

// patiently asks again for as long as a verb is refused because servers are learned.
func patiently(c *harness.Client, request string) (line string, err error) {
	for {
		c.Send(request)
		if line, err = c.ReadLine(); err != nil || !refusedWhileLearning(line) {
			return line, err
		}
	}
}

// putTasks has a client put tasks into the latest queues until that is over.
func (w *tasking) putTasks(t *testing.T, c *harness.Client) {
	w.putters.Go(func() {
		for !w.over.Load() {
			n := w.number.Add(1)
			id, verb := fmt.Sprint("t", n), []string{"taskput", "taskadd"}[n%2]
			c.Send(fmt.Sprintf("%s tasks%d %s 0 0 %d\r\n%s\r\n", verb, w.queues()-1-int(n%firstTaskQueues), id, len(id), id))
			line, err := c.ReadLine()
			switch {
			case line == "STORED\r\n":
				w.mu.Lock()
				w.put[id] = true
				w.mu.Unlock()
			case err == nil && refusedWhileLearning(line):
			default:
				t.Errorf("%s %s was answered by %q (%v)", verb, id, line, err)
				return
			}
		}
	})
}

// work has a client take tasks and end them, until nothing more is put and it has found all queues empty. Some it keeps first.
func (w *tasking) work(t *testing.T, c *harness.Client) {
	w.workers.Go(func() {
		for n, empty := 0, 0; empty < w.queues(); n++ {
			drained := w.drained.Load()
			queue := fmt.Sprint("tasks", n%w.queues())
			line, err := patiently(c, "tasktake "+queue+" 3600 2\r\n")
			if line == "END\r\n" && drained {
				empty++
				continue
			}
			empty = 0
			var stamps []string
			for err == nil && strings.HasPrefix(line, "VALUE ") {
				words := strings.Fields(line)
				id := c.Line()
				w.mu.Lock()
				w.taken[id]++
				w.mu.Unlock()
				stamps = append(stamps, words[len(words)-1])
				line, err = c.ReadLine()
			}
			if line != "END\r\n" {
				t.Errorf("tasktake was answered by %q (%v)", line, err)
				return
			}
			for i, stamp := range stamps {
				if !w.end(t, c, queue, stamp, n+i) {
					return
				}
			}
		}
	})
}

// end ends a task that was taken. It returns false if that fails.
func (w *tasking) end(t *testing.T, c *harness.Client, queue, stamp string, n int) bool {
	if n%3 == 0 {
		if line, err := patiently(c, "taskkeep "+queue+" "+stamp+" 7200\r\n"); line != "STORED\r\n" {
			t.Errorf("taskkeep was answered by %q (%v)", line, err)
			return false
		}
	}
	line, err := patiently(c, "taskdone "+queue+" "+stamp+"\r\n")
	if line != "DELETED\r\n" {
		t.Errorf("taskdone was answered by %q (%v)", line, err)
		return false
	}
	return true
}

// finish ends the puts, and returns when all tasks are done.
func (w *tasking) finish() {
	w.over.Store(true)
	w.putters.Wait()
	w.drained.Store(true)
	w.workers.Wait()
}

// Processes learn one after another of a third and a fourth server, while clients of all put tasks into queues, take and end them. All
// that was put is taken, once.
func TestTasksWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	l := startLearning(t)
	w := &tasking{put: map[string]bool{}, taken: map[string]int{}}
	defer w.finish()
	l.learn(t, func(m *harness.Memverbs) {
		w.putTasks(t, harness.Dial(t, m.Addr))
		w.work(t, harness.Dial(t, m.Addr))
		w.work(t, harness.Dial(t, m.Addr))
	})
	put := w.number.Load()
	harness.Await(t, "more to be put", func() bool { return w.number.Load() > put+500 })
	w.finish()
	for id := range w.put {
		if w.taken[id] == 0 {
			t.Errorf("%s was never taken", id)
		}
	}
	for id, times := range w.taken {
		if times > 1 {
			t.Errorf("%s was taken %d times", id, times)
		}
	}
	var keys []string
	for i := range w.queues() {
		keys = append(keys, fmt.Sprint("tasks", i))
	}
	l.onlyOnce(t, keys)
	t.Logf("%d were taken", len(w.taken))
}
