package packet

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// Client is a connection to a server on which packets are sent. Its methods fail the test if what
// they wait for does not come.
type Client struct {
	t    testing.TB
	conn *net.TCPConn
	in   *bufio.Reader
}

// Dial connects to a server. The connection is closed with the test.
func Dial(t testing.TB, addr string) *Client {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &Client{t: t, conn: conn.(*net.TCPConn), in: bufio.NewReader(conn)}
}

// Conn returns the connection.
func (c *Client) Conn() net.Conn { return c.conn }

// Send sends requests, in one write.
func (c *Client) Send(requests ...Request) {
	c.t.Helper()
	c.SendText(Text(requests...))
}

// Text returns packets as they are sent.
func Text(requests ...Request) string {
	var b strings.Builder
	for _, r := range requests {
		b.WriteString(r.String())
	}
	return b.String()
}

// SendText sends bytes, in one write.
func (c *Client) SendText(text string) {
	c.t.Helper()
	c.conn.SetWriteDeadline(time.Now().Add(harness.Patience))
	if _, err := io.WriteString(c.conn, text); err != nil {
		c.t.Fatalf("sending: %v", err)
	}
}

// CloseWrite says that no more will be sent.
func (c *Client) CloseWrite() {
	c.t.Helper()
	if err := c.conn.CloseWrite(); err != nil {
		c.t.Fatal(err)
	}
}

// Answer reads an answer.
func (c *Client) Answer() Answer {
	c.t.Helper()
	c.conn.SetReadDeadline(time.Now().Add(harness.Patience))
	a, err := Read(c.in)
	if err != nil {
		c.t.Fatalf("expected a packet: %v after %q", err, a.Header)
	}
	return a
}

// Ask sends a request and returns the answer to it.
func (c *Client) Ask(r Request) Answer {
	c.t.Helper()
	c.Send(r)
	return c.Answer()
}

// Expect reads an answer and compares its status and its value.
func (c *Client) Expect(status uint16, value string) {
	c.t.Helper()
	if a := c.Answer(); a.Status != status || a.Value != value {
		c.t.Errorf("answered with status 0x%02x and %.100q, expected 0x%02x and %.100q", a.Status, a.Value, status, value)
	}
}

// Closed expects the server to close the connection, and to say nothing more.
func (c *Client) Closed() {
	c.t.Helper()
	c.conn.SetReadDeadline(time.Now().Add(harness.Patience))
	if b, err := c.in.ReadByte(); !harness.Closed(err) {
		c.t.Fatalf("expected the end of the connection, not %q, %v", b, err)
	}
}
