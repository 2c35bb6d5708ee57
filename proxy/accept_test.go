package proxy

import (
	"fmt"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// poor is a listener that fails to accept for lack of descriptors, that many times, and
// is then closed.
type poor struct{ times int }

func (p *poor) Accept() (net.Conn, error) {
	if p.times--; p.times < 0 {
		return nil, net.ErrClosed
	}
	return nil, syscall.EMFILE
}

func (p *poor) Close() error   { return nil }
func (p *poor) Addr() net.Addr { return &net.TCPAddr{} }

// Clients that can't be accepted fill no log: there is a line a second at most, with how many others there were, and with
// what to do.
func TestClientsThatCannotBeAcceptedAreLoggedOnceASecond(t *testing.T) {
	log, began := &logged{}, time.Now()
	s := newServer(1)
	s.shared.Log = slog.New(slog.NewTextHandler(log, nil))
	const times = 8
	s.accept(&config.Socket{Listener: &poor{times: times}})
	took := time.Since(began)
	told, more := 0, 0
	for line := range strings.Lines(log.String()) {
		var others int
		_, rest, _ := strings.Cut(line, `msg="cannot accept a client" address=:0 error="too many open files; raise the limit of open files: ulimit -n, or LimitNOFILE in a unit of systemd" more=`)
		if n, _ := fmt.Sscanf(rest, "%d\n", &others); n != 1 {
			t.Errorf("logged: %s", line)
		}
		told, more = told+1, more+others
	}
	if most := 1 + int(took/time.Second); told == 0 || told > most || told+more > times || told == most && most == 1 && more > 0 {
		t.Errorf("in %v, %d failures were told in %d lines, which name %d others:\n%s", took, times, told, more, log)
	}
}

// The proxy survives that clients can't be accepted, and counts it by memcached's name.
func TestClientsThatCannotBeAccepted(t *testing.T) {
	s := startServer(t, 1, oldUpstream(t))
	s.accept(&config.Socket{Listener: &poor{times: 3}})
	conn := dialServer(t, s)
	ask(t, conn, "stats\r\n")
	if told := readStats(t, conn); told["listen_disabled_num"] != "3" {
		t.Errorf("listen_disabled_num is %q", told["listen_disabled_num"])
	}
}
