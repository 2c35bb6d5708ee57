package verify

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/sharding"
)

// Server is a server of the pool.
type Server struct {
	Name  string  // as it is shown
	Share float64 // its share of the keys relative to the other servers
	TLS   bool    // connections that Dial returns speak TLS
	Dial  func(ctx context.Context) (net.Conn, error)
}

// Layout is a layout that a [Check] tries. It returns the index of a key's server in Check.Servers. The layout of
// another pool, which may have other servers too, returns -1 for a key on a server that is not among these.
type Layout struct {
	Name string
	sharding.Layout
}

// Check says which servers to ask for keys, and with which layouts to compare them.
type Check struct {
	Servers        []Server
	Layouts        []Layout
	Others         []Layout      // of other pools whose keys may be there too, by the names of the pools
	Sample         int           // keys to ask each server for, at least 1
	ConnectTimeout time.Duration // how long connecting may take
	Timeout        time.Duration // how long a server may take to send its keys
}

// Run asks all servers and returns the outcome. It takes no longer than both timeouts.
func (c *Check) Run(ctx context.Context) *Result {
	tallies := make([]*tally, len(c.Servers))
	total := 0.0
	for _, s := range c.Servers {
		total += s.Share
	}
	var wait sync.WaitGroup
	for i, s := range c.Servers {
		tallies[i] = newTally(c.Layouts, c.Others, i, s.Share/total)
		wait.Go(func() { tallies[i].err = c.ask(ctx, &s, tallies[i].add) })
	}
	wait.Wait()
	return c.sum(tallies)
}

// busyPause is how long to wait before asking a server again that is busy.
const busyPause = 200 * time.Millisecond

// ask passes items of a server to f. It returns an error if the server has sent fewer than are wanted, and may have
// more. A server that is busy is asked again until its time is over; each time on another connection, since the one
// before may still receive the rest of an answer.
func (c *Check) ask(ctx context.Context, s *Server, f func(metadump.Item)) error {
	for deadline := time.Now().Add(c.Timeout); ; time.Sleep(busyPause) {
		if err := c.askOnce(ctx, s, deadline, f); !errors.Is(err, metadump.ErrBusy) || time.Until(deadline) < busyPause {
			return advised(err)
		}
	}
}

func (c *Check) askOnce(ctx context.Context, s *Server, deadline time.Time, f func(metadump.Item)) error {
	ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return s.unheard(connecting(err))
	}
	defer conn.Close()
	list, err := metadump.Open(conn, c.Timeout, deadline)
	if err != nil {
		return s.unheard(err)
	}
	n := 0
	return list.Each(func(it metadump.Item) bool {
		f(it)
		n++
		return n < c.Sample
	})
}
