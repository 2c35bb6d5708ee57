package verbs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Many workers of two proxies take tasks while others put them: each is handed out once, and
// done.
func TestTasksOfManyWorkers(t *testing.T) {
	const putting, taking, each = 4, 16, 500
	store := harness.StartMemcached(t, harness.Newest)
	proxies := []*harness.Memverbs{
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "2"),
		harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--loops", "1"),
	}
	var all sync.WaitGroup
	var seen sync.Map
	var done atomic.Int64
	for p := range putting {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			for n := range each {
				id := fmt.Sprintf("task%d.%d", p, n)
				c.Ask(fmt.Sprintf("taskput work %s 0 0 %d\r\n%s\r\n", id, len(id), id), "STORED\r\n")
			}
		})
	}
	for p := range taking {
		c := harness.Dial(t, proxies[p%2].Addr)
		all.Go(func() {
			for done.Load() < putting*each && !t.Failed() {
				for _, of := range takeTasks(c, fmt.Sprintf("tasktake work 600 %d", 1+p%4)) {
					if _, again := seen.LoadOrStore(of.id, true); again || of.id != of.data {
						t.Errorf("%+v was handed out again, or has another's data", of)
					}
					c.Ask("taskdone work "+of.stamp+"\r\n", "DELETED\r\n")
					done.Add(1)
				}
			}
		})
	}
	all.Wait()
	harness.Dial(t, proxies[0].Addr).Ask("tasklen work\r\n", "0\r\n")
	if items, _ := strconv.Atoi(store.Stats()["curr_items"]); items > 20 { // those of the queue itself
		t.Errorf("the data of tasks that are done is left over: %d items", items)
	}
}

// The tasks of a worker that has gone away are handed out to another when its time is over, by a
// proxy that was not there before.
func TestTasksOutliveWorkers(t *testing.T) {
	store := harness.StartMemcached(t, harness.Newest)
	first := harness.StartPlainMemverbs(t, "--upstream", store.Addr)
	worker := harness.Dial(t, first.Addr)
	worker.Ask("taskput work a 0 0 5\r\nhello\r\n", "STORED\r\n")
	lost := takeTasks(worker, "tasktake work 1")
	if len(lost) != 1 {
		t.Fatalf("taken: %+v", lost)
	}
	worker.Close()
	second := harness.Dial(t, harness.StartPlainMemverbs(t, "--upstream", store.Addr).Addr)
	var found []taken
	harness.Await(t, "the task to be handed out again", func() bool {
		found = takeTasks(second, "tasktake work 60")
		return len(found) > 0
	})
	if want := strings.TrimSuffix(lost[0].stamp, "1") + "2"; found[0] != (taken{"a", want, "hello"}) {
		t.Errorf("taken again: %+v, expected the stamp %s", found, want)
	}
	second.Ask("taskdone work "+lost[0].stamp+"\r\n", "EXISTS\r\n")
	second.Ask("taskdone work "+found[0].stamp+"\r\n", "DELETED\r\n")
}

// taken is a task that was handed out.
type taken struct{ id, stamp, data string }

// takeTasks sends a tasktake and returns what was taken. The data of the tasks are lines.
func takeTasks(c *harness.Client, request string) (tasks []taken) {
	c.Send(request + "\r\n")
	for {
		line := strings.Fields(c.Line())
		if len(line) != 5 { // END, or an error
			return tasks
		}
		tasks = append(tasks, taken{line[1], line[4], c.Line()})
	}
}
