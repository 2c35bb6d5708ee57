package tls

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// startTLS starts memverbs with TLS for clients, with a certificate of an authority.
func startTLS(t *testing.T, a *securetest.Authority, flags ...string) *harness.Memverbs {
	t.Helper()
	return harness.StartMemverbs(t, append(harness.ShowingCertificate(a), flags...)...)
}

// behindTLS starts n memcacheds that speak TLS, with certificates of an authority. It returns the
// flags of a memverbs that uses them.
func behindTLS(t *testing.T, a *securetest.Authority, version string, n int) []string {
	t.Helper()
	flags := []string{"--server-tls-ca", a.File}
	for range n {
		p := a.Issue()
		_, secure := harness.StartSecureMemcached(t, version, p.Cert, p.Key)
		flags = append(flags, "--upstream", secure)
	}
	return flags
}

// Clients and memcacheds that speak TLS, of both versions, get what they get without: small
// values and large ones, verbs, and thousands of pipelined requests, in order.
func TestTLSBothWays(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			a := securetest.NewAuthority(t)
			m := startTLS(t, a, behindTLS(t, a, version, 2)...)
			for _, spoken := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
				config := harness.Trusting(a)
				config.MaxVersion = spoken
				c := harness.DialTLS(t, m.Addr, config)
				c.Ask("set k 0 0 1\r\nv\r\nget k\r\n", "STORED\r\nVALUE k 0 1\r\nv\r\nEND\r\n")
				set := fmt.Sprintf("s%d", spoken)
				c.Ask("sadd "+set+" a b\r\nsmembers "+set+"\r\n", "STORED\r\nVALUE "+set+" 0 3\r\na b\r\nEND\r\n")
				askLarge(t, c, 1<<20-100)
				askPipelined(c, 10000)
				c.InStep()
			}
		})
	}
}

// askLarge sets and gets a value of size bytes, alone and with others.
func askLarge(t *testing.T, c *harness.Client, size int) {
	t.Helper()
	value := harness.Numbered(size)
	c.Ask(fmt.Sprintf("set large 0 0 %d\r\n%s\r\n", size, value), "STORED\r\n")
	for _, key := range []string{"large", "large", "none large"} {
		c.Send("get " + key + "\r\n")
		if reply := fmt.Sprintf("VALUE large 0 %d\r\n%s\r\nEND\r\n", size, value); c.Exactly(len(reply)) != reply {
			t.Error("the value is not the one that was stored")
		}
	}
}

// askPipelined sends n sets and gets, and reads the replies meanwhile.
func askPipelined(c *harness.Client, n int) {
	var requests, replies strings.Builder
	for i := range n {
		if i%2 == 0 {
			fmt.Fprintf(&requests, "set p%d 0 0 4\r\n%04d\r\n", i%100, i%10000)
			replies.WriteString("STORED\r\n")
		} else {
			fmt.Fprintf(&requests, "get p%d\r\n", i%100-1)
			fmt.Fprintf(&replies, "VALUE p%d 0 4\r\n%04d\r\nEND\r\n", i%100-1, (i-1)%10000)
		}
	}
	go io.WriteString(c.Conn(), requests.String())
	c.Expect(replies.String())
}

// A unix socket of the same pool has no TLS.
func TestTLSLeavesUnixSocketsAlone(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/s"
	a := securetest.NewAuthority(t)
	m := startTLS(t, a, "--listen", "unix:"+path)
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "version\r\nquit\r\n")
	if reply, err := io.ReadAll(conn); !strings.HasPrefix(string(reply), "VERSION ") {
		t.Errorf("the socket answers %q, %v", reply, err)
	}
	harness.DialTLS(t, m.Addr, harness.Trusting(a)).InStep()
}

