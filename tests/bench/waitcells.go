//go:build linux

package main

import (
	"fmt"
	"time"

	"github.com/memverbs/memverbs/tests/bench/waitload"
)

// waitScene is what clients wait for.
type waitScene struct {
	waitload.Scene
	rate  float64       // elements a second that come
	times int           // how often each client waits in vain afterwards,
	each  time.Duration // and how long each time
}

// manyWait is the scene of a run.
var manyWait = waitScene{Scene: waitload.Scene{Clients: 5000, Lists: 500}, rate: 500, times: 20, each: 200 * time.Millisecond}

const (
	// How many times as long as other cells' turns elements come, nothing comes, and nobody waits any more; and how long it
	// takes until clients or servers have settled down.
	pushTurn, quietTurn, goneTurn, settleTurn = 15, 5, 2, 1
	// longWait is how long clients wait who are to get something.
	longWait = time.Minute
	// waitExtra is a first guess at how long it takes to connect twice, and to wait until nobody waits any more.
	waitExtra = 5 * time.Second
)

// waits is many clients that wait: those of memverbs, through two processes, and those of beanstalkd.
func waits(o *options) *part {
	scene := manyWait
	all := []*waitCell{
		{scene: scene, dialect: waitload.Verbs{}, start: (*stage).twoMemverbs, whole: true},
		{scene: scene, dialect: waitload.Beanstalkd{}, start: (*stage).oneBeanstalkd},
	}
	what := fmt.Sprintf("%d clients that wait for %d lists, and %.0f elements a second", scene.Clients, scene.Lists, scene.rate)
	return &part{
		name: "waits", title: "Waiting", apart: true,
		text: fmt.Sprintf(waitsText, what, scene.times*scene.Clients),
		cells: []*cell{
			{name: "wait-lists", what: what + ", through two memverbs", alone: all[0].run, lasts: all[0].lasts(o)},
			{name: "wait-tubes", what: "the same of " + beanstalkd, alone: all[1].run, lasts: all[1].lasts(o)},
		},
		table: func([]*cell) *table { return waitTable(o, all[0].came, all[1].came) },
	}
}

const waitsText = `%s, of 100 B, each to a random list at a random time.
The clients send lpop with a wait, and go on to the next when they have an element; elements come by rput. Two memverbs
share one memcached. Of half of the lists, clients of both wait; each has a quarter of them for itself, so what is pushed
there through the other one is found only by asking the memcached. beanstalkd has a tube for each list: put,
reserve-with-timeout and delete, without a binlog.

The time of delivery is from when a push is sent until a client has the element. The run fails unless each element is
delivered once, to its list. Memory is by how much the resident memory of the processes grows, for each client: when it
connects and asks once; when two of each list begin to wait, or one with beanstalkd, which includes what the list takes; and
when the others do. Operations are those of the memcached. In the end %d waits are over without anything, of as many
clients that connect anew; what the processes hold is told before and afterwards. As many waits come before these, since
memory that is needed at the same time is kept for later.`

// twoMemverbs starts two memverbs in front of one memcached.
func (s *stage) twoMemverbs() (proxies []*server, err error) {
	stores, err := s.memcacheds(1, "tcp")
	if err != nil {
		return nil, err
	}
	for range 2 {
		proxy, err := s.memverbs(stores, "tcp")
		if err != nil {
			return nil, err
		}
		proxies = append(proxies, proxy)
	}
	return proxies, nil
}

func (s *stage) oneBeanstalkd() ([]*server, error) {
	queues, err := s.beanstalkd()
	return []*server{queues}, err
}
