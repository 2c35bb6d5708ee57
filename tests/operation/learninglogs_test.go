package operation

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// logging is events that clients put into logs, and what those who follow these have seen.
type logging struct {
	mu        sync.Mutex
	put       map[string]bool   // whether the put of an event was acknowledged
	followers []map[string]bool // of each, what it has seen

	pauses   bool
	underWay int // puts
	number   int // of the event put last

	over    atomic.Bool
	running sync.WaitGroup
}

const followedLogs = 30

// putEvents has a client put events until that is over.
func (l *logging) putEvents(t *testing.T, c *harness.Client) {
	l.running.Go(func() {
		for !l.over.Load() {
			n := l.begin()
			if n == 0 {
				c.InStep()
				continue
			}
			event := fmt.Sprint("event", n)
			c.Send(fmt.Sprintf("logput log%d 0 0 %d\r\n%s\r\n", n%followedLogs, len(event), event))
			line, err := c.ReadLine()
			stored := line == "STORED\r\n"
			l.end(event, stored)
			if !stored && (err != nil || !strings.HasPrefix(line, "SERVER_ERROR ")) {
				t.Errorf("logput was answered by %q (%v)", line, err)
				return
			}
		}
	})
}

// begin returns the number of an event that is to be put, 0 if none is.
func (l *logging) begin() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pauses {
		return 0
	}
	l.underWay++
	l.number++
	return l.number
}

// end is called when the put of an event was answered.
func (l *logging) end(event string, stored bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.underWay--
	if stored {
		l.put[event] = true
	}
}

// pause pauses the puts, and returns when all followers have seen what was put.
func (l *logging) pause(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	l.pauses = true
	l.mu.Unlock()
	harness.Await(t, "the puts to end", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.underWay == 0
	})
	l.awaitSeen(t)
}

// goOn ends the pause, and returns when some events more were put.
func (l *logging) goOn(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	l.pauses = false
	stored := len(l.put)
	l.mu.Unlock()
	harness.Await(t, "more to be put", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.put) > stored+500
	})
}

// follow has a client fetch the events of all logs until that is over, of each from a minute before the last that it has seen.
func (l *logging) follow(t *testing.T, c *harness.Client) {
	seen := map[string]bool{}
	l.followers = append(l.followers, seen)
	l.running.Go(func() {
		var last [followedLogs]int64
		for n := 0; !l.over.Load(); n++ {
			i := n % followedLogs
			list, at, refusal := eventsUnlessRefused(c, fmt.Sprint("log", i), max(1, last[i]-60_000))
			if refusal != "" && !strings.HasPrefix(refusal, "SERVER_ERROR ") || at < 0 {
				t.Errorf("logfetch was answered by %q, in order: %v", refusal, at >= 0)
				return
			}
			last[i] = max(last[i], at)
			once := map[string]bool{}
			for _, event := range list {
				if once[event] {
					t.Errorf("%s is there twice", event)
				}
				once[event] = true
			}
			l.mu.Lock()
			for event := range once {
				seen[event] = true
			}
			l.mu.Unlock()
		}
	})
}

// awaitSeen waits until all followers have seen what was put.
func (l *logging) awaitSeen(t *testing.T) {
	t.Helper()
	harness.Await(t, "all that was put to be seen", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, seen := range l.followers {
			for event := range l.put {
				if !seen[event] {
					return false
				}
			}
		}
		return true
	})
}

// Two processes learn one after another that a fourth server is there, and later that it is gone, while clients put events to logs, and
// others follow these. They see each event, once and in order. Only what the fourth server has when it leaves is lost; so meanwhile nothing is
// put until all is seen.
func TestLogsWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	f, _ := startFound(t, 4, 3, "1m")
	l := &logging{put: map[string]bool{}}
	start := func(name string) *harness.Memverbs {
		m := f.start(t, f.file+"."+name, "settle: 5s", "leave-after: 1s", "log-chunk: 1s", "log-chunks: 120")
		c := harness.Dial(t, m.Addr)
		awaitAnswer(t, c, "scard none\r\n", "NOT_FOUND\r\n")
		for range 2 {
			l.putEvents(t, harness.Dial(t, m.Addr))
		}
		l.follow(t, harness.Dial(t, m.Addr))
		return m
	}
	defer l.running.Wait()
	defer l.over.Store(true)
	processes := []*harness.Memverbs{start("one"), start("two")}
	before, after := harness.LayoutOf(t, f.servers(3)), harness.LayoutOf(t, f.servers(4))
	moves := keyWhere(t, "key", func(key []byte) bool { return before.Locate(key) != after.Locate(key) })
	settled := func(says string) {
		t.Helper()
		for _, m := range processes {
			harness.Await(t, says, func() bool { return strings.Contains(m.Log(), says) })
			c := harness.Dial(t, m.Addr)
			harness.Await(t, "the change to be settled", func() bool {
				c.Send("llen " + moves + "\r\n")
				return c.Line() == "NOT_FOUND"
			})
		}
	}
	l.goOn(t)
	f.list(t, 4)
	settled("added=[" + f.server(3) + "]")
	l.goOn(t)
	l.pause(t)
	f.list(t, 3)
	for _, m := range processes {
		harness.Await(t, "the server to leave", func() bool { return strings.Contains(m.Log(), "removed=["+f.server(3)+"]") })
	}
	l.goOn(t)
	settled("removed=[" + f.server(3) + "]")
	l.goOn(t)
	l.pause(t)
	t.Logf("%d events were put", len(l.put))
}
