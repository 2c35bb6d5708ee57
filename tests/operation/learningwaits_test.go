package operation

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// waitingKind is a kind of structures in which clients wait for something.
type waitingKind struct {
	name  string
	add   func(key, what string) string
	waits string // with the key
}

// await has a client wait until there is something in a structure, again if nothing has come or servers are learned, and counts what it
// has found.
func (k *waitingKind) await(t *testing.T, c *harness.Client, key string, found *atomic.Int64, over *atomic.Bool) {
	for !over.Load() {
		c.Send(fmt.Sprintf(k.waits+"\r\n", key))
		line, err := c.ReadLine()
		has := false
		for err == nil && strings.HasPrefix(line, "VALUE ") {
			data := c.Line()
			has = has || strings.Contains(line+data, "added")
			line, err = c.ReadLine()
		}
		switch {
		case has && line == "END\r\n":
			found.Add(1)
			return
		case over.Load(), line == "END\r\n", err == nil && refusedWhileLearning(line):
		default:
			t.Errorf("%q was answered by %q (%v)", k.waits, line, err)
			return
		}
	}
}

// Clients of three processes wait until there is something in lists, queues of tasks and event logs, while these processes learn of
// other servers: some since before a key moves, some when it has moved. Of what each process adds then, each client finds something.
func TestWaitsWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	const keys, processes = 20, 3
	l := startLearning(t)
	var found [keys]atomic.Int64
	var over atomic.Bool
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer over.Store(true)
	kinds := []waitingKind{
		{"list", func(key, what string) string { return fmt.Sprintf("rpush %s %s\r\n", key, what) }, "lpop %s wait 10000"},
		{"queue", func(key, what string) string { return fmt.Sprintf("taskput %s %s 0 0 1\r\nx\r\n", key, what) }, "tasktake %s 3600 wait 10000"},
		{"log", func(key, what string) string { return fmt.Sprintf("logput %s 0 0 %d\r\n%s\r\n", key, len(what), what) }, "logfetch %s 1 wait 10000"},
	}
	l.learn(t, func(m *harness.Memverbs) {
		for _, k := range kinds {
			for i := range keys {
				c := harness.Dial(t, m.Addr)
				waiting.Go(func() { k.await(t, c, fmt.Sprint(k.name, i), &found[i], &over) })
			}
		}
	})
	for n := range processes {
		c := harness.Dial(t, l.processes[n].Addr)
		for _, k := range kinds {
			for i := range keys {
				added := fmt.Sprint("added", n)
				if line, err := patiently(c, k.add(fmt.Sprint(k.name, i), added)); line != "STORED\r\n" {
					t.Errorf("what was added to %s%d was answered by %q (%v)", k.name, i, line, err)
				}
			}
		}
	}
	for i := range keys {
		harness.Await(t, "what was added to be found", func() bool { return found[i].Load() == processes*int64(len(kinds)) })
	}
	waiting.Wait()
}
