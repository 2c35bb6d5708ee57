//go:build linux

package taskload

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// patience is how long a server may take to answer.
const patience = 5 * time.Second

// conn is a connection on which lines and blocks of data come.
type conn struct {
	net.Conn
	in *bufio.Reader
}

func dial(t load.Target) (conn, error) {
	c, err := net.DialTimeout(t.Network, t.Addr, patience)
	if err != nil {
		return conn{}, err
	}
	return conn{c, bufio.NewReader(c)}, nil
}

// Close closes the connection.
func (c conn) Close() { c.Conn.Close() }

// ask sends a request and returns the first line of its answer.
func (c conn) ask(request []byte) (line string, err error) {
	c.SetDeadline(time.Now().Add(patience))
	if _, err := c.Write(request); err != nil {
		return "", err
	}
	return c.line()
}

// line reads a line.
func (c conn) line() (string, error) {
	line, err := c.in.ReadString('\n')
	return strings.TrimSuffix(line, "\r\n"), err
}

// block reads the content of a task and the end of its line.
func (c conn) block() error {
	came := make([]byte, size+len("\r\n"))
	if _, err := io.ReadFull(c.in, came); err != nil {
		return err
	}
	if string(came) != content+"\r\n" {
		return fmt.Errorf("a task has the content %q", came)
	}
	return nil
}

// expect sends a request that must be answered by a line that begins as given.
func (c conn) expect(answer string, request []byte) error {
	line, err := c.ask(request)
	if err == nil && !strings.HasPrefix(line, answer) {
		err = fmt.Errorf("%.60q was answered by %q", request, line)
	}
	return err
}
