package structures

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// Every task whose put was acknowledged is done, none before its time, and while a worker holds
// one nobody else gets it, whatever goes wrong between clients and memcacheds. Workers hang
// without a word, or are gone when they have asked.
func TestTasksAreDoneWhateverGoesWrong(t *testing.T) {
	doTasks(t, atLength(1500, 100_000), harness.StartMemverbs)
}

// doTasks has so many tasks done through a memverbs and a second one.
func doTasks(t *testing.T, total int, second starter) {
	if !soaking() {
		t.Parallel()
	}
	const workers, putters, mostLeft = 16, 8, 1000
	queues := []string{"queue0", "queue1", "queue2", "queue3"}
	seed := chooseSeed(t)
	n := startNemesis(t, seed, false, time.Hour, second)
	n.tally = newTally()
	r, done := newRoster(), make(chan struct{})
	n.done = done
	newTasker := func(i int) *tasker {
		return &tasker{t: t, random: rand.New(rand.NewPCG(seed, uint64(i))), roster: r, tally: n.tally,
			session: session{addr: n.memverbs[i%len(n.memverbs)].Addr}}
	}
	var putting, working sync.WaitGroup
	for i := range putters {
		w := newTasker(i)
		putting.Go(func() {
			defer w.session.close()
			for k := i; k < total && !over(done); k += putters {
				for r.unfinished() > mostLeft && !over(done) {
					time.Sleep(pause)
				}
				later := time.Duration(w.random.IntN(2)*w.random.IntN(3000)) * time.Millisecond
				w.put(oneOf(w.random, queues...), fmt.Sprintf("task%d", k), later, done)
			}
		})
	}
	for i := range workers {
		w := newTasker(putters + i)
		working.Go(func() { w.work(queues, done) })
	}
	go func() {
		putting.Wait()
		waitForTasks(t, r)
		close(done)
	}()
	n.rage(append([]fault{killing, killing}, faultsOfTheWay...), 10*time.Second) // often enough in a short test
	working.Wait()
	checkEnd(t, n, r, queues)
	t.Log(r)
	t.Log(n.tally)
}

// waitForTasks waits until all tasks are done that were acknowledged, as long as some are.
func waitForTasks(t *testing.T, r *roster) {
	last, since := r.unfinished(), time.Now()
	for last > 0 && !t.Failed() {
		time.Sleep(pause)
		if now := r.unfinished(); now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > harness.Patience {
			t.Errorf("%d tasks that were acknowledged are not done: %v", last, r.missing(10))
		}
	}
}

// checkEnd checks what is left in the queues when all tasks are done, and that there was no talk
// of evictions.
func checkEnd(t *testing.T, n *nemesis, r *roster, queues []string) {
	w := &tasker{t: t, roster: r, tally: n.tally, session: session{addr: n.memverbs[0].Addr}}
	defer w.session.close()
	for _, queue := range queues {
		var left reply
		harness.Await(t, "tasklist", func() (ok bool) {
			left, ok = w.ask("tasklist " + queue + "\r\n")
			return ok
		})
		for _, v := range left.values {
			if err := r.leftover(v.name); err != nil {
				t.Errorf("%s: %v (%s)", queue, err, v.data)
			}
			t.Logf("%s has task %s yet: %s", queue, v.name, strings.TrimSpace(v.data))
		}
	}
	for _, m := range n.memverbs {
		n.tally.countUp(m)
	}
	if lost := n.tally.counted["structures_incomplete"]; lost > 0 {
		t.Errorf("%d evictions were noted, but there can be none", lost)
	}
	if n.tally.counted["compactions_won"] == 0 {
		t.Error("no queue was ever compacted")
	}
}
