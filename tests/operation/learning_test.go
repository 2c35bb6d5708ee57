package operation

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// refusedWhileLearning reports whether a verb was refused because proxies may not know of the same servers.
func refusedWhileLearning(line string) bool {
	return strings.HasPrefix(line, refusedBySettle) || strings.HasPrefix(line, "SERVER_ERROR the servers of the pool could not be confirmed lately")
}

// pushing is what clients have pushed to queues and popped from them.
type pushing struct {
	mu     sync.Mutex
	pushed map[string]bool
	popped map[string]int
	number atomic.Int64
	over   atomic.Bool // nothing more is to be pushed
	drain  atomic.Bool // nothing more is pushed

	pushers, poppers sync.WaitGroup
}

// end ends the pushing, and returns when all is popped.
func (f *pushing) end() {
	f.over.Store(true)
	f.pushers.Wait()
	f.drain.Store(true)
	f.poppers.Wait()
}

// queues returns how many queues there are by now: there are new ones all the time.
func (f *pushing) queues() int { return firstQueues + int(f.number.Load()/100) }

const firstQueues = 60

// push has a client push to the latest queues, one after another, until that is over.
func (f *pushing) push(t *testing.T, c *harness.Client) {
	f.pushers.Go(func() {
		for n := 0; !f.over.Load(); n++ {
			element := fmt.Sprint("e", f.number.Add(1))
			c.Send(fmt.Sprintf("rpush queue%d %s\r\n", f.queues()-1-n%firstQueues, element))
			line, err := c.ReadLine()
			switch {
			case line == "STORED\r\n":
				f.mu.Lock()
				f.pushed[element] = true
				f.mu.Unlock()
			case err == nil && refusedWhileLearning(line):
			default:
				t.Errorf("rpush was answered by %q (%v)", line, err)
				return
			}
		}
	})
}

// pop has a client pop from the queues, one after another, until nothing more is pushed and it has found all of them empty.
func (f *pushing) pop(t *testing.T, c *harness.Client) {
	f.poppers.Go(func() {
		for n, empty := 0, 0; empty < f.queues(); n++ {
			draining := f.drain.Load()
			c.Send(fmt.Sprintf("lpop queue%d\r\n", n%f.queues()))
			line, err := c.ReadLine()
			switch {
			case err == nil && strings.HasPrefix(line, "VALUE "):
				element := strings.TrimSpace(c.Line())
				c.Expect("END\r\n")
				if element == "" {
					empty++
					break
				}
				empty = 0
				f.mu.Lock()
				f.popped[element]++
				f.mu.Unlock()
			case line == "END\r\n":
				empty++
			case err == nil && refusedWhileLearning(line):
				empty = 0
			default:
				t.Errorf("lpop was answered by %q (%v)", line, err)
				return
			}
			if !draining {
				empty = 0
			}
		}
	})
}

// learning is processes that learn one after another of the servers that a name lists.
type learning struct {
	*found
	stores    []*harness.Memcached
	processes []*harness.Memverbs
}

// startLearning starts two processes that use two servers of four.
func startLearning(t *testing.T) *learning {
	t.Helper()
	l := &learning{}
	l.found, l.stores = startFound(t, 4, 2, "1m")
	l.startOne(t, "one")
	l.startOne(t, "two")
	awaitAnswer(t, harness.Dial(t, l.processes[0].Addr), "scard none\r\n", "NOT_FOUND\r\n")
	return l
}

func (l *learning) startOne(t *testing.T, name string) *harness.Memverbs {
	t.Helper()
	m := l.start(t, l.file+"."+name, "settle: 8s", "timeout: 5s")
	l.processes = append(l.processes, m)
	return m
}

// learn has the name list a third server and soon after a fourth, while load is on all processes, also on one that is started
// meanwhile. It returns when all have settled.
func (l *learning) learn(t *testing.T, load func(m *harness.Memverbs)) {
	t.Helper()
	one, two := l.processes[0], l.processes[1]
	load(one)
	load(two)
	l.list(t, 3)
	harness.Await(t, "one process to know", func() bool { return strings.Contains(one.Log()+two.Log(), "pool changed") })
	load(l.startOne(t, "three"))
	l.list(t, 4)
	moves := harness.LayoutOf(t, l.servers(4))
	key := keyWhere(t, "key", func(key []byte) bool { return moves.Locate(key) == 3 })
	for _, m := range l.processes {
		harness.Await(t, "a process to know", func() bool { return strings.Contains(m.Log(), l.server(3)) })
		c := harness.Dial(t, m.Addr)
		harness.Await(t, "the changes to be settled", func() bool {
			c.Send("llen " + key + "\r\n")
			return !refusedWhileLearning(c.Line())
		})
	}
}

