//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// nutcrackerMemory is how much address space nutcracker may take while others make
// large requests, in bytes.
const nutcrackerMemory = 2 << 30

// fillTime is a first guess at how long it takes to store what the rows ask for.
const fillTime = 15 * time.Second

// stand has bystanders stand by. It runs the rows, one after another.
type stand struct {
	scene scene
	rows  []*row
}

// standing is what came of one row in front of one proxy.
type standing struct {
	asked  load.Count // what the bystander asked for through the proxy,
	direct load.Count // and of the memcached behind it
	others load.Count // what the others asked for
	peak   int        // memory of the proxy, in bytes
	failed error      // why the bystander was given up, if it was,
	gone   error      // and why the others were
}

// names returns the proxies that can bear the row.
func (r *row) names() []string {
	if r.plain {
		return []string{memverbs, nutcracker}
	}
	return []string{memverbs}
}

// lengthOfRow returns how long a row is measured with each proxy.
func lengthOfRow(o *options) time.Duration {
	return time.Duration(rowTurn * o.seconds * float64(time.Second))
}

// lasts returns how long all rows take, about.
func (st *stand) lasts(o *options) time.Duration {
	all := fillTime
	for _, r := range st.rows {
		all += time.Duration(len(r.names())) * (lengthOfRow(o) + o.warmup + turnExtra)
	}
	return all
}

// run runs all rows on one memcached, which is filled once.
func (st *stand) run(s *stage, p *progress) error {
	stores, err := s.memcacheds(1, "tcp")
	if err != nil {
		return err
	}
	first, err := s.memverbs(stores, "tcp")
	if err != nil {
		return err
	}
	if err := st.scene.fill(first.Target); err != nil {
		return errors.Join(err, s.said())
	}
	first.Kill()
	p.passed(fillTime)
	for _, r := range st.rows {
		r.came = map[string]*standing{}
		for _, name := range r.names() {
			if r.came[name], err = r.turn(s, name, stores); err != nil {
				return errors.Join(fmt.Errorf("%s, %s: %w", r.what, name, err), s.said())
			}
			p.row(r, name)
		}
	}
	return nil
}

// turn starts a proxy in front of the memcached and runs the row with it.
func (r *row) turn(s *stage, name string, stores []*server) (*standing, error) {
	proxy, err := r.proxy(s, name, stores)
	if err != nil {
		return nil, err
	}
	defer proxy.Kill()
	crew, err := r.crew(proxy.Target, stores[0].Target)
	defer crew.close()
	if err != nil {
		return nil, err
	}
	resetPeak(proxy.Process)
	from := load.Now() + int64(s.options.warmup)
	window := load.Window{From: from, Until: from + int64(lengthOfRow(s.options))}
	came, err := crew.run(s.ctx, window)
	if err != nil {
		return nil, err
	}
	if proxy.Running() {
		came.peak, err = readPeak(proxy.Process)
	}
	return came, err
}

// proxy starts a proxy, memverbs with the row's flags, nutcracker with a limit to its memory.
func (r *row) proxy(s *stage, name string, stores []*server) (*server, error) {
	if name == memverbs {
		return s.memverbs(stores, "tcp", r.flags...)
	}
	n, err := s.nutcracker(stores, "tcp")
	if err != nil {
		return nil, err
	}
	limit := unix.Rlimit{Cur: nutcrackerMemory, Max: nutcrackerMemory}
	return n, unix.Prlimit(n.Pid(), unix.RLIMIT_AS, &limit, nil)
}

// crew is the clients of a row.
type crew struct{ asking, direct, others *load.Generator }

// crew connects the clients of a row.
func (r *row) crew(proxy, store load.Target) (c crew, err error) {
	bystander := load.Shape{Conns: bystanderConns, Pipeline: 1, Rate: bystanderRate, Threads: 1}
	asks, shape := smallGet(), bystander
	if r.asks != nil {
		asks, shape.Rate = r.asks(), waiterRate
	}
	if c.asking, err = load.Open(proxy, shape, asks); err != nil {
		return c, err
	}
	if c.direct, err = load.Open(store, bystander, smallGet()); err != nil {
		return c, err
	}
	for _, crowd := range r.others {
		c.others, err = load.Open(proxy, load.Shape{Conns: crowd.conns, Pipeline: crowd.pipeline, Threads: 1}, crowd.source())
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c crew) close() {
	for _, g := range []*load.Generator{c.asking, c.direct, c.others} {
		if g != nil {
			g.Close()
		}
	}
}

// run has all clients ask. The others begin before and stop when the bystanders are
// done, and a bystander that is not answered is a result. It fails if the memcached
// does not answer.
func (c crew) run(ctx context.Context, w load.Window) (*standing, error) {
	came := &standing{asked: load.NewCount(), direct: load.NewCount(), others: load.NewCount()}
	begin := func(g *load.Generator, count *load.Count, err *error) <-chan struct{} {
		ended := make(chan struct{})
		if g == nil {
			close(ended)
			return ended
		}
		go func() {
			defer close(ended)
			*count, *err = g.Run(w)
		}()
		return ended
	}
	var unanswered error
	othersEnded := begin(c.others, &came.others, &came.gone)
	directEnded := begin(c.direct, &came.direct, &unanswered)
	askingEnded := begin(c.asking, &came.asked, &came.failed)
	stop := context.AfterFunc(ctx, func() { c.asking.Stop(); c.direct.Stop() })
	defer stop()
	<-askingEnded
	<-directEnded
	if c.others != nil {
		c.others.Stop()
	}
	<-othersEnded
	if came.failed == nil && came.asked.Requests == 0 {
		came.failed = errors.New("no request was answered in time")
	}
	return came, errors.Join(context.Cause(ctx), unanswered)
}
