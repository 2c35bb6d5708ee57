package harness

import (
	"testing"

	"github.com/memverbs/memverbs/tests/spawn"
)

// portTries is how many ports are tried for a server, since other processes may take
// one first.
const portTries = 10

// freePort returns a port that nobody listens on and that this test run has
// not used before.
func freePort(t testing.TB) int {
	t.Helper()
	port, err := spawn.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// FreeAddr returns an address that nobody listens at, for a program that is told of it in a
// file.
func FreeAddr(t testing.TB) string {
	t.Helper()
	return loopback(freePort(t))
}

func loopback(port int) string { return spawn.Loopback(port) }
