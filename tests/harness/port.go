package harness

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
)

// Ports are taken from below those that the kernel gives to outgoing
// connections (from 32768 on, in Linux), so that a server can come back to its
// port after it was stopped.
const (
	firstPort = 20000
	lastPort  = 32767
)

// portTries is how often a server is started on yet another port because
// somebody else was faster.
const portTries = 10

var ports = struct {
	sync.Mutex
	given map[int]bool
}{given: map[int]bool{}}

// freePort returns a port that nobody listens on and that this test run has
// not used before.
func freePort(t testing.TB) int {
	t.Helper()
	ports.Lock()
	defer ports.Unlock()
	for range lastPort - firstPort {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		if ports.given[port] {
			continue
		}
		l, err := net.Listen("tcp", loopback(port))
		if err != nil {
			continue
		}
		l.Close()
		ports.given[port] = true
		return port
	}
	t.Fatalf("no free port between %d and %d", firstPort, lastPort)
	return 0
}

func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
