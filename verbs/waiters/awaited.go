package waiters

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
)

// Awaited is what the calls of all event loops wait for in one pool. It is safe for concurrent use. The zero value is
// empty.
type Awaited struct {
	any   atomic.Int32
	marks [numMarks]atomic.Int32 // by the hash of the key: how many lines wait
	mu    sync.Mutex
	lines map[string][]sleeper // by the key of the structure
}

// sleeper is a line that is to be called when something was added to its structure, on any goroutine.
type sleeper interface{ call() }

// numMarks is how many marks there are, so that changes to what nobody waits for seldom have to lock.
const numMarks = 1024

var seed = maphash.MakeSeed()

func (a *Awaited) mark(key []byte) *atomic.Int32 { return &a.marks[maphash.Bytes(seed, key)%numMarks] }

// Fed wakes the lines that wait for the structure under key, to which something may have been added. It must be called
// after that, and costs nothing while no call waits.
func (a *Awaited) Fed(key []byte) {
	if a.any.Load() == 0 || a.mark(key).Load() == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.lines[string(key)] {
		l.call()
	}
}

// add adds a line that waits for the structure under key.
func (a *Awaited) add(key string, l sleeper) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.lines == nil {
		a.lines = map[string][]sleeper{}
	}
	a.lines[key] = append(a.lines[key], l)
	a.mark([]byte(key)).Add(1)
	a.any.Add(1)
}

// remove removes a line.
func (a *Awaited) remove(key string, l sleeper) {
	a.mu.Lock()
	defer a.mu.Unlock()
	rest := slices.DeleteFunc(a.lines[key], func(other sleeper) bool { return other == l })
	if a.lines[key] = rest; len(rest) == 0 {
		delete(a.lines, key)
	}
	a.mark([]byte(key)).Add(-1)
	a.any.Add(-1)
}

// Lines returns how many lines wait.
func (a *Awaited) Lines() int { return int(a.any.Load()) }
