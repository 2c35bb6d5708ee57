// Package adapters tests the adapters in the folders below with the clients and frameworks that they are for.
package adapters

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// adapter is a column of the plan, with the program that proves it.
type adapter struct {
	column  string
	command []string // without the addresses of a memverbs and a memcached
}

var adapters = []adapter{
	{"Python", []string{"/usr/bin/python3", "python/test_memverbs.py"}},
	{"PHP", []string{"/usr/bin/php", "php/test.php"}},
	{"Ruby", []string{"/usr/bin/ruby", "ruby/test_memverbs.rb", "binary"}},
	{"Ruby", []string{"/usr/bin/ruby", "ruby/test_memverbs.rb", "meta"}},
	{"memjs", []string{"node", "node/test.js", "memjs"}},
	{"npm's memcached", []string{"node", "node/test.js", "memcached"}},
	{"Go", []string{os.Args[0], asGo}},
	{"Django", []string{"/usr/bin/python3", "django/test_memverbs_cache.py"}},
}

// asGo is the argument with which the program of these tests proves the adapter for Go.
const asGo = "go"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == asGo {
		proveGo(os.Args[2], os.Args[3])
		return
	}
	os.Exit(harness.Main(m))
}

// Each adapter proves the scenarios that the plan ticks for it, in the plan's order, and no others.
func TestAdapters(t *testing.T) {
	t.Parallel()
	plan := readPlan(t)
	for _, a := range adapters {
		t.Run(a.column, func(t *testing.T) {
			t.Parallel()
			want, got := plan[a.column], prove(t, a.command)
			if len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("proved\n%s\ninstead of\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// The plan has a column for each adapter that is tested, and no other.
func TestPlanHasAllAdapters(t *testing.T) {
	t.Parallel()
	plan := readPlan(t)
	for _, a := range adapters {
		delete(plan, a.column)
	}
	for column := range plan {
		t.Errorf("the plan has %s, which is not tested", column)
	}
}

// readPlan returns the scenarios that the table in README.md ticks, for each of its columns but the first.
func readPlan(t *testing.T) map[string][]string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	plan := map[string][]string{}
	var columns []string
	for line := range strings.Lines(string(readme)) {
		cells := cellsOf(line)
		switch {
		case len(cells) == 0 || strings.HasPrefix(cells[0], "---"):
		case cells[0] == "scenario":
			columns = cells
		case columns != nil:
			for i, cell := range cells[1:] {
				if cell == "✓" {
					plan[columns[i+1]] = append(plan[columns[i+1]], cells[0])
				}
			}
		}
	}
	return plan
}

// cellsOf returns the cells of a row of a table.
func cellsOf(line string) []string {
	row, found := strings.CutPrefix(strings.TrimSpace(line), "| ")
	if !found {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(row, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// prove runs a program over a memverbs with two memcacheds, and returns the scenarios of which it says that they hold. A line that
// begins with "! " asks for something to be done to these; the program goes on when it has read a line.
func prove(t *testing.T, command []string) []string {
	t.Helper()
	s := harness.StartStore(t, "memcached-"+harness.Newest, "--verb-keys", "verb/", "--namespaces", "pages:,shop:tag:*:,rails:views/,site:*:,shelf:1:page:")
	ctx, cancel := context.WithTimeout(t.Context(), 6*harness.Patience)
	defer cancel()
	run := exec.CommandContext(ctx, command[0], append(slices.Clone(command[1:]), s.Addr, s.Memcacheds[0].Addr)...)
	run.Env = harness.ClientEnv(t)
	var complaints strings.Builder
	run.Stderr = &complaints
	said, done := start(t, run)
	proved := attend(t, s, said, done)
	if err := run.Wait(); err != nil {
		t.Fatalf("%s: %v after %q; \"make needs\" gets what it needs\n%s", command, err, proved, &complaints)
	}
	return proved
}

// start starts a program, and returns what it says and what it reads.
func start(t *testing.T, run *exec.Cmd) (said io.Reader, read io.Writer) {
	t.Helper()
	stdout, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	return stdout, stdin
}

// attend does what a program asks for until it says no more, and returns its other lines.
func attend(t *testing.T, s *harness.Store, said io.Reader, done io.Writer) []string {
	t.Helper()
	var others []string
	for lines := bufio.NewScanner(said); lines.Scan(); {
		step, asked := strings.CutPrefix(lines.Text(), "! ")
		if !asked {
			others = append(others, lines.Text())
			continue
		}
		take(t, s, step)
		_, _ = io.WriteString(done, "done\n") // if the program has ended, its status tells
	}
	return others
}

// take takes a step of an outage.
func take(t *testing.T, s *harness.Store, step string) {
	t.Helper()
	switch step {
	case "stop the memcacheds":
		for _, m := range s.Memcacheds {
			m.Kill(t)
		}
	case "start the memcacheds":
		for _, m := range s.Memcacheds {
			m.Restart(t)
		}
		awaitServers(t, s)
	case "stop memverbs":
		s.Memverbs.Kill(t)
	case "start memverbs":
		s.Memverbs.Restart(t)
		awaitServers(t, s)
	default:
		t.Errorf("a program asks for the unknown step %q", step)
	}
}

// awaitServers waits until memverbs has connected to all memcacheds: from then on it serves what clients ask for.
func awaitServers(t *testing.T, s *harness.Store) {
	t.Helper()
	probe := harness.Dial(t, s.Addr)
	defer probe.Close()
	harness.Await(t, "memverbs to have all memcacheds", func() bool {
		probe.Send("stats upstreams\r\n")
		return strings.Count(probe.Until("END"), "_state up\r\n") == len(s.Memcacheds)
	})
}
