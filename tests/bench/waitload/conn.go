//go:build linux

package waitload

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// conn is the connection of a client, or one on which elements are pushed.
type conn struct {
	fd            int
	process, list int    // where it is connected to, and what it waits for
	came          []byte // an answer that is not complete
	asked         int64  // when it asked last
	asks          int    // how often it is yet to ask
}

// enter connects a client, and does what comes before it waits.
func enter(d Dialect, t load.Target, process, list int) (*conn, error) {
	c, err := open(t, process)
	if err != nil {
		return nil, err
	}
	c.list = list
	if err := c.exchange(d); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// open connects.
func open(t load.Target, process int) (*conn, error) {
	fd, err := load.Connect(t)
	return &conn{fd: fd, process: process}, err
}

func (c *conn) close() { unix.Close(c.fd) }

// exchange sends what comes first, and waits for the answers, while the socket blocks.
func (c *conn) exchange(d Dialect) error {
	limit := unix.NsecToTimeval(int64(patience))
	if err := unix.SetsockoptTimeval(c.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	request, answers := d.enter(c.list)
	if err := c.send(request); err != nil {
		return err
	}
	var room [1000]byte
	came := 0
	for answers > 0 {
		n, err := unix.Read(c.fd, room[came:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("%q was not answered: %w", request, err)
		case n == 0:
			return errClosed
		}
		came += n
		for rest := room[:came]; answers > 0; answers-- {
			a, length, err := d.next(rest)
			if err != nil {
				return err
			}
			if a.kind == incomplete {
				came = copy(room[:], rest)
				break
			}
			if a.kind != noted && a.kind != timedOut {
				return fmt.Errorf("%q was answered by %q", request, rest)
			}
			rest = rest[length:]
		}
	}
	return nil
}

// send sends a request, which is so short that it fits into the socket's buffer unless the server does not read.
func (c *conn) send(request string) error {
	for len(request) > 0 {
		n, err := unix.Write(c.fd, []byte(request))
		switch {
		case err == nil:
			request = request[n:]
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("%.60q can't be sent: %w", request, err)
		}
	}
	return nil
}

// patience is how long a server may take for what it should do at once.
const patience = 30 * time.Second

var errClosed = errors.New("the server has closed a connection")
