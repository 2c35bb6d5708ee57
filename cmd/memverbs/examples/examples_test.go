// Package examples tests the programs in the folders below.
package examples

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

const mostViewed = `home was viewed, 1 times today
news was viewed, 1 times today
home was viewed, 2 times today
about was viewed, 1 times today
news was viewed, 2 times today
home was viewed, 3 times today
imprint was viewed, 1 times today
most viewed: home 3 news 2
`

const followers = `ann reads [post:2 post:1]
bob reads []
cid reads [post:2 post:1]
dan reads [post:2]
`

// sorted is what workers says, as its workers say it in any order.
const sorted = `attempt 1: no connection to bob
attempt 1: no connection to nobody
attempt 2: no connection to nobody
given up: no connection to nobody
sent to ann
sent to bob
sent to cid
`

func TestMostViewed(t *testing.T) { expect(t, mostViewed, say(t, program(t, "mostviewed"))) }

func TestMostViewedInPython(t *testing.T) {
	expect(t, mostViewed, say(t, "/usr/bin/python3", "mostviewed.py"))
}

func TestFollowers(t *testing.T) { expect(t, followers, say(t, program(t, "followers"))) }

func TestWorkers(t *testing.T) {
	lines := slices.Collect(strings.Lines(say(t, program(t, "workers"))))
	slices.Sort(lines)
	expect(t, sorted, strings.Join(lines, ""))
}

// program builds a program and returns its path.
func program(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("go", "build", "-o", path, "./"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// say runs a command with the address of a memverbs as its last argument, and returns what it
// says.
func say(t *testing.T, command ...string) string {
	t.Helper()
	m := harness.StartMemverbs(t, "--verb-keys", "verb/")
	ctx, cancel := context.WithTimeout(t.Context(), harness.Patience)
	defer cancel()
	run := exec.CommandContext(ctx, command[0], append(command[1:], m.Addr)...)
	run.Env = harness.ClientEnv(t)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

func expect(t *testing.T, want, got string) {
	t.Helper()
	if got != want {
		t.Errorf("said\n%s\ninstead of\n%s", got, want)
	}
}
