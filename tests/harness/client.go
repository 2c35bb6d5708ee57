package harness

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Client is a connection to a server, over which a test sends exactly the bytes
// that it says. If what a method waits for does not come, the method fails the
// test and shows what was last sent and received.
type Client struct {
	t        testing.TB
	conn     net.Conn
	in       *bufio.Reader
	sent     tail
	received tail
}

// Dial connects to a server. The connection is closed with the test.
func Dial(t testing.TB, addr string) *Client {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, Patience)
	if err != nil {
		t.Fatal(err)
	}
	return over(t, conn)
}

// DialTLS is Dial for a server that speaks TLS. The handshake is made before it returns.
func DialTLS(t testing.TB, addr string, config *tls.Config) *Client {
	t.Helper()
	dialer := &tls.Dialer{NetDialer: &net.Dialer{Timeout: Patience}, Config: config}
	conn, err := dialer.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return over(t, conn)
}

func over(t testing.TB, conn net.Conn) *Client {
	t.Cleanup(func() { conn.Close() })
	c := &Client{t: t, conn: conn}
	c.in = bufio.NewReader(io.TeeReader(conn, &c.received))
	return c
}

// Addr returns the address by which the server knows the client.
func (c *Client) Addr() string { return c.conn.LocalAddr().String() }

// Ask sends request and expects reply.
func (c *Client) Ask(request, reply string) {
	c.t.Helper()
	c.Send(request)
	c.Expect(reply)
}

// Send sends text, in one write.
func (c *Client) Send(text string) {
	c.t.Helper()
	c.sent.Write([]byte(text))
	c.conn.SetWriteDeadline(time.Now().Add(Patience))
	if _, err := c.conn.Write([]byte(text)); err != nil {
		c.fail("sending: %v", err)
	}
}

// Expect reads reply, and fails at the first byte that is another.
func (c *Client) Expect(reply string) {
	c.t.Helper()
	for i := range len(reply) {
		b, err := c.readByte()
		if err != nil {
			c.fail("expected %q; after %q: %v", reply, reply[:i], err)
		}
		if b != reply[i] {
			c.in.UnreadByte()
			c.fail("expected %q; after %q came %q", reply, reply[:i], c.Rest())
		}
	}
}

// Line reads a line and returns it without its end.
func (c *Client) Line() string {
	c.t.Helper()
	line, err := c.ReadLine()
	if err != nil {
		c.fail("expected a line: %v", err)
	}
	return strings.TrimSuffix(line, "\r\n")
}

// Exactly reads n bytes.
func (c *Client) Exactly(n int) string {
	c.t.Helper()
	text := make([]byte, n)
	c.conn.SetReadDeadline(time.Now().Add(Patience))
	if read, err := io.ReadFull(c.in, text); err != nil {
		c.fail("expected %d bytes; after %d: %v", n, read, err)
	}
	return string(text)
}

// Until reads to the end of the line given, and returns all lines with it.
func (c *Client) Until(last string) string {
	c.t.Helper()
	var lines strings.Builder
	for {
		line, err := c.ReadLine()
		if err != nil {
			c.fail("expected a line %q: %v", last, err)
		}
		lines.WriteString(line)
		if line == last+"\r\n" {
			return lines.String()
		}
	}
}

// Closed expects the server to close the connection, and to say nothing more.
func (c *Client) Closed() {
	c.t.Helper()
	if b, err := c.readByte(); !Closed(err) {
		c.fail("expected the end of the connection, not %q, %v", b, err)
	}
}

// InStep checks that all that was asked has been answered, and that nothing
// has been answered that was not asked.
func (c *Client) InStep() {
	c.t.Helper()
	c.Send("version\r\n")
	if line := c.Line(); !strings.HasPrefix(line, "VERSION ") || c.in.Buffered() > 0 {
		c.fail("out of step: version was answered by %q", line+"\r\n"+c.Rest())
	}
}

// Close closes the connection.
func (c *Client) Close() { c.conn.Close() }

// Conn returns the connection, for a test that writes and reads at once.
func (c *Client) Conn() net.Conn { return c.conn }

// ReadLine reads a line, with its end. Unlike the other methods, it returns an
// error rather than failing the test.
func (c *Client) ReadLine() (string, error) {
	c.conn.SetReadDeadline(time.Now().Add(Patience))
	return c.in.ReadString('\n')
}

// Rest returns what else has been received, or will be in the next moment, to be
// shown when a test has failed.
func (c *Client) Rest() string {
	c.conn.SetReadDeadline(time.Now().Add(Patience / 100))
	rest, _ := io.ReadAll(io.LimitReader(c.in, tailSize))
	return string(rest)
}

func (c *Client) readByte() (byte, error) {
	if c.in.Buffered() == 0 {
		c.conn.SetReadDeadline(time.Now().Add(Patience))
	}
	return c.in.ReadByte()
}

func (c *Client) fail(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf(format, args...)
	c.t.Fatalf("sent     %q\nreceived %q", c.sent, c.received)
}

// Closed reports whether err, of a read, says that the other side has closed
// the connection.
func Closed(err error) bool {
	return err == io.EOF || errors.Is(err, syscall.ECONNRESET)
}

// tail keeps the last part of what is written to it.
type tail []byte

const tailSize = 2000

func (t *tail) Write(b []byte) (int, error) {
	*t = append(*t, b...)
	if surplus := len(*t) - tailSize; surplus > 0 {
		*t = append((*t)[:0], (*t)[surplus:]...)
	}
	return len(b), nil
}
