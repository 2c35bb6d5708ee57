package proxy

import (
	"io"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/front"
)

// A reload does not cost a client its connection if its incomplete request is given up after that.
func TestGivenUpAfterAReload(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	conn := dialServer(t, s)
	const size = 100_000
	if _, err := io.WriteString(conn, "add k 0 0 100000\r\n"+strings.Repeat("v", size/2)); err != nil {
		t.Fatal(err)
	}
	await(t, "half of the value to have arrived", func() (there bool) {
		onLoops(s, func(l *front.Loop) {
			for c := range l.Clients.All {
				n, _ := c.Unserved()
				there = n > size/2
			}
		})
		return there
	})
	onLoops(s, func(l *front.Loop) {
		for c := range l.Clients.All {
			c.GiveUpAfterReload()
		}
	})
	exchange(t, conn, "", "SERVER_ERROR out of memory storing object\r\n")
	exchange(t, conn, strings.Repeat("v", size-size/2)+"\r\nget k\r\n", "END\r\n")
}
