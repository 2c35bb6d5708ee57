package differential

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// sideName is one of the two that are compared.
type sideName int

const (
	direct sideName = iota
	proxied
)

func (s sideName) String() string { return [...]string{"memcached", "memverbs"}[s] }

// side is a connection to memcached, directly or through the proxy.
type side struct {
	conn     net.Conn
	in       *bufio.Reader
	protocol protocol
}

func dial(addr string, p protocol) (*side, error) {
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		return nil, err
	}
	return &side{conn: conn, in: bufio.NewReaderSize(conn, 64<<10), protocol: p}, nil
}

// unit is a line, and the data block after it if it announces one, or a packet.
type unit struct {
	line   string // with its end; the header of a packet
	data   string // with its end; the rest of a packet
	packet bool
	ends   bool // the connection ended instead
}

func (u unit) String() string {
	if u.ends {
		return "the end of the connection"
	}
	if u.packet {
		return fmt.Sprintf("%s with %s", abridge(u.line), abridge(u.data))
	}
	return abridge(u.line + u.data)
}

// exchange sends the pieces, each in a write of its own, and reads until the
// answers to all the probes have come. It returns what came before each of
// them. An error is that of the network: an answer that does not come.
func (s *side) exchange(pieces []string, probes []string) ([][]unit, error) {
	s.conn.SetDeadline(time.Now().Add(harness.Patience))
	written := make(chan error, 1)
	go func() {
		for _, p := range pieces {
			if _, err := io.WriteString(s.conn, p); err != nil {
				written <- err
				return
			}
		}
		written <- nil
	}()
	var groups [][]unit
	for _, probe := range probes {
		group, err := s.until(probe)
		groups = append(groups, group)
		if err != nil {
			return groups, err
		}
	}
	return groups, <-written
}

// until reads units up to the line given, which it drops.
func (s *side) until(line string) ([]unit, error) {
	var group []unit
	for {
		u, err := s.unit()
		if u.line == line {
			return group, nil
		}
		if u.line != "" {
			group = append(group, u)
		}
		if harness.Closed(err) {
			return append(group, unit{ends: true}), err
		}
		if err != nil {
			return group, fmt.Errorf("waiting for %q: %w", line, err)
		}
	}
}

// unit reads one unit.
func (s *side) unit() (u unit, err error) {
	if s.protocol == packets {
		a, err := packet.Read(s.in)
		return unit{line: a.Header, data: a.Body(), packet: true}, err
	}
	if u.line, err = s.in.ReadString('\n'); err != nil {
		return u, err
	}
	size := -1
	switch words := u.words(); {
	case words[0] == "VALUE" && len(words) >= 4:
		size, err = strconv.Atoi(words[3])
	case words[0] == "VA" && len(words) >= 2:
		size, err = strconv.Atoi(words[1])
	}
	if size < 0 || err != nil {
		return u, nil
	}
	data := make([]byte, size+2)
	n, err := io.ReadFull(s.in, data)
	u.data = string(data[:n])
	return u, err
}

// words returns the words of the line. Only a space ends one: keys may hold
// any other white space.
func (u unit) words() []string {
	return strings.Split(strings.TrimSuffix(u.line, "\r\n"), " ")
}

// last sends text and reads what comes until the connection ends.
func (s *side) last(text string) (string, error) {
	s.conn.SetDeadline(time.Now().Add(harness.Patience))
	if _, err := io.WriteString(s.conn, text); err != nil {
		return "", err
	}
	return s.rest()
}

// lastHalf is last for a client that says that it sends no more.
func (s *side) lastHalf(text string) (string, error) {
	s.conn.SetDeadline(time.Now().Add(harness.Patience))
	if _, err := io.WriteString(s.conn, text); err != nil {
		return "", err
	}
	if err := s.conn.(*net.TCPConn).CloseWrite(); err != nil {
		return "", err
	}
	return s.rest()
}

// rest reads what comes until the connection ends.
func (s *side) rest() (string, error) {
	said, err := io.ReadAll(s.in)
	if harness.Closed(err) {
		err = nil
	}
	return string(said), err
}
