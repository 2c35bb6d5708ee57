package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Reloading is a memverbs with a file that is changed while it runs.
type Reloading struct {
	*Memverbs
	File string
}

// StartReloading starts memverbs with a pool of servers.
func StartReloading(t testing.TB, servers ...string) *Reloading {
	t.Helper()
	r := &Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
	addr := FreeAddr(t)
	r.Write(t, addr, servers...)
	r.Memverbs = StartMemverbsWith(t, r.File, addr)
	return r
}

// Write writes the file: a pool of servers that listens at addr. There is no other proxy whose verbs would have to wait for this one.
func (r *Reloading) Write(t testing.TB, addr string, servers ...string) {
	t.Helper()
	text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    servers: [\"%s\"]\n    settle: 0s\n", addr, strings.Join(servers, `", "`))
	if err := os.WriteFile(r.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Reload sends SIGHUP, and waits until the log says something that it has not said before.
func (r *Reloading) Reload(t testing.TB, says string) {
	t.Helper()
	before := strings.Count(r.Log(), says)
	if err := syscall.Kill(r.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	Await(t, "the log to say "+says, func() bool { return strings.Count(r.Log(), says) > before })
}
