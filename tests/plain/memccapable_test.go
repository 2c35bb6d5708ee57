package plain

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// memccapable, of libmemcached's tools, tries what a memcached can do, in both protocols. Whatever
// passes on a memcached passes through the proxy, before one of them and two; but
// for what the newest memcached does not pass, as which the proxy refuses requests.
func TestMemccapable(t *testing.T) {
	t.Parallel()
	newest := memccapable(t, harness.StartMemcached(t, harness.Newest).Addr)
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			var upstreams []string
			for range 2 {
				upstreams = append(upstreams, "--upstream", harness.StartMemcached(t, version).Addr)
			}
			columns := []map[string]string{
				memccapable(t, harness.StartMemcached(t, version).Addr),
				memccapable(t, harness.StartMemverbs(t, upstreams[:2]...).Addr),
				memccapable(t, harness.StartMemverbs(t, upstreams...).Addr),
			}
			compareCapabilities(t, version, newest, columns)
		})
	}
}

// leastCapabilities is how many tests memccapable has at least.
const leastCapabilities = 54

func compareCapabilities(t *testing.T, version string, newest map[string]string, columns []map[string]string) {
	t.Helper()
	direct := columns[0]
	if len(direct) < leastCapabilities {
		t.Errorf("memccapable tried only %d things on memcached %s: %v", len(direct), version, direct)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-26s %9s %9s %9s\n", "memcached "+version, "direct", "behind 1", "behind 2")
	for _, name := range slices.Sorted(maps.Keys(direct)) {
		fmt.Fprintf(&table, "%-26s", name)
		for _, column := range columns {
			fmt.Fprintf(&table, " %9s", column[name])
			if direct[name] == "pass" && newest[name] == "pass" && column[name] != "pass" {
				t.Errorf("%s: %q through the proxy", name, column[name])
			}
		}
		table.WriteByte('\n')
	}
	t.Log("\n" + table.String())
}

var capability = regexp.MustCompile(`(?m)^(\S.*?)\s+\[(pass|FAIL|skip)\]$`)

// memccapable runs it and returns what came of each of
// its tests.
func memccapable(t *testing.T, addr string) map[string]string {
	t.Helper()
	path, err := exec.LookPath("memccapable")
	if err != nil {
		t.Fatalf("run \"make test\", which installs Debian's libmemcached-tools: %v", err)
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(path, "-h", host, "-p", port).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) { // its status is how many failed
		t.Fatalf("memccapable: %v", err)
	}
	results := map[string]string{}
	for _, m := range capability.FindAllSubmatch(bytes.ReplaceAll(said, []byte("\r"), nil), -1) {
		results[string(m[1])] = string(m[2])
	}
	return results
}
