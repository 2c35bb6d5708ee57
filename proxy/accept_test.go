package proxy

import (
	"net"
	"syscall"
	"testing"
)

// poor is a listener that can't accept anybody for want of descriptors, so many
// times, and then is closed.
type poor struct{ times int }

func (p *poor) Accept() (net.Conn, error) {
	if p.times--; p.times < 0 {
		return nil, net.ErrClosed
	}
	return nil, syscall.EMFILE
}

func (p *poor) Close() error   { return nil }
func (p *poor) Addr() net.Addr { return &net.TCPAddr{} }

// That clients could not be accepted is survived, and counted by memcached's
// name for it.
func TestClientsThatCannotBeAccepted(t *testing.T) {
	s := startServer(t, 1, oldUpstream(t))
	s.accept(&poor{times: 3})
	conn := dialServer(t, s)
	ask(t, conn, "stats\r\n")
	if told := readStats(t, conn); told["listen_disabled_num"] != "3" {
		t.Errorf("listen_disabled_num is %q", told["listen_disabled_num"])
	}
}
