package service

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/status"
)

// remindEvery is how often warnings of certificates that are about to expire are logged: a process may
// run for longer than they are valid.
const remindEvery = 24 * time.Hour

// reminder knows the certificates in use. It may be used by several goroutines.
type reminder struct {
	watched atomic.Pointer[[]*secure.Watched]
}

// use makes the certificates of s those in use.
func (r *reminder) use(s *settings.All) {
	list := s.Certified()
	r.watched.Store(&list)
}

// certificates returns when the certificates end.
func (r *reminder) certificates() (list []status.Certificate) {
	for _, w := range *r.watched.Load() {
		v, _ := w.Validity()
		list = append(list, status.Certificate(v))
	}
	return list
}

// remind logs now and then which certificates are about to end, until ctx is done.
func (r *reminder) remind(ctx context.Context) {
	ticker := time.NewTicker(remindEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			for _, w := range *r.watched.Load() {
				w.Remind()
			}
		case <-ctx.Done():
			return
		}
	}
}