// onlyOnce checks that no item is on two servers.
func (l *learning) onlyOnce(t *testing.T, keys []string) {
	t.Helper()
	at := map[string]int{}
	for i, store := range l.stores {
		c := harness.Dial(t, store.Addr)
		for _, key := range keys {
			c.Send("mg " + key + "\r\n")
			if c.Line() != "HD" {
				continue
			}
			if other, has := at[key]; has {
				t.Errorf("%s is at the servers %d and %d", key, other, i)
			}
			at[key] = i
		}
	}
}

// Two processes learn one after another that there is a third server and soon after a fourth, and another process is started meanwhile,
// while clients of all push to queues and pop from them. What was pushed is popped, once.
func TestQueuesWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	l := startLearning(t)
	c := harness.Dial(t, l.processes[0].Addr)
	traffic := &pushing{pushed: map[string]bool{}, popped: map[string]int{}}
	for i := range firstQueues {
		for n := range i % 7 {
			element := fmt.Sprintf("first%d.%d", i, n)
			awaitAnswer(t, c, fmt.Sprintf("rpush queue%d %s\r\n", i, element), "STORED\r\n")
			traffic.pushed[element] = true
		}
	}
	defer traffic.end()
	l.learn(t, func(m *harness.Memverbs) {
		traffic.push(t, harness.Dial(t, m.Addr))
		traffic.pop(t, harness.Dial(t, m.Addr))
	})
	pushed := traffic.number.Load()
	harness.Await(t, "more to be pushed", func() bool { return traffic.number.Load() > pushed+1000 })
	traffic.end()
	for element, times := range traffic.popped {
		if times != 1 || !traffic.pushed[element] {
			t.Errorf("%s was popped %d times; pushed: %v", element, times, traffic.pushed[element])
		}
	}
	maps.DeleteFunc(traffic.pushed, func(element string, _ bool) bool { return traffic.popped[element] > 0 })
	if len(traffic.pushed) > 0 {
		t.Errorf("%d of what was pushed was not popped: %v", len(traffic.pushed), traffic.pushed)
	}
	t.Logf("%d were popped", len(traffic.popped))
}

// A server that a name lists, lists no more, and lists again, all while the first of these changes settles: verbs on the keys that it
// takes over are refused meanwhile, and say for how long. Then all structures are where they were, and what is new is made there.
func TestServerThatFlaps(t *testing.T) {
	t.Parallel()
	const settle = 8
	f, stores := startFound(t, 3, 2, "1m")
	m := f.start(t, f.file+".flapping", "settle: 8s", "leave-after: 1s")
	before, after := harness.LayoutOf(t, f.servers(2)), harness.LayoutOf(t, f.servers(3))
	moves := func(prefix string) string {
		return keyWhere(t, prefix, func(key []byte) bool { return before.Locate(key) == 0 && after.Locate(key) == 2 })
	}
	set, lock, queue, free := moves("set"), moves("lock"), moves("queue"), moves("free")
	c := harness.Dial(t, m.Addr)
	awaitAnswer(t, c, "sadd "+set+" a\r\n", "STORED\r\n")
	c.Ask("lock "+lock+" me 3600\r\nrpush "+queue+" x\r\n", "STORED\r\nSTORED\r\n")
	refused := 0
	asks := func() {
		c.Send("scard " + set + "\r\n")
		line := c.Line()
		rest, is := strings.CutPrefix(line, refusedBySettle)
		if is {
			refused++
			if seconds, err := strconv.Atoi(strings.TrimSuffix(rest, " s")); err != nil || seconds < 1 || seconds > settle {
				t.Errorf("refused by %q", line)
			}
		} else if line != "1" && !refusedWhileLearning(line) {
			t.Errorf("scard is answered by %q", line)
		}
	}
	change := func(n int, says string, times int) {
		f.list(t, n)
		harness.Await(t, says, func() bool {
			asks()
			return strings.Count(m.Log(), says) >= times
		})
		asks()
	}
	change(3, "added=["+f.server(2)+"]", 1)
	change(2, "removed=["+f.server(2)+"]", 1)
	change(3, "added=["+f.server(2)+"]", 2)
	if refused == 0 {
		t.Error("nothing was refused")
	}
	awaitSettled(t, c, set)
	c.Ask("scard "+set+"\r\nlock "+lock+" other 10\r\nlock "+free+" other 3600\r\n", "1\r\nNOT_STORED\r\nSTORED\r\n")
	c.Ask("lpop "+queue+"\r\nunlock "+lock+" me\r\nlock "+lock+" other 3600\r\n", "VALUE "+queue+" 0 1\r\nx\r\nEND\r\nDELETED\r\nSTORED\r\n")
	onlyAt(t, stores, 0, set)
	onlyAt(t, stores, 2, lock)
	onlyAt(t, stores, 2, free)
	c.InStep()
}
