//go:build linux

package connload

import (
	"bufio"
	"crypto/tls"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/securetest"
)

// start starts a server that answers each connection with a miss, and resumes sessions or does not.
func start(t *testing.T, resumes bool) load.Target {
	t.Helper()
	authority := securetest.NewAuthority(t)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates:           []tls.Certificate{authority.Issue().Certificate},
		SessionTicketsDisabled: !resumes,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := bufio.NewReader(conn).ReadString('\n'); err == nil {
					io.WriteString(conn, miss.Reply)
				}
			}()
		}
	}()
	return load.Target{Network: "tcp", Addr: l.Addr().String(), TLS: &tls.Config{RootCAs: authority.Pool, ServerName: "127.0.0.1"}}
}

var miss = Visit{Request: "get nothing\r\n", Reply: "END\r\n"}

// run makes visits for a moment.
func run(target load.Target, visit Visit) (load.Count, error) {
	c, err := Open(target, 3, visit)
	if err != nil {
		return load.Count{}, err
	}
	defer c.Close()
	from := load.Now()
	return c.Run(load.Window{From: from, Until: from + int64(300*time.Millisecond)})
}

func TestVisits(t *testing.T) {
	target := start(t, true)
	for _, resume := range []bool{false, true} {
		visit := miss
		visit.Resume = resume
		n, err := run(target, visit)
		for again := 0; err == nil && n.Requests == 0 && again < 10; again++ { // as the machine is busy
			n, err = run(target, visit)
		}
		if err != nil || n.Requests == 0 || n.Took.TotalCount() != int64(n.Requests) {
			t.Errorf("resume %v: %d visits, %v", resume, n.Requests, err)
		}
	}
}

// What is not as it should be fails the load.
func TestVisitsFail(t *testing.T) {
	target := start(t, false)
	resumed, wrong := miss, miss
	resumed.Resume = true
	wrong.Reply = "NO!\r\n"
	for want, visit := range map[string]Visit{"resumed is false instead of true": resumed, `"END\r\n" instead of "NO!\r\n"`: wrong} {
		if _, err := run(target, visit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %s", err, want)
		}
	}
}
