package tls

import (
	"bytes"
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

// Three hundred clients that stall in their handshakes delay nobody: others are served before any of
// them is given up. They are disconnected in the end.
func TestTLSStalledHandshakes(t *testing.T) {
	t.Parallel()
	const stalled = 300
	a := securetest.NewAuthority(t)
	m := startTLS(t, a)
	hello := clientHello(t)
	var conns []net.Conn
	for i := range stalled {
		conn, err := net.DialTimeout("tcp", m.Addr, harness.Patience)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		part := i % 2 // nothing or a half; or everything, which costs the proxy a signature
		if i%10 == 0 {
			part = 2
		}
		conn.Write(hello[:len(hello)*part/2])
		conns = append(conns, conn)
	}
	for range 3 { // which are accepted after those that stall
		harness.DialTLS(t, m.Addr, harness.Trusting(a)).InStep()
	}
	bystander := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	if counts := tlsCounts(bystander); counts != "4 0 0" {
		t.Errorf("the statistics have %q full, resumed and failed handshakes, expected 4, 0 and 0", counts)
	}
	for _, conn := range conns {
		conn.SetReadDeadline(time.Now().Add(harness.Patience))
		if _, err := io.Copy(io.Discard, conn); err != nil && !harness.Closed(err) {
			t.Fatalf("a client that stalls gets %v, expected the end", err)
		}
	}
	bystander.InStep()
	if counts := tlsCounts(bystander); !strings.HasPrefix(counts, "4 0 ") || strings.HasSuffix(counts, " 0") {
		t.Errorf("the statistics have %q full, resumed and failed handshakes, expected 4, 0 and some", counts)
	}
}

// clientHello returns how a client begins its handshake.
func clientHello(t *testing.T) []byte {
	t.Helper()
	near, far := net.Pipe()
	go tls.Client(near, &tls.Config{InsecureSkipVerify: true}).Handshake()
	hello := make([]byte, 4096)
	n, err := far.Read(hello)
	if err != nil {
		t.Fatal(err)
	}
	near.Close()
	far.Close()
	return hello[:n]
}

// Handshakes count as clients.
func TestTLSHandshakesCountAsClients(t *testing.T) {
	t.Parallel()
	a := securetest.NewAuthority(t)
	m := startTLS(t, a, "--max-clients", "2")
	c := harness.DialTLS(t, m.Addr, harness.Trusting(a))
	c.InStep()
	stalls := harness.Dial(t, m.Addr)
	for {
		conn := harness.Dial(t, m.Addr)
		conn.Conn().SetReadDeadline(time.Now().Add(harness.Patience))
		answer, err := io.ReadAll(conn.Conn())
		if string(answer) == "SERVER_ERROR too many open connections\r\n" {
			break
		}
		if err != nil && !harness.Closed(err) {
			t.Fatalf("a third client gets %q, %v", answer, err)
		}
	}
	stalls.Close()
	harness.Await(t, "the room to be free", func() bool {
		_, err := tlsVersion(m.Addr, harness.Trusting(a))
		return err == nil
	})
}

// A client that asks for 2 GB of values by TLS, and does not read, takes little memory, and is in
// nobody's way. When it reads, it gets everything.
func TestTLSClientThatDoesNotRead(t *testing.T) {
	const gets, size = 20000, 100 << 10
	a := securetest.NewAuthority(t)
	m := harness.StartPlainMemverbs(t, append(harness.ShowingCertificate(a), behindTLS(t, a, harness.Newest, 1)...)...)
	value := harness.Numbered(size)
	c, bystander := harness.DialTLS(t, m.Addr, harness.Trusting(a)), harness.DialTLS(t, m.Addr, harness.Trusting(a))
	c.Ask(fmt.Sprintf("set big 0 0 %d\r\n%s\r\n", size, value), "STORED\r\n")
	go io.WriteString(c.Conn(), strings.Repeat("get big\r\n", gets))
	total := ""
	harness.Await(t, "the proxy to stop asking", func() bool {
		before := total
		bystander.Send("stats proxy\r\n")
		stats := bystander.Until("END")
		_, total, _ = strings.Cut(stats, "STAT command_get ")
		total, _, _ = strings.Cut(total, "\r\n")
		bystander.Ask("get none\r\n", "END\r\n")
		return total != "1" && total != "0" && before != "" && sameBut(before, total)
	})
	m.CheckResident(t, "20 000 gets of 100 kB by TLS, nothing read yet")
	reply := []byte(fmt.Sprintf("VALUE big 0 %d\r\n%s\r\nEND\r\n", size, value))
	got := make([]byte, len(reply))
	for i := range 2000 {
		c.Conn().SetReadDeadline(time.Now().Add(harness.Patience))
		if _, err := io.ReadFull(c.Conn(), got); err != nil || !bytes.Equal(got, reply) {
			t.Fatalf("reply %d is not the value that was asked for (%v)", i, err)
		}
	}
	bystander.InStep()
	m.CheckResident(t, "200 MB of them read")
}

// sameBut reports whether between two counts lies only the get of the bystander.
func sameBut(before, after string) bool {
	var b, a int
	fmt.Sscan(before, &b)
	fmt.Sscan(after, &a)
	return a == b+1
}
