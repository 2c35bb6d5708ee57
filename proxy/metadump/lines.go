package metadump

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// longestLine is how long a line of a metadump may be, in bytes: more than a key of 250 bytes, each of them encoded, and all other
// fields. As much is read at once.
const longestLine = 32 << 10

// lines is what a server sends, line by line.
type lines struct {
	conn timed
	in   *bufio.Reader
}

func newLines(conn net.Conn, silence time.Duration, until time.Time) lines {
	t := timed{conn, silence, until}
	return lines{t, bufio.NewReaderSize(t, longestLine)}
}

// ask sends a command and returns the first line of the answer.
func (l *lines) ask(command string) ([]byte, error) {
	if _, err := io.WriteString(l.conn, command+"\r\n"); err != nil {
		return nil, Cause(err)
	}
	return l.next()
}

// next reads a line and returns it without its end. It is valid until the next call.
func (l *lines) next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("it is no memcached: it sent a line that begins with %q and does not end", shorten(line))
	}
	if err != nil {
		return nil, Cause(err)
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'}), nil
}

// timed is a connection on which each read and write has a deadline.
type timed struct {
	conn    net.Conn
	silence time.Duration // how long one may take
	until   time.Time     // when all must be done
}

// Read reads in time.
func (t timed) Read(p []byte) (int, error) {
	if err := t.limit(); err != nil {
		return 0, err
	}
	return t.conn.Read(p)
}

// Write writes in time.
func (t timed) Write(p []byte) (int, error) {
	if err := t.limit(); err != nil {
		return 0, err
	}
	return t.conn.Write(p)
}

func (t timed) limit() error {
	deadline := time.Now().Add(t.silence)
	if t.until.Before(deadline) {
		deadline = t.until
	}
	return t.conn.SetDeadline(deadline)
}