// A client that says that it sends no more, by TLS or by TCP, gets all its replies, and then the
// end.
func TestTLSHalfClosed(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	a := securetest.NewAuthority(t)
	m := startTLS(t, a, "--upstream", store.Addr)
	value := harness.Numbered(100_000)
	harness.DialTLS(t, m.Addr, harness.Trusting(a)).Ask(fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", len(value), value), "STORED\r\n")
	const gets = 100
	for name, end := range map[string]func(c *tls.Conn) error{
		"TLS": func(c *tls.Conn) error { return c.CloseWrite() },
		"TCP": func(c *tls.Conn) error { return c.NetConn().(*net.TCPConn).CloseWrite() },
	} {
		c := harness.DialTLS(t, m.Addr, harness.Trusting(a))
		c.Send(strings.Repeat("get k\r\n", gets))
		if err := end(c.Conn().(*tls.Conn)); err != nil {
			t.Fatal(err)
		}
		for range gets {
			if reply := fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", len(value), value); c.Exactly(len(reply)) != reply {
				t.Fatalf("%s: a reply is not the value that was asked for", name)
			}
		}
		c.Conn().SetReadDeadline(time.Now().Add(harness.Patience))
		if n, err := c.Conn().Read(make([]byte, 1)); n > 0 || err != io.EOF { // an end without close_notify is another error
			t.Errorf("%s: after all replies came %d bytes and %v, expected the end", name, n, err)
		}
	}
}

// Before the proxy closes a connection it says so in TLS, by close_notify.
func TestTLSQuit(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	c := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	c.Send("get a\r\nquit\r\n")
	c.Expect("END\r\n")
	c.Conn().SetReadDeadline(time.Now().Add(harness.Patience))
	if n, err := c.Conn().Read(make([]byte, 1)); n > 0 || err != io.EOF {
		t.Errorf("after quit came %d bytes and %v, expected the end", n, err)
	}
}

// Those who speak plain text where TLS is spoken, and the other way round, are told so at once.
func TestTLSMixedUp(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m, plain := startTLS(t, a), harness.StartMemverbs(t)
	for _, text := range []string{"mn\r\n", "get k\r\n", "\x80" + strings.Repeat("\x00", 23), strings.Repeat("x", 10000)} {
		c := harness.Dial(t, m.Addr)
		c.Send(text)
		c.Expect("SERVER_ERROR this address speaks TLS only\r\n")
		c.Closed()
	}
	harness.Await(t, "the log to tell", func() bool {
		return strings.Contains(m.Log(), `msg="TLS handshake with a client failed"`) && strings.Contains(m.Log(), `reason="it does not speak TLS"`)
	})
	garbage := harness.Dial(t, m.Addr)
	garbage.Send("\x16\x03\x01\x00\x05hello")
	if _, err := io.ReadAll(garbage.Conn()); err != nil && !harness.Closed(err) {
		t.Errorf("garbage is followed by %v", err)
	}
	if _, err := tls.Dial("tcp", plain.Addr, harness.Trusting(a)); err == nil || !strings.Contains(err.Error(), "does not look like a TLS handshake") {
		t.Errorf("a client that speaks TLS to a plain address gets %v", err)
	}
	harness.DialTLS(t, m.Addr, harness.Trusting(a)).InStep()
	harness.Dial(t, plain.Addr).InStep()
}

// Who watches a port connects and closes, or resets, the connection: that is no failed handshake. A
// failure names the listener.
func TestTLSPortThatIsWatched(t *testing.T) {
	t.Parallel()
	m := startTLS(t, securetest.NewAuthority(t))
	for i := range 20 {
		conn := harness.Dial(t, m.Addr).Conn().(*net.TCPConn)
		if i%2 == 0 {
			conn.SetLinger(0) // so that it is reset
		}
		conn.Close()
	}
	c := harness.Dial(t, m.Addr)
	c.Ask("mn\r\n", "SERVER_ERROR this address speaks TLS only\r\n")
	harness.Await(t, "the log to tell of the failure", func() bool {
		return strings.Contains(m.Log(), "client="+c.Addr()+" listener="+m.Addr+` reason="it does not speak TLS" more=0`)
	})
}

