package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// ClientEnv returns the environment for a program in another language that
// uses a memcached client: with it the interpreters find what
// tests/fetch-clients.sh has put under .cache, and write nothing beside the
// program.
func ClientEnv(t testing.TB) []string {
	t.Helper()
	return clientEnv(t, "dalli")
}

// OldDalli is [ClientEnv] with dalli of Debian 12, which speaks only the binary protocol.
func OldDalli(t testing.TB) []string {
	t.Helper()
	return clientEnv(t, "dalli-bookworm")
}

// NewDalli is [ClientEnv] with dalli of Debian's testing suite, which speaks only the text protocol.
func NewDalli(t testing.TB) []string {
	t.Helper()
	return clientEnv(t, "dalli-forky")
}

func clientEnv(t testing.TB, dalli string) []string {
	cache := filepath.Join(root(t), ".cache")
	return append(os.Environ(),
		"NODE_PATH="+filepath.Join(cache, "node/node_modules"),
		"RUBYLIB="+filepath.Join(cache, dalli, "lib"),
		"PYTHONDONTWRITEBYTECODE=1")
}
