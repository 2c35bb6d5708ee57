package spawn

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Ports are taken from below those that the kernel gives to outgoing
// connections (from 32768 on, in Linux), so that a server can come back to its
// port after it was stopped.
const (
	firstPort = 20000
	lastPort  = 32767
)

var ports = struct {
	sync.Mutex
	given map[int]bool
}{given: map[int]bool{}}

// FreePort returns a port that nobody listens on and that it has not returned
// before.
func FreePort() (int, error) {
	ports.Lock()
	defer ports.Unlock()
	for range lastPort - firstPort {
		port := firstPort + rand.IntN(lastPort-firstPort+1)
		if ports.given[port] {
			continue
		}
		l, err := net.Listen("tcp", Loopback(port))
		if err != nil {
			continue
		}
		l.Close()
		ports.given[port] = true
		return port, nil
	}
	return 0, fmt.Errorf("no free port between %d and %d", firstPort, lastPort)
}

// Loopback returns the address of a port of the loopback interface.
func Loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
