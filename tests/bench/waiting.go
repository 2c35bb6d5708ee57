//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/waitload"
)

// waitCell has many clients wait for what one contestant serves.
type waitCell struct {
	scene   waitScene
	dialect waitload.Dialect
	start   func(*stage) ([]*server, error) // its processes
	whole   bool                            // whether more than deliveries and memory is measured
	came    *waited                         // nil before it was run
}

// waited is what came of a cell.
type waited struct {
	waitload.Deliveries
	others float64 // share of the machine that went to others while elements came, in percent
	// Resident memory in bytes: of a client that is connected; in addition, of each of the first clients at a list, when they
	// wait; and of each further one.
	perConn, perFirst, perWait float64

	whole         bool       // what follows was measured too
	pairs         int        // of a list and a process where clients wait
	quiet, gone   float64    // operations of the memcached in a second, while nothing comes, and when nobody waits any more
	quietCPU      float64    // of the processes while nothing comes, in shares of one processor
	vain          load.Count // waits that were over without anything,
	before, after holding    // and what the processes held before these clients connected, and after they had gone
}

// lasts returns how long the cell takes, about.
func (w *waitCell) lasts(o *options) time.Duration {
	all := turnsOf(o, 2*settleTurn+pushTurn) + waitExtra
	if w.whole {
		all += turnsOf(o, settleTurn+quietTurn+goneTurn) + 2*time.Duration(w.scene.times)*w.scene.each
	}
	return all
}

// turnsOf returns how long so many turns of other cells take.
func turnsOf(o *options, times float64) time.Duration {
	return time.Duration(times * o.seconds * float64(time.Second))
}

// run runs the cell.
func (w *waitCell) run(s *stage, p *progress) error {
	servers, err := w.start(s)
	if err == nil {
		w.came = &waited{whole: w.whole, pairs: w.scene.Pairs(len(servers))}
		err = (&waitRun{w, s, p, servers, contestantOf(servers...)}).measure()
	}
	p.passed(w.lasts(s.options))
	if err != nil {
		return errors.Join(err, s.said())
	}
	return nil
}

// waitRun is a cell that is being run.
type waitRun struct {
	*waitCell
	*stage
	*progress
	asked []*server   // what is waited at
	all   *contestant // the same
}

// measure measures everything, one after another.
func (r *waitRun) measure() error {
	empty, err := residentOf(r.all.processes)
	if err == nil {
		err = r.withCrew(func(crew *waitload.Crew) error { return r.deliver(crew, empty) })
	}
	if err != nil || !r.whole {
		return err
	}
	if err := r.gone(); err != nil {
		return err
	}
	if err := r.withCrew(r.waitInVain); err != nil { // not told: what so many waits take at the same time is kept for the next
		return err
	}
	if r.came.before, err = r.awaitNobody(); err != nil {
		return err
	}
	if err := r.withCrew(r.waitInVain); err != nil {
		return err
	}
	r.came.after, err = r.awaitNobody()
	r.note("%d waits over without anything; before: %v; after: %v", r.came.vain.Requests, r.came.before, r.came.after)
	return err
}

// withCrew does something with clients, who connect before and leave afterwards.
func (r *waitRun) withCrew(do func(*waitload.Crew) error) error {
	var targets []load.Target
	for _, s := range r.asked {
		targets = append(targets, s.Target)
	}
	crew, err := waitload.Open(r.dialect, targets, r.scene.Scene)
	if err != nil {
		return err
	}
	defer crew.Close()
	return do(crew)
}

