package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/catalog"
)

// The documents tell of every verb as it tells of itself.
func TestDocumentsTellOfEveryVerb(t *testing.T) {
	table, names, carried := document(t, "../verbs/README.md"), document(t, "../README.md"), document(t, "../proxy/verbkeys/README.md")
	commands := document(t, "../protocol/README.md")
	for _, v := range catalog.All {
		if row := "\n| `" + strings.TrimSpace(v.Name+" "+v.Usage) + "`"; !strings.Contains(table, row) {
			t.Errorf("verbs/README.md has no row that begins %q", row[1:])
		}
		if !strings.Contains(names, "`"+v.Name+"`") {
			t.Errorf("README.md does not name %s", v.Name)
		}
		if !strings.Contains(commands, "`"+v.Name+"`") {
			t.Errorf("protocol/README.md does not name %s", v.Name)
		}
		if v.Carry == nil {
			continue
		}
		if row := "\n| `" + v.Carry.By.String() + " verb/" + v.Name + "/" + v.Carry.Shape + "`"; !strings.Contains(carried, row) {
			t.Errorf("proxy/verbkeys/README.md has no row that begins %q", row[1:])
		}
	}
}

func document(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The examples at the beginning of the README need verb keys, and "make run" is its first command.
func TestMakeRunHasVerbKeys(t *testing.T) {
	t.Parallel()
	run := exec.CommandContext(t.Context(), "make", "-n", "run")
	run.Dir = ".."
	said, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "./memverbs --verb-keys verb/") {
		t.Errorf("make run: %v\n%s", err, said)
	}
}
