package main

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/status"
)

// remindEvery is how often the log is reminded of certificates that are about to end: a process may run
// for longer than they are valid.
const remindEvery = 24 * time.Hour

// certified is the side of a listener or of a pool, with a certificate or without one.
type certified interface {
	Validity() (v secure.Validity, has bool)
	Remind()
}

// certified returns the sides that have certificates, one for each file.
func (s *settings) certified() (list []certified) {
	seen := map[string]bool{}
	add := func(side certified) {
		if v, has := side.Validity(); has && !seen[v.File] {
			seen[v.File] = true
			list = append(list, side)
		}
	}
	for _, l := range s.listeners {
		if l.tls.built != nil {
			add(l.tls.built)
		}
	}
	for _, p := range s.pools {
		if p.secured != nil {
			add(p.secured)
		}
	}
	return list
}

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
