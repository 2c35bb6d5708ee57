package secure

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/securetest"
)

// testPatience is how long anything that is bound to happen may take.
const testPatience = 20 * time.Second

// pair is a session and the client at its other end.
type pair struct {
	*Session
	out    bytes.Buffer // what the session has to send
	client *tls.Conn
	keys   bytes.Buffer // the client's secrets, a line for each
}

// newServer returns the side of a listener with a certificate of an authority.
func newServer(t *testing.T, a *securetest.Authority) *Server {
	t.Helper()
	files := a.Issue()
	s, err := NewServer(ServerOptions{Cert: files.Cert, Key: files.Key, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// connect makes a handshake with a client, which sends first right after it.
func connect(t *testing.T, version uint16, first string) *pair {
	t.Helper()
	a := securetest.NewAuthority(t)
	s := newServer(t, a)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := &pair{}
	dialed := make(chan error, 1)
	go func() {
		conn, err := tls.Dial("tcp", l.Addr().String(), &tls.Config{RootCAs: a.Pool, ServerName: "localhost", MaxVersion: version, KeyLogWriter: &p.keys})
		if err == nil {
			conn.SetDeadline(time.Now().Add(testPatience))
			p.client = conn
			_, err = io.WriteString(conn, first)
		}
		dialed <- err
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p.Session, err = NewHandshakes(slog.New(slog.DiscardHandler)).Take(conn, "here").Shake(s)
	if wrong := <-dialed; err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	t.Cleanup(func() { conn.Close(); p.client.Close() })
	p.Begin(&p.out)
	return p
}

// receive returns the plaintext of what arrives, until n bytes have or the session ends. It feeds
// step bytes at a time.
func (p *pair) receive(t *testing.T, n, step int) (text string, end error) {
	t.Helper()
	p.Conn.SetReadDeadline(time.Now().Add(testPatience))
	received, opened := make([]byte, step), make([]byte, 1000)
	for size := 0; ; {
		p.Feed(received[:size])
		for more := true; more; {
			var got int
			if got, more, end = p.Open(opened); got > 0 {
				text += string(opened[:got])
			}
		}
		if len(text) >= n && n > 0 || end != nil {
			return text, end
		}
		var err error
		if size, err = p.Conn.Read(received); err != nil {
			t.Fatalf("after %q: %v", text, err)
		}
	}
}

// What arrives in pieces of any size, and what came together with the end of the handshake, is
// opened; what is sealed is read by the client; the end is told both ways.
func TestSession(t *testing.T) {
	t.Parallel()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		for _, step := range []int{1, 7, 64 << 10} {
			first := strings.Repeat("first", 4000)
			p := connect(t, version, first)
			if text, err := p.receive(t, len(first), step); text != first || err != nil {
				t.Fatalf("opened %d bytes, %v, expected %d", len(text), err, len(first))
			}
			reply := strings.Repeat("reply", 10000)
			if err := p.Seal([]byte(reply)); err != nil {
				t.Fatal(err)
			}
			if over := p.out.Len() - len(reply); over <= 0 || over > (len(reply)/MaxRecord+1)*MaxOverhead {
				t.Errorf("%d bytes are sealed as %d", len(reply), p.out.Len())
			}
			p.Finish()
			go p.Conn.Write(p.out.Bytes())
			if got, err := io.ReadAll(p.client); string(got) != reply || err != nil {
				t.Errorf("the client reads %d bytes, %v, expected %d", len(got), err, len(reply))
			}
			io.WriteString(p.client, "last")
			p.client.CloseWrite()
			if text, err := p.receive(t, 0, step); text != "last" || err != io.EOF {
				t.Errorf("at the end came %q and %v", text, err)
			}
		}
	}
}

// Garbage in place of a record ends the session, and the client is told.
func TestSessionGarbage(t *testing.T) {
	t.Parallel()
	p := connect(t, tls.VersionTLS13, "x")
	p.receive(t, 1, 100)
	io.WriteString(p.client.NetConn(), "\x17\x03\x03\x00\x20"+strings.Repeat("x", 32))
	_, err := p.receive(t, 0, 100)
	if wrong := (*Error)(nil); !errors.As(err, &wrong) || err.Error() != "TLS: it breaks the protocol: bad record MAC" {
		t.Errorf("the session ends with %v", err)
	}
	p.Conn.Write(p.out.Bytes())
	if _, err := p.client.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "bad record MAC") {
		t.Errorf("the client gets %v", err)
	}
}
