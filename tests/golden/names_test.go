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
	flagNames    = "flags.txt"
	settingNames = "settings.txt"
	metricNames  = "metrics.txt"
)

var (
	flagLine     = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[\w-]+)`)
	settingLines = regexp.MustCompile(`(?m)^\.TP\n\\fB([\w\\-]+)\\fR`) // of a manual page
	metricLine   = regexp.MustCompile(`(?m)^# TYPE (memverbs_\w+)`)
)

// named returns the names that a text has, sorted, each once.
func named(line *regexp.Regexp, text []byte) (names []string) {
	for _, found := range line.FindAllSubmatch(text, -1) {
		names = append(names, strings.ReplaceAll(string(found[1]), `\-`, "-"))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namesNow returns the names in the present ones of the files.
func namesNow(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{
		flagNames:    named(flagLine, printed(t, "--help")),
		settingNames: named(settingLines, printed(t, "man", "memverbs.yml")),
		metricNames:  metricsNow(t),
	}
}

// printed returns what this version prints with some arguments.
func printed(t *testing.T, args ...string) []byte {
	t.Helper()
	text, err := exec.Command(harness.PlainProgram(t), args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
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

// No flag, setting and metric of a release is missing, and the newest has them all.
func TestNamesOfReleases(t *testing.T) {
	t.Parallel()
	for file, now := range namesNow(t) {
		paths, err := filepath.Glob(filepath.Join("*", file))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no %s, %v", file, err)
		}
		var newest []string
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			newest = strings.Fields(string(text))
			for _, name := range newest {
				if !slices.Contains(now, name) {
					t.Errorf("%s of %s is missing", name, path)
				}
			}
		}
		for _, name := range now {
			if !slices.Contains(newest, name) {
				t.Errorf("%s is not kept in %s", name, paths[len(paths)-1])
			}
		}
	}
}

// writeNames writes the names of this version.
func writeNames(t *testing.T, folder string) {
	t.Helper()
	for file, names := range namesNow(t) {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Join(names, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
