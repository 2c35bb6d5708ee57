//go:build linux

package waitload

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Crew is clients that are connected, and one more connection to each process, to push.
type Crew struct {
	Scene
	dialect  Dialect
	poll     load.Poll
	clients  []*conn
	pushers  []*conn // by process
	ms       int     // how long clients wait
	random   *rand.Rand
	ledger   ledger
	unpushed int        // pushes that are not answered yet
	vain     load.Count // waits that were over before there was anything,
	wanted   int        // and how many there are to be
	buf      []byte
	patience time.Duration
}

// Open connects so many clients to the processes that serve the lists, and has each of them speak to its server once. It
// fails if something is found in a list by that.
func Open(d Dialect, processes []load.Target, s Scene) (*Crew, error) {
	c := &Crew{Scene: s, dialect: d, random: rand.New(rand.NewPCG(1, 2)), ledger: newLedger(), vain: load.NewCount(),
		buf: make([]byte, 16<<10), patience: patience}
	err := c.poll.Open()
	if err != nil {
		return nil, err
	}
	for i := 0; i < s.Clients && err == nil; i++ {
		process := s.process(i, len(processes))
		var client *conn
		if client, err = enter(d, processes[process], process, s.list(i)); err == nil {
			c.clients = append(c.clients, client)
			err = c.watch(client, i)
		}
	}
	for i := 0; i < len(processes) && err == nil; i++ {
		var pusher *conn
		if pusher, err = open(processes[i], i); err == nil {
			c.pushers = append(c.pushers, pusher)
			err = c.watch(pusher, s.Clients+i)
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// watch has the crew serve a connection from now on.
func (c *Crew) watch(conn *conn, index int) error {
	if err := unix.SetNonblock(conn.fd, true); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	return c.poll.Add(conn.fd, index)
}

// Close closes the connections, whatever they wait for.
func (c *Crew) Close() {
	for _, client := range c.clients {
		client.close()
	}
	for _, pusher := range c.pushers {
		pusher.close()
	}
	c.poll.Close()
}

// Wait has some clients ask, those from one on and before another, and ask again whenever they are answered, as long as the
// crew is served. Each wait may last so long.
func (c *Crew) Wait(each time.Duration, from, until int) error {
	return c.ask(each, math.MaxInt, c.clients[from:until])
}

// Push pushes at random times, so many elements a second on average, and returns when all are delivered. Clients must
// be waiting. It fails if any is not delivered, not once, or not to its list.
func (c *Crew) Push(ctx context.Context, rate float64, lasting time.Duration) (Deliveries, error) {
	due := load.Now()
	until := due + int64(lasting)
	err := c.serve(ctx, until, func(now int64) (next int64, err error) {
		for ; due <= now && due < until; due += int64(c.random.ExpFloat64() * float64(time.Second) / rate) {
			if err := c.push(); err != nil {
				return 0, err
			}
		}
		return min(due, until), nil
	})
	return c.ledger.Deliveries, err
}

// Rest serves the clients for so long, while nothing is pushed. It fails if anything is delivered all the same.
func (c *Crew) Rest(ctx context.Context, lasting time.Duration) error {
	until := load.Now() + int64(lasting)
	return c.serve(ctx, until, func(int64) (int64, error) { return until, nil })
}

// WaitInVain has each client wait so many times, while nothing is pushed, and returns these waits, and how long they took.
func (c *Crew) WaitInVain(ctx context.Context, each time.Duration, times int) (load.Count, error) {
	c.wanted = times * c.Clients
	if err := c.ask(each, times, c.clients); err != nil {
		return c.vain, err
	}
	return c.vain, c.Rest(ctx, each*time.Duration(times))
}

// ask has clients ask, so many times each.
func (c *Crew) ask(each time.Duration, times int, clients []*conn) error {
	c.ms = int(each.Milliseconds())
	for _, client := range clients {
		client.asks = times
		if err := c.next(client, ""); err != nil {
			return err
		}
	}
	return nil
}

// next has a client ask, if it is to ask again, after it has said thanks.
func (c *Crew) next(client *conn, thanks string) error {
	if client.asks == 0 {
		return client.send(thanks)
	}
	client.asks--
	client.asked = load.Now()
	return client.send(thanks + c.dialect.wait(client.list, c.ms))
}

// push pushes an element to a random list, through a random process.
func (c *Crew) push() error {
	process, list := c.random.IntN(len(c.pushers)), c.random.IntN(c.Lists)
	c.unpushed++
	return c.pushers[process].send(c.dialect.push(list, c.ledger.push(load.Now(), process, list)))
}