// tlsCounts returns what the statistics tell of handshakes: full ones, resumed ones, failed ones.
func tlsCounts(c *harness.Client) string {
	c.Send("stats proxy\r\n")
	var counts []string
	for line := range strings.Lines(c.Until("END")) {
		if words := strings.Fields(line); len(words) == 3 && strings.HasPrefix(words[1], "tls_handshakes") {
			counts = append(counts, words[2])
		}
	}
	return strings.Join(counts, " ")
}

// A client resumes its session, with either version, also after a reload.
func TestTLSResumption(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	p := a.Issue()
	store := harness.StartMemcached(t, harness.Newest)
	r := harness.StartReloading(t, store.Addr)
	secure(t, r, store.Addr, p)
	for i, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		config := harness.Trusting(a)
		config.MaxVersion, config.ClientSessionCache = version, tls.NewLRUClientSessionCache(10)
		for n, resumes := range []bool{false, true, true} {
			c := harness.DialTLS(t, r.Addr, config)
			c.InStep() // reads the ticket
			if got := c.Conn().(*tls.Conn).ConnectionState().DidResume; got != resumes {
				t.Errorf("version %x, connection %d: the session is resumed: %v, expected %v", version, n, got, resumes)
			}
			r.Reload(t, "msg=reloaded")
		}
		if counts, expected := tlsCounts(harness.DialTLS(t, r.Addr, harness.Trusting(a))), fmt.Sprintf("%d %d 0", 2+2*i, 2+2*i); counts != expected {
			t.Errorf("the statistics have %q full, resumed and failed handshakes, expected %q", counts, expected)
		}
	}
}

// secure has the file of a memverbs ask for TLS, and reloads it.
func secure(t *testing.T, r *harness.Reloading, server string, p securetest.Pair, more ...string) {
	t.Helper()
	r.Write(t, r.Addr, server)
	appendTo(t, r.File, fmt.Sprintf("    tls-cert: %q\n    tls-key: %q\n%s", p.Cert, p.Key, strings.Join(more, "")))
	r.Reload(t, "msg=reloaded")
}

// verifies reports whether err says that a certificate is not to be trusted.
func verifies(err error) bool {
	_, wrong := err.(*tls.CertificateVerificationError)
	return wrong
}

// A new certificate in place of the old one is used by new connections, without a reload: when
// both files fit. The connections that there are go on.
func TestTLSCertificateIsReplaced(t *testing.T) {
	t.Parallel()
	old, next := securetest.NewAuthority(t), securetest.NewAuthority(t)
	p, q := old.Issue(), next.IssueUntil(time.Now().Add(time.Hour))
	m := harness.StartMemverbs(t, "--tls-cert", p.Cert, "--tls-key", p.Key)
	c := harness.DialTLS(t, m.Addr, harness.Trusting(old))
	const refused = `level=ERROR msg="files for TLS have changed and can't be used: the old ones remain in use"`
	copyFile(t, q.Cert, p.Cert)
	harness.Await(t, "the log to say that the key is another", func() bool {
		harness.DialTLS(t, m.Addr, harness.Trusting(old)).InStep()
		return strings.Contains(m.Log(), refused+` reason="the key `+p.Key+` is not that of the certificate`)
	})
	copyFile(t, q.Key, p.Key)
	harness.Await(t, "the new certificate to be used", func() bool {
		conn, err := tls.Dial("tcp", m.Addr, harness.Trusting(next))
		if err == nil {
			conn.Close()
		} else if !verifies(err) {
			t.Fatal(err)
		}
		return err == nil
	})
	harness.Await(t, "the log to say that the new certificate expires soon", func() bool {
		return strings.Contains(m.Log(), `level=WARN msg="the certificate `+p.Cert+" expires at "+q.Leaf.NotAfter.Format(time.RFC3339))
	})
	if n := strings.Count(m.Log(), refused); n != 1 {
		t.Errorf("the log has %d lines about the key, expected 1", n)
	}
	if _, err := tls.Dial("tcp", m.Addr, harness.Trusting(old)); !verifies(err) {
		t.Errorf("with the old authority came %v", err)
	}
	c.InStep()
}
