package structures

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// session is a client's connection to a memverbs, which may be cut at any
// time. It is made when it is needed.
type session struct {
	addr string
	conn net.Conn
	in   *bufio.Reader
}

// connect makes sure that there is a connection. It returns false if nobody
// listens.
func (s *session) connect() bool {
	if s.conn != nil {
		return true
	}
	conn, err := net.DialTimeout("tcp", s.addr, harness.Patience)
	if err != nil {
		return false
	}
	s.conn, s.in = conn, bufio.NewReader(conn)
	return true
}

func (s *session) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// ask is exchange for an answer of a line or one value.
func (s *session) ask(request string) (line, value string, err error) {
	r, err := s.exchange(request)
	return r.line, r.value(), err
}

// exchange sends a request and returns its answer. After an error the request may or may not
// have been carried out.
func (s *session) exchange(request string) (r reply, err error) {
	s.conn.SetDeadline(time.Now().Add(harness.Patience))
	if _, err = io.WriteString(s.conn, request); err == nil {
		r, err = readReply(s.in)
	}
	if err != nil {
		s.close()
	}
	return r, err
}

// reply is an answer: a line, or values, of which it is the first line.
type reply struct {
	line   string
	values []value
}

// value is a block of data and the words of the line before it, but for VALUE and the size.
type value struct {
	name, flags string
	stamp       string // the word behind the size, which only tasks have
	data        string
}

// value returns the data of the first value.
func (r reply) value() string {
	if len(r.values) == 0 {
		return ""
	}
	return r.values[0].data
}

func (r reply) String() string {
	text := r.line
	for _, v := range r.values {
		text += " " + v.name + "=" + v.data
	}
	return text
}

// readReply reads a line or, if that announces one, values up to the END behind them.
func readReply(in *bufio.Reader) (r reply, err error) {
	if r.line, err = readLine(in); err != nil || !strings.HasPrefix(r.line, "VALUE ") {
		return r, err
	}
	for line := r.line; line != "END"; {
		v, err := readValue(in, line)
		if err != nil {
			return r, err
		}
		r.values = append(r.values, v)
		if line, err = readLine(in); err != nil {
			return r, err
		}
	}
	return r, nil
}

// readValue reads the block that a line announces.
func readValue(in *bufio.Reader, line string) (v value, err error) {
	words := strings.Fields(line)
	if len(words) == 5 {
		v.stamp = words[4]
	} else if len(words) != 4 {
		return v, fmt.Errorf("answered by %q", line)
	}
	size, err := strconv.Atoi(words[3])
	if err != nil {
		return v, fmt.Errorf("answered by %q", line)
	}
	block := make([]byte, size+len("\r\n"))
	if _, err = io.ReadFull(in, block); err != nil {
		return v, err
	}
	if end := string(block[size:]); end != "\r\n" {
		return v, fmt.Errorf("%q ends with %q", line, end)
	}
	v.name, v.flags, v.data = words[1], words[2], string(block[:size])
	return v, nil
}

func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	return strings.TrimSuffix(line, "\r\n"), err
}