// deliver has clients wait while elements come, and, if the whole is measured, then while nothing comes. empty is the memory
// without any clients.
func (r *waitRun) deliver(crew *waitload.Crew, empty int) error {
	connected, err := residentOf(r.all.processes)
	if err != nil {
		return err
	}
	some, all := r.scene.First(len(r.asked)), r.scene.Clients
	first, err := r.wait(crew, 0, some)
	if err != nil {
		return err
	}
	waiting, err := r.wait(crew, some, all)
	if err != nil {
		return err
	}
	r.came.perConn = float64(connected-empty) / float64(all)
	r.came.perFirst = float64(first-connected) / float64(some)
	r.came.perWait = float64(waiting-first) / float64(all-some)
	r.note("%d clients wait: %.1f kB of each to connect, %.1f kB of each of the first %d to wait, %.1f kB of each further one",
		all, r.came.perConn/1000, r.came.perFirst/1000, some, r.came.perWait/1000)
	spent, err := r.spentDuring(func() (err error) {
		r.came.Deliveries, err = crew.Push(r.ctx, r.scene.rate, turnsOf(r.stage.options, pushTurn))
		return err
	})
	if err != nil {
		return err
	}
	r.came.others = spent.others()
	r.note("%d elements through the same process, p99 %.1f ms; %d through the other, p99 %.1f ms; others %.0f %%",
		r.came.Same.Requests, p99Of(r.came.Same), r.came.Other.Requests, p99Of(r.came.Other), r.came.others)
	if r.whole {
		err = r.rest(crew)
	}
	return err
}

// wait has some clients wait, and returns the memory when they do.
func (r *waitRun) wait(crew *waitload.Crew, from, until int) (resident int, err error) {
	if err := crew.Wait(longWait, from, until); err != nil {
		return 0, err
	}
	if err := r.awaitWaiting(crew, until); err != nil {
		return 0, err
	}
	return residentOf(r.all.processes)
}

// awaitWaiting serves clients until so many wait. Of servers that do not tell that, it is expected after a while.
func (r *waitRun) awaitWaiting(crew *waitload.Crew, clients int) error {
	for deadline := time.Now().Add(patience); ; {
		if err := crew.Rest(r.ctx, turnsOf(r.stage.options, settleTurn)); err != nil || !r.whole {
			return err
		}
		now, err := holdingOf(r.asked)
		if err != nil || now.waiting == clients {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d clients wait instead of %d", now.waiting, clients)
		}
	}
}

// rest measures while nothing comes. It begins when lists are asked about as seldom as they are in the end.
func (r *waitRun) rest(crew *waitload.Crew) error {
	if err := crew.Rest(r.ctx, turnsOf(r.stage.options, settleTurn)); err != nil {
		return err
	}
	spent, err := r.spentDuring(func() (err error) {
		r.came.quiet, err = r.operationsDuring(func() error { return crew.Rest(r.ctx, turnsOf(r.stage.options, quietTurn)) })
		return err
	})
	if err != nil {
		return err
	}
	r.came.quietCPU = spent.cpu.Seconds() / spent.at.Seconds()
	r.note("nothing comes: %.0f operations/s for %d pairs of a list and a process, %.1f %% of a processor",
		r.came.quiet, r.came.pairs, 100*r.came.quietCPU)
	return nil
}

// gone measures what is done for clients that have gone.
func (r *waitRun) gone() error {
	if _, err := r.awaitNobody(); err != nil {
		return err
	}
	var err error
	r.came.gone, err = r.operationsDuring(func() error {
		time.Sleep(turnsOf(r.stage.options, goneTurn))
		return context.Cause(r.ctx)
	})
	r.note("nobody waits: %.1f operations/s", r.came.gone)
	return err
}

// waitInVain has clients wait while nothing comes.
func (r *waitRun) waitInVain(crew *waitload.Crew) (err error) {
	r.came.vain, err = crew.WaitInVain(r.ctx, r.scene.each, r.scene.times)
	return err
}

// spentDuring returns the processor time that is spent while something is done.
func (r *waitRun) spentDuring(do func() error) (s spent, err error) {
	before, err := r.all.spent()
	if err != nil {
		return s, err
	}
	if err := do(); err != nil {
		return s, err
	}
	after, err := r.all.spent()
	return after.sub(before), err
}

// operationsDuring returns how many operations the memcacheds carry out in a second while something is done.
func (r *waitRun) operationsDuring(do func() error) (float64, error) {
	before, err := operations(r.asked[0].stores)
	if err != nil {
		return 0, err
	}
	from := load.Now()
	if err := do(); err != nil {
		return 0, err
	}
	after, err := operations(r.asked[0].stores)
	return float64(after-before) / time.Duration(load.Now()-from).Seconds(), err
}
