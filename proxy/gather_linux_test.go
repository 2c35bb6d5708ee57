package proxy

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Values from several upstreams have to be merged in a second buffer while an earlier
// reply to the client is outstanding. There is memory for one buffer only, so the
// request is refused.
func TestGatheredValuesAreNotHeldTwiceWithoutMemory(t *testing.T) {
	const limit, size, keys = 64 << 20, 1_000_000, 20
	release := make(chan struct{})
	values := func(conn net.Conn, words []string) {
		for _, key := range words[1:] {
			_, _ = fmt.Fprintf(conn, "VALUE %s 0 %d\r\n%s\r\n", key, size, numbers[:size])
		}
		_, _ = io.WriteString(conn, "END\r\n")
	}
	slow := func(conn net.Conn, words []string) {
		if words[1] == "cslow" {
			<-release
		}
		_, _ = io.WriteString(conn, "END\r\n")
	}
	s := newServer(1, playedUpstream(t, "tcp", values), playedUpstream(t, "tcp", values), playedUpstream(t, "tcp", slow))
	s.shared.Config.Pools[0].Layout, s.shared.Budget.Limit = byLetter(3), limit
	conn := dialServer(t, start(t, s))
	exchange(t, conn, "get cwarm\r\n", "END\r\n") // after this, more values of the client are requested at a time

	var request strings.Builder
	request.WriteString("get cslow\r\nget")
	for i := range keys {
		fmt.Fprintf(&request, " a%d b%d", i, i)
	}
	exchange(t, conn, request.String()+"\r\n", "")
	await(t, "the values to be there", func() (there bool) {
		onLoops(s, func(l *front.Loop) { there = l.IdleGathers() == 1 }) // it has finished
		return there
	})
	close(release)
	exchange(t, conn, "", "END\r\n"+upstream.OutOfMemory)
}
