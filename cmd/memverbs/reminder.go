package main

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/status"
)

// remindEvery is how often the log is reminded of certificates that are about to end: a process may run
// for longer than they are valid.
const remindEvery = 24 * time.Hour

// certificates returns when the certificates end.
func (r *reloader) certificates() (list []status.Certificate) {
	for _, side := range *r.certified.Load() {
		v, _ := side.Validity()
		list = append(list, status.Certificate(v))
	}
	return list
}

// remind logs now and then which certificates are about to end, until ctx is done.
func (r *reloader) remind(ctx context.Context) {
	ticker := time.NewTicker(remindEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			for _, side := range *r.certified.Load() {
				side.Remind()
			}
		case <-ctx.Done():
			return
		}
	}
}
