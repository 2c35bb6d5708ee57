//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// holding is what some memverbs hold, all together.
type holding struct {
	resident    int // bytes
	descriptors int
	waiting     int // clients, as they tell
}

// holdingOf returns what memverbs hold.
func holdingOf(servers []*server) (h holding, err error) {
	if h.resident, err = residentOf(contestantOf(servers...).processes); err != nil {
		return h, err
	}
	for _, s := range servers {
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.Pid()))
		if err != nil {
			return h, err
		}
		numbers, err := s.stats("stats proxy")
		if err != nil {
			return h, err
		}
		h.descriptors += len(open)
		h.waiting += numbers["verbs_waiting"]
	}
	return h, nil
}

func (h holding) String() string {
	return fmt.Sprintf("%.1f MB, %d descriptors, %d that wait", float64(h.resident)/1e6, h.descriptors, h.waiting)
}

// awaitNobody waits until nobody waits, and connections are not being closed any more. It returns what the processes hold
// then.
func (r *waitRun) awaitNobody() (now holding, err error) {
	last := 0
	for deadline := time.Now().Add(patience); ; last = now.descriptors {
		if now, err = holdingOf(r.asked); err != nil || now.waiting == 0 && now.descriptors == last {
			return now, err
		}
		if time.Now().After(deadline) {
			return now, fmt.Errorf("after the clients have gone: %v", now)
		}
		time.Sleep(turnsOf(r.stage.options, settleTurn))
		if r.ctx.Err() != nil {
			return now, context.Cause(r.ctx)
		}
	}
}
