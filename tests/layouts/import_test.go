package layouts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// imported is a pool in a configuration of twemproxy, and where it listens.
type imported struct {
	settings []string
	shape    shape
	*pool
	addr string
}

// One file through both programs: with the configuration of nutcracker, and with the file that
// memverbs import makes of it, every key that was stored through one program is found through
// the other.
func TestImportedFile(t *testing.T) {
	t.Parallel()
	pools := []*imported{
		{shape: named}, // with all defaults
		{shape: weighted, settings: []string{"hash: md5", "distribution: modula", `hash_tag: "{}"`, "preconnect: true"}},
		{shape: spread, settings: []string{"hash: murmur", "auto_eject_hosts: true", "server_connections: 2", "backlog: 100"}},
	}
	file := writeNutcracker(t, pools)
	settings := importFile(t, file)

	n := harness.StartNutcrackerWith(t, file, pools[0].addr)
	eachPool(pools, func(p *imported) { storeThrough(t, p.addr, anyBytes()) })
	for i := range pools {
		args := []string{"verify", "--config", settings, "--pool", fmt.Sprintf("pool%d", i)}
		if said, err := exec.CommandContext(t.Context(), harness.Program(t), args...).CombinedOutput(); err != nil {
			t.Errorf("memverbs %q: %v\n%s", args, err, said)
		}
	}
	n.Stop(t)
	m := harness.StartMemverbsWith(t, settings, pools[0].addr)
	eachPool(pools, func(p *imported) { p.mustHaveAll(t, "what nutcracker stored, through memverbs") })

	m.Stop(t)
	eachPool(pools, func(p *imported) { p.empty(t) })
	m.Restart(t)
	eachPool(pools, func(p *imported) { storeThrough(t, p.addr, anyBytes()) })
	m.Stop(t)
	harness.StartNutcrackerWith(t, file, pools[0].addr)
	eachPool(pools, func(p *imported) { p.mustHaveAll(t, "what memverbs stored, through nutcracker") })
}

func eachPool(pools []*imported, do func(*imported)) {
	for _, p := range pools {
		do(p)
	}
}

// writeNutcracker starts memcacheds for the pools and writes the configuration of nutcracker.
func writeNutcracker(t *testing.T, pools []*imported) (path string) {
	t.Helper()
	var b strings.Builder
	for i, p := range pools {
		p.pool, p.addr = p.shape.start(t), harness.FreeAddr(t)
		fmt.Fprintf(&b, "pool%d:\n  listen: %s\n  timeout: %d\n", i, p.addr, harness.Patience.Milliseconds())
		for _, line := range p.settings {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		b.WriteString("  servers:\n")
		for _, s := range p.servers {
			if p.shape.title == spread.title {
				s += ":1" // twemproxy wants a weight
			}
			fmt.Fprintf(&b, "    - %s\n", s)
		}
	}
	path = filepath.Join(t.TempDir(), "nutcracker.yml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// importFile returns the path of the file that memverbs import makes of one of nutcracker.
func importFile(t *testing.T, file string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "memverbs.yml")
	for _, args := range [][]string{{"import", "-o", path, file}, {"check", path}} {
		if said, err := exec.CommandContext(t.Context(), harness.Program(t), args...).CombinedOutput(); err != nil {
			t.Fatalf("memverbs %q: %v\n%s", args, err, said)
		}
	}
	return path
}

// mustHaveAll reads all keys through the proxy.
func (p *imported) mustHaveAll(t *testing.T, what string) {
	t.Helper()
	if missed := missing(t, p.addr, anyBytes()); len(missed) > 0 {
		t.Errorf("%s: %d of %d keys are missing, like %q", what, len(missed), keyCount, missed[0])
	}
}

// empty empties the memcacheds.
func (p *imported) empty(t *testing.T) {
	t.Helper()
	for _, m := range p.memcacheds {
		m.Kill(t)
		m.Restart(t)
	}
}
