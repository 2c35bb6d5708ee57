package proxy

import (
	"net"
	"syscall"
	"testing"

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
