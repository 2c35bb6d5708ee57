package verbs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// If the clock of one proxy is a minute fast, tasks are handed out early by it, and while others
// hold them. Nothing that was put is lost, and a worker who has lost its task is told so.
func TestTasksWithClocksAMinuteApart(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	right, fast := harness.StartPlainMemverbs(t, "--upstream", store.Addr), harness.StartMemverbsAhead(t, time.Minute, "--upstream", store.Addr)
	t.Run("a held task", func(t *testing.T) { testHeldTask(t, right.Addr, fast.Addr) })
	t.Run("a later task", func(t *testing.T) { testLaterTask(t, right.Addr, fast.Addr) })
	t.Run("many", func(t *testing.T) { testManyTasks(t, right.Addr, fast.Addr) })
}

// testHeldTask has a task held for thirty seconds through one proxy, which are over for the other.
func testHeldTask(t *testing.T, right, fast string) {
	first, second := harness.Dial(t, right), harness.Dial(t, fast)
	first.Ask("taskput held a 0 0 5\r\nhello\r\n", "STORED\r\n")
	lost := takeTasks(first, "tasktake held 30")
	found := takeTasks(second, "tasktake held 30")
	if len(lost) != 1 || len(found) != 1 || found[0] != (taken{"a", strings.TrimSuffix(lost[0].stamp, "1") + "2", "hello"}) {
		t.Fatalf("taken %+v, and then, when the hold is over for another: %+v", lost, found)
	}
	if again := takeTasks(first, "tasktake held 30"); len(again) > 0 {
		t.Errorf("taken while it is held for longer than a minute: %+v", again)
	}
	first.Ask("taskkeep held "+lost[0].stamp+" 30\r\n", "EXISTS\r\n")
	first.Ask("taskdone held "+lost[0].stamp+"\r\n", "EXISTS\r\n")
	second.Ask("taskdone held "+found[0].stamp+"\r\n", "DELETED\r\n")
	first.Ask("tasklen held\r\n", "0\r\n")
}

// testLaterTask has a task put that is due in half a minute, and was half a minute ago for one proxy.
func testLaterTask(t *testing.T, right, fast string) {
	first, second := harness.Dial(t, right), harness.Dial(t, fast)
	first.Ask(fmt.Sprintf("taskput later a %d 0 5\r\nhello\r\n", time.Now().Add(30*time.Second).UnixMilli()), "STORED\r\n")
	if early := takeTasks(first, "tasktake later 30"); len(early) > 0 {
		t.Errorf("taken before its time: %+v", early)
	}
	found := takeTasks(second, "tasktake later 30")
	if len(found) != 1 {
		t.Fatalf("taken when it is due by a fast clock: %+v", found)
	}
	second.Ask("taskdone later "+found[0].stamp+"\r\n", "DELETED\r\n")
}

// testManyTasks has workers of both proxies do the same tasks. Some leave what they have taken, which
// others find when its time is over, by the fast clock a minute before that.
func testManyTasks(t *testing.T, right, fast string) {
	const puts, workers = 200, 8
	proxies := []string{right, fast}
	var all sync.WaitGroup
	for p, addr := range proxies {
		c := harness.Dial(t, addr)
		all.Go(func() {
			for n := range puts {
				id := fmt.Sprintf("task%d.%d", p, n)
				c.Ask(fmt.Sprintf("taskput many %s 0 0 %d\r\n%s\r\n", id, len(id), id), "STORED\r\n")
			}
		})
	}
	var ended sync.Map
	var done, again, lost atomic.Int64
	for w := range workers {
		c := harness.Dial(t, proxies[w%2])
		random := rand.New(rand.NewPCG(1, uint64(w)))
		all.Go(func() {
			for done.Load() < int64(puts*len(proxies)) && !t.Failed() {
				for _, task := range takeTasks(c, "tasktake many 1 2") {
					if !strings.HasSuffix(task.stamp, ".1") {
						again.Add(1)
					}
					if task.id != task.data {
						t.Errorf("%+v has another's data", task)
					}
					if random.IntN(10) == 0 {
						continue
					}
					c.Send("taskdone many " + task.stamp + "\r\n")
					switch answer := c.Line(); answer {
					case "DELETED":
						if _, twice := ended.LoadOrStore(task.id, true); twice {
							t.Errorf("%+v was ended twice", task)
						}
						done.Add(1)
					case "EXISTS", "NOT_FOUND":
						lost.Add(1)
					default:
						t.Errorf("taskdone of %+v: %q", task, answer)
					}
				}
			}
		})
	}
	all.Wait()
	harness.Dial(t, right).Ask("tasklen many\r\n", "0\r\n")
	t.Logf("%d tasks are done; %d were handed out again, %d of them while another held them and ended them", done.Load(), again.Load(), lost.Load())
}
