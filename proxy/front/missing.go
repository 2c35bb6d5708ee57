package front

import (
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/near"
)

// missing is what the clients of the process are about to store, because they have missed it (package holding), and the timer
// for what is to be done about that next. Its times are those of [near.Now].
type missing struct {
	table *holding.Table

	mu    sync.Mutex
	timer *time.Timer
	fires int64 // when the timer does; 0 if it does not
}

// leastPause is the least time between two firings of the timer, in microseconds.
const leastPause = 1000

// arm sets the timer for what the table has to do next.
func (m *missing) arm() {
	at, any := m.table.Next()
	if !any {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fires > 0 && m.fires <= at {
		return
	}
	m.fires = at
	in := time.Duration(max(at-near.Now(), leastPause)) * time.Microsecond
	if m.timer == nil {
		m.timer = time.AfterFunc(in, m.pass)
	} else {
		m.timer.Reset(in)
	}
}

// pass is called when the timer has fired.
func (m *missing) pass() {
	m.mu.Lock()
	m.fires = 0
	m.mu.Unlock()
	m.table.Pass(near.Now())
	m.arm()
}

// probed is called when a probe has found nothing.
func (m *missing) probed(k holding.Key) {
	m.table.Probed(k, near.Now())
	m.arm()
}
