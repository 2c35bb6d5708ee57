package proxy

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
)

// hung is an upstream that answers once open is closed.
func hung(t *testing.T, open chan struct{}) config.Upstream {
	return touchedUpstream(t, open, new(atomic.Int64), nil)
}

// What one upstream has answered is not kept from the client until another one has, though it
// is written together with that if both answer in one turn of the loop.
func TestRepliesDoNotWaitForOutstandingOnes(t *testing.T) {
	now, later := make(chan struct{}), make(chan struct{})
	close(now)
	s := newServer(1, hung(t, later), hung(t, now))
	s.shared.Config.Pools[0].Layout = byPlace{}
	start(t, s)
	conn := dialServer(t, s)
	exchange(t, conn, "touch b 0\r\ntouch b 0\r\ntouch a 0\r\ntouch b 0\r\n", "TOUCHED\r\nTOUCHED\r\n")
	close(later)
	exchange(t, conn, "", "TOUCHED\r\nTOUCHED\r\n")
}

// Many replies in one turn are written as one, in their order, whichever upstream is first.
func TestRepliesOfSeveralUpstreamsAreInOrder(t *testing.T) {
	open := make(chan struct{})
	close(open)
	s := newServer(1, hung(t, open), hung(t, open))
	s.shared.Config.Pools[0].Layout = byPlace{}
	start(t, s)
	conn := dialServer(t, s)
	exchange(t, conn, strings.Repeat("touch a 0\r\nget b\r\nget a\r\ntouch b 0\r\n", 500), strings.Repeat("TOUCHED\r\nEND\r\nEND\r\nTOUCHED\r\n", 500))
}
