//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/waitload"
	"github.com/memverbs/memverbs/tests/harness"
)

// In tests the structures are smaller, since filling large ones, and the first answers about them, take much longer than
// the turns. The names of cells still say how large they are otherwise.
func init() {
	manySets.Keys, manyLists.Keys = 1000, 1000
	manyRankings.Keys, largeRanking.Members = 100, 10_000
	hugeSet.Members, hugeSet.Pool = 50_000, 50_000
	// With other flags, all packages would be compiled once more for each of the two programs.
	asShipped, profiling = []string{}, []string{"-tags", "profile"}
	manyWait = waitScene{Scene: waitload.Scene{Clients: 60, Lists: 12}, rate: 400, times: 3, each: 20 * time.Millisecond}
}

// TestMain also runs the process of clients that cells of verbs start.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == clientsCommand {
		fail(clients.Serve(os.Args[2]))
	}
	os.Exit(harness.Main(m))
}

// runTiny runs the program with turns that are too short to mean anything. Unless told otherwise it uses a memverbs that
// is built for all tests.
func runTiny(t *testing.T, args ...string) (out, told string) {
	t.Helper()
	t.Chdir("../..")
	o, err := parse(append([]string{"-memverbs", harness.PlainProgram(t), "-rounds", "1", "-seconds", "0.2", "-warmup", "20ms", "-conns", "3", "-threads", "2"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	o.scene = scene{members: 4000, values: 100, size: 5000}
	var stdout, stderr bytes.Buffer
	if err := run(context.Background(), o, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return stdout.String(), stderr.String()
}

// The file by which the compiler optimizes what is measured is there, though tests do without.
func TestOptimization(t *testing.T) {
	t.Chdir("../..")
	if _, err := os.Stat(optimizedBy); err != nil {
		t.Error(err)
	}
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.md")
	out, told := runTiny(t, "-memverbs", "", "-cell", "open,unix,keys-10", "-report", path)
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != out {
		t.Error("the report that is written differs from the one that is printed")
	}
	for _, want := range []string{
		"nutcracker-0.5.0", "memverbs 1.", "memcached 1.6.45 as a proxy", "memcached 1.6.38", "cores", "Linux", "nothing is pinned",
		"## Plain commands", "## Keys of a get", "\n### plain\n", "\n### open\n", "\n### unix\n",
		"\n| nutcracker ", "\n| memverbs ", "\n| memcached ", "\n| memverbs : nutcracker ", "\n| memverbs : memcached proxy ", "\n| least–most ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report doesn't say %q", want)
		}
	}
	for _, chart := range []string{"pass-requests", "pass-cpu", "pass-p99", "keys-cpu", "latency-plain", "latency-open", "latency-unix"} {
		svg, err := os.ReadFile(filepath.Join(filepath.Dir(path), "charts", chart+".svg"))
		if err != nil || !bytes.Contains(svg, []byte("<svg")) {
			t.Errorf("no chart %s: %v", chart, err)
		}
		if !strings.Contains(out, "](charts/"+chart+".svg)") {
			t.Errorf("the report doesn't show %s", chart)
		}
	}
	if n := strings.Count(told, " left  "); n != 4+2*4+3+2 {
		t.Errorf("progress was told %d times:\n%s", n, told)
	}
}

// The program itself stands in for the old one, so that nothing has to be built from the repository's history.
func TestRunBesideOld(t *testing.T) {
	out, _ := runTiny(t, "-old", harness.PlainProgram(t), "-cell", "old-plain,old-scard,old-takes")
	for _, want := range []string{"## Beside an old memverbs", "## Verbs beside an old memverbs", "\n| memverbs : old memverbs |", "\n| old memverbs ",
		"\n| put, take and end a task, 10 000 others being due, through two memverbs"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report doesn't say %q:\n%s", want, out)
		}
	}
}

func TestProfile(t *testing.T) {
	out, _ := runTiny(t, "-cell", "plain", "-profile")
	for _, want := range []string{"requests/s", "Type: cpu", "flat%", "go tool pprof -http=: "} {
		if !strings.Contains(out, want) {
			t.Errorf("the profile doesn't say %q:\n%s", want, out)
		}
	}
}

// An error is reported together with the output of the processes.
func TestRunFails(t *testing.T) {
	t.Chdir("../..")
	o, err := parse([]string{"-cell", "plain", "-memverbs", "/bin/false"})
	if err != nil {
		t.Fatal(err)
	}
	var out, told bytes.Buffer
	err = run(context.Background(), o, &out, &told)
	if err == nil || !strings.Contains(err.Error(), "plain: memverbs does not start (exit status 1)") {
		t.Errorf("%v", err)
	}
}

func TestRunIsInterrupted(t *testing.T) {
	t.Chdir("../..")
	o, err := parse([]string{"-cell", "plain", "-seconds", "3600"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	told := &interrupting{cancel: cancel}
	if err := run(ctx, o, told, told); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("%v", err)
	}
}

// interrupting interrupts the program as soon as a cell begins.
type interrupting struct{ cancel func() }

func (i *interrupting) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(" left  ")) {
		i.cancel()
	}
	return len(b), nil
}
