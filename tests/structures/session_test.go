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

// ask sends a request and returns its answer: the line that came, or the block
// of a value. After an error the request may or may not have been carried out.
func (s *session) ask(request string) (line, value string, err error) {
	s.conn.SetDeadline(time.Now().Add(harness.Patience))
	if _, err = io.WriteString(s.conn, request); err == nil {
		line, value, err = readAnswer(s.in)
	}
	if err != nil {
		s.close()
	}
	return line, value, err
}

// readAnswer reads a line or, if that announces one, a value with the END
// behind it.
func readAnswer(in *bufio.Reader) (line, value string, err error) {
	if line, err = readLine(in); err != nil || !strings.HasPrefix(line, "VALUE ") {
		return line, "", err
	}
	words := strings.Fields(line)
	size, err := strconv.Atoi(words[len(words)-1])
	if err != nil {
		return "", "", fmt.Errorf("answered by %q", line)
	}
	block := make([]byte, size+len("\r\nEND\r\n"))
	if _, err = io.ReadFull(in, block); err != nil {
		return "", "", err
	}
	if end := string(block[size:]); end != "\r\nEND\r\n" {
		return "", "", fmt.Errorf("%q ends with %q", line, end)
	}
	return line, string(block[:size]), nil
}

func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	return strings.TrimSuffix(line, "\r\n"), err
}
