package golden

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Names that are written into files of others: command lines, and what watches the metrics.
const (
	flagNames   = "flags.txt"
	metricNames = "metrics.txt"
)

var (
	flagLine   = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[\w-]+)`)
	metricLine = regexp.MustCompile(`(?m)^# TYPE (memverbs_\w+)`)
)

// named returns the names that a text has, sorted, each once.
func named(line *regexp.Regexp, text []byte) (names []string) {
	for _, found := range line.FindAllSubmatch(text, -1) {
		names = append(names, string(found[1]))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func flagsNow(t *testing.T) []string {
	t.Helper()
	help, err := exec.Command(harness.PlainProgram(t), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	return named(flagLine, help)
}

func metricsNow(t *testing.T) []string {
	t.Helper()
	admin := harness.FreeAddr(t)
	harness.StartPlainMemverbs(t, "--admin", admin)
	answer, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return named(metricLine, text)
}

// No flag and no metric of a release is missing.
func TestNamesOfReleases(t *testing.T) {
	t.Parallel()
	for file, now := range map[string][]string{flagNames: flagsNow(t), metricNames: metricsNow(t)} {
		paths, err := filepath.Glob(filepath.Join("*", file))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no %s, %v", file, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for name := range strings.FieldsSeq(string(text)) {
				if !slices.Contains(now, name) {
					t.Errorf("%s of %s is missing", name, path)
				}
			}
		}
	}
}

// writeNames writes the names of this version.
func writeNames(t *testing.T, folder string) {
	t.Helper()
	for file, names := range map[string][]string{flagNames: flagsNow(t), metricNames: metricsNow(t)} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Join(names, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
