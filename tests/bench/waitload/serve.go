//go:build linux

package waitload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// glance is how often the crew looks whether it is interrupted.
const glance = 100 * time.Millisecond

// serve serves all connections until the time given, and further until what was asked for has come. Before each pass it calls
// begin, which returns when it is to be called next.
func (c *Crew) serve(ctx context.Context, until int64, begin func(now int64) (next int64, err error)) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		now := load.Now()
		next, err := begin(now)
		switch {
		case err != nil:
			return err
		case now >= until && c.finished():
			return nil
		case now >= until+int64(c.patience):
			return fmt.Errorf("%v after the end, %d of %d elements are not delivered, %d pushes not answered, and %d of %d waits over",
				c.patience, c.ledger.missing, len(c.ledger.pushes), c.unpushed, c.vain.Requests, c.wanted)
		}
		timeout := glance
		if next > now {
			timeout = min(timeout, time.Duration(next-now))
		}
		if err := c.pass(timeout); err != nil {
			return err
		}
	}
}

// finished reports whether all that was asked for has come.
func (c *Crew) finished() bool {
	return c.ledger.missing == 0 && c.unpushed == 0 && c.vain.Requests >= uint64(c.wanted)
}

// pass waits for answers, no longer than the time given, and serves those that come.
func (c *Crew) pass(timeout time.Duration) error {
	events, err := c.poll.Wait(timeout)
	if err != nil {
		return err
	}
	for _, event := range events {
		i := int(event.Fd)
		if i < len(c.clients) {
			err = c.receive(c.clients[i])
		} else {
			err = c.receive(c.pushers[i-len(c.clients)])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// receive reads all that has come on a connection.
func (c *Crew) receive(from *conn) error {
	for {
		n, err := unix.Read(from.fd, c.buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return err
		case n == 0:
			return errClosed
		}
		if err := c.take(from, c.buf[:n]); err != nil {
			return err
		}
	}
}

// take takes the answers in what has come.
func (c *Crew) take(from *conn, came []byte) error {
	if len(from.came) > 0 {
		came = append(from.came, came...)
	}
	for {
		a, length, err := c.dialect.next(came)
		if err != nil {
			return err
		}
		if a.kind == incomplete {
			from.came = append(from.came[:0], came...)
			return nil
		}
		if err := c.answered(from, a); err != nil {
			return err
		}
		came = came[length:]
	}
}

// answered is called when an answer has come.
func (c *Crew) answered(to *conn, a answer) error {
	now := load.Now()
	switch a.kind {
	case pushed:
		c.unpushed--
	case delivered:
		if err := c.ledger.deliver(a.element, now, to.process, to.list); err != nil {
			return err
		}
		return c.next(to, a.thanks)
	case timedOut:
		if c.wanted > 0 { // or it only asks again since nobody can wait for longer than a minute
			c.vain.Requests++
			if err := c.vain.Took.RecordValue(now - to.asked); err != nil {
				return err
			}
		}
		return c.next(to, "")
	}
	return nil
}
