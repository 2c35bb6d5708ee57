//go:build linux

package main

import (
	"context"
	"errors"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// turn puts a contestant under the load once, and returns what came of it.
func turn(ctx context.Context, c *contestant, d *data, o *options) (f figures, err error) {
	length := time.Duration(o.seconds * float64(time.Second))
	var stop atomic.Bool
	workers, err := openWorkers(c, d, o.threads)
	defer func() {
		for _, w := range workers {
			w.close()
		}
	}()
	if err != nil {
		return f, err
	}

	from := now() + int64(o.warmup)
	ended := make(chan error, len(workers))
	for _, w := range workers {
		w.window = window{from, from + int64(length)}
		w.stop = &stop
		go func() { ended <- w.run() }()
	}
	waited := wait(ctx, o.warmup)
	before, err1 := c.spent()
	waited = errors.Join(waited, wait(ctx, length))
	after, err2 := c.spent()
	stop.Store(waited != nil)
	errs := []error{waited, err1, err2}
	for range workers {
		errs = append(errs, <-ended)
	}
	if err := errors.Join(errs...); err != nil {
		return f, err
	}

	var total worker
	for _, w := range workers {
		total.requests += w.requests
		total.failed += w.failed
		total.took.merge(&w.took)
	}
	if total.requests == 0 {
		return f, errors.New("no request was answered in time")
	}
	return newFigures(&total, length, after.sub(before)), nil
}

// openWorkers shares the connections of the load out to workers. The caller
// closes those returned, also beside an error.
func openWorkers(c *contestant, d *data, threads int) (workers []*worker, err error) {
	addr, err := netip.ParseAddrPort(c.addr)
	if err != nil {
		return nil, err
	}
	threads = min(threads, d.load.conns)
	for i := range threads {
		n := d.load.conns*(i+1)/threads - d.load.conns*i/threads
		w, err := newWorker(&unix.SockaddrInet4{Addr: addr.Addr().As4(), Port: int(addr.Port())}, n, d)
		if err != nil {
			return workers, err
		}
		workers = append(workers, w)
	}
	return workers, nil
}

// wait lets the load run for d.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
