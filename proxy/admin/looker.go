package admin

import (
	"context"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/status"
)

// Source returns the state of a proxy, or an error if the proxy has not answered when ctx is done.
type Source func(ctx context.Context) (*status.Snapshot, error)

const (
	// patience is how long the proxy may take to answer.
	patience = 5 * time.Second
	// freshness is how old a snapshot may be. Each takes some microseconds of every event loop.
	freshness = 200 * time.Millisecond
)

// looker shares snapshots, so that many requests cost the proxy no more than a few.
type looker struct {
	source Source
	mu     sync.Mutex
	last   *status.Snapshot
	err    error
	taken  time.Time
}

// look returns a recent snapshot, which must not be changed.
func (l *looker) look() (*status.Snapshot, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.taken) > freshness {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		l.last, l.err = l.source(ctx)
		l.taken = time.Now()
	}
	return l.last, l.err
}
