package verify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/proxy/transport"
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

// ask passes items of a server to f. It returns an error if the server has sent fewer than are wanted, and may have
// more. A server that is busy is asked again until its time is over; each time on another connection, since the one
// before may still receive the rest of an answer.
func (c *Check) ask(ctx context.Context, s *Server, f func(item)) error {
	for deadline := time.Now().Add(c.Timeout); ; time.Sleep(busyPause) {
		if err := c.askOnce(ctx, s, deadline, f); !errors.Is(err, errBusy) || time.Until(deadline) < busyPause {
			return err
		}
	}
}

func (c *Check) askOnce(ctx context.Context, s *Server, deadline time.Time, f func(item)) error {
	ctx, cancel := context.WithTimeout(ctx, c.ConnectTimeout)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return s.unheard(cause(err))
	}
	defer conn.Close()
	if err := conn.SetDeadline(deadline); err != nil {
		return cause(err)
	}
	d := &dump{conn, bufio.NewReaderSize(conn, longestLine)}
	version, err := d.version()
	if err != nil {
		return s.unheard(err)
	}
	return d.take(version, c.Sample, f)
}

// unheard adds the possible cause to the error of a server that has answered nothing.
func (s *Server) unheard(err error) error {
	if errors.Is(err, errClosed) && !s.TLS {
		return fmt.Errorf("%w; if it speaks TLS, set --server-tls-ca; if it is a proxy such as nutcracker, give its servers instead", err)
	}
	return err
}

// errClosed is the error of a server that says nothing more.
var errClosed = errors.New("it closed the connection")

// cause reduces an error of the net package to its cause.
func cause(err error) error {
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("connecting timed out")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		return errClosed
	case errors.As(err, &op):
		return transport.Cause(op.Err)
	}
	return err
}
