//go:build linux

package main

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"
)

// Each contestant has a row, in which it is compared with the subject.
func TestTLSTable(t *testing.T) {
	c := cellOf(t, map[string][][2]float64{memverbs: {{200, 10}}, stunnelMemverbs: {{100, 40}}}, bar{stunnelMemverbs, cpu, 1})
	c.names, c.rivals = []string{memverbs, stunnelMemverbs}, []string{stunnelMemverbs}
	text := strings.Join(strings.Fields(tlsTable([]*cell{c}).String()), " ")
	for _, want := range []string{
		"| a test | memverbs | 200 | | 10.00 | |",
		"| ″ | stunnel + memverbs | 100 | 2.000 (2.00–2.00) | 40.00 | 0.250 (0.25–0.25), ≤ 1 ✓ |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the table doesn't say %q:\n%s", want, text)
		}
	}
}

// The certificate of a stage is made once. A client that trusts it can make a handshake with a server that shows it.
func TestCertificate(t *testing.T) {
	s := &stage{folder: t.TempDir()}
	c, err := s.certificate()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.certificate(); err != nil || again != c {
		t.Errorf("another certificate is made: %v", err)
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			conn.SetDeadline(time.Now().Add(patience))
			conn.(*tls.Conn).Handshake()
			conn.Close()
		}
	}()
	conn, err := tls.Dial("tcp", l.Addr().String(), c.client)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}
