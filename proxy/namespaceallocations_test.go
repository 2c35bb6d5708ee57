//go:build !race

// Under the race detector, a sync.Pool loses some of what it is given.

package proxy

import (
	"io"
	"strings"
	"testing"
)

// Requests on keys in a namespace allocate nothing, as long as their queues are kept.
func TestRequestsInNamespacesAllocateNothing(t *testing.T) {
	s := start(t, newSpacedServer(t, servedUpstream(t, "unix", answerInSpace)))
	conn := dialServer(t, s)
	for request, reply := range map[string]string{
		"get key:12345\r\n":                one("key:12345", "value"),
		"set key:12345 0 0 5\r\nvalue\r\n": "STORED\r\n",
	} {
		const depth = 32
		requests, want := []byte(strings.Repeat(request, depth)), strings.Repeat(reply, depth)
		got := make([]byte, len(want))
		ask := func() {
			if _, err := conn.Write(requests); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(conn, got); err != nil {
				t.Fatal(err)
			}
		}
		for range 10 { // first, nothing is kept
			ask()
		}
		if string(got) != want {
			t.Fatalf("answered %.200q, expected %.200q", got, want)
		}
		if n := testing.AllocsPerRun(500, ask); n > 0 {
			t.Errorf("%.0f allocations for %d times %q", n, depth, request)
		}
	}
}
