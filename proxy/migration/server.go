package migration

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Server is a server of the pool.
type Server struct {
	Name string
	// Dial returns a connection on which the server waits for commands.
	Dial func(context.Context) (net.Conn, error)
}

// patience is how long a server may take to connect, and to answer.
const patience = 2 * time.Second

// session is a connection to a server. It is used by one goroutine.
type session struct {
	*Server
	conn net.Conn
	in   *bufio.Reader
}

// open connects if there is no connection.
func (s *session) open(ctx context.Context) error {
	if s.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := s.Dial(ctx)
	if err != nil {
		return err
	}
	s.conn, s.in = conn, bufio.NewReaderSize(conn, longestLine)
	return nil
}

// close closes the connection, if there is one.
func (s *session) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// ask sends commands and returns a reply to each of them. If it returns an error, the connection is closed.
func (s *session) ask(ctx context.Context, commands string, n int) (replies []protocol.Reply, err error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	until := time.Now().Add(patience)
	if end, has := ctx.Deadline(); has && end.Before(until) {
		until = end
	}
	s.conn.SetDeadline(until)
	if _, err = io.WriteString(s.conn, commands); err == nil {
		replies, err = s.read(n)
	}
	if err != nil {
		s.close()
	}
	return replies, err
}

const (
	// longestReply is how long the value in a reply may be, and longestLine the line before it, in bytes.
	longestReply = 1 << 20
	longestLine  = 4 << 10
)

func (s *session) read(n int) (replies []protocol.Reply, err error) {
	for range n {
		begin, err := s.in.ReadSlice('\n') // which fails if the line does not fit into the buffer
		if err != nil {
			return nil, err
		}
		line := bytes.Clone(begin)
		if size, has := valueSize(line); has {
			if size > longestReply {
				return nil, fmt.Errorf("a value of %d bytes", size)
			}
			data := make([]byte, size+len("\r\n"))
			if _, err := io.ReadFull(s.in, data); err != nil {
				return nil, err
			}
			line = append(line, data...)
		}
		var reply protocol.Reply
		if n, _, err := protocol.ParseReply(line, &reply); err != nil || n != len(line) {
			return nil, fmt.Errorf("it answered %.60q", line)
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// valueSize returns the size of the value that follows a line of a meta command.
func valueSize(line []byte) (size int, has bool) {
	rest, is := bytes.CutPrefix(line, []byte("VA "))
	if !is {
		return 0, false
	}
	word, _ := protocol.NextWord(bytes.TrimSpace(rest))
	size, err := strconv.Atoi(string(word))
	return size, err == nil && size >= 0
}

// metaKey returns a key as a word of a meta command, with the flag that it needs.
func metaKey(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return base64.StdEncoding.EncodeToString(key) + " b"
}
