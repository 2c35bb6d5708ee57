// Package packaging is what packages, images and releases are made of. Scripts make them; here is
// what can be tested without making any.
package packaging

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Whose code is in the binary is named in the copyright file.
func TestCopyrightNamesEveryModule(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("debian/copyright")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "github.com/memverbs/memverbs/cmd/memverbs").Output()
	if err != nil {
		t.Fatal(err)
	}
	for module := range strings.FieldsSeq(string(modules)) {
		if !strings.Contains(string(text), " "+module+"/*\n") {
			t.Errorf("debian/copyright lacks %s", module)
		}
	}
}

// The settings that the package installs are accepted.
func TestSettingsAreAccepted(t *testing.T) {
	said, err := exec.Command("go", "run", "github.com/memverbs/memverbs/cmd/memverbs", "check", "memverbs.yml").CombinedOutput()
	if err != nil || string(said) != "pool main: 1 server, layout libmemcached-ketama-weighted\nlisten at 127.0.0.1:11311: all keys to main\n" {
		t.Errorf("%v: %s", err, said)
	}
}

// So are they with everything that is commented out.
func TestSettingsOfCommentsAreAccepted(t *testing.T) {
	text, err := os.ReadFile("memverbs.yml")
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/memverbs.yml"
	var lines []string
	for line := range strings.Lines(string(text)) {
		if before, setting, ok := strings.Cut(line, "#"); ok && !strings.HasPrefix(setting, " ") && !strings.HasPrefix(setting, "\n") {
			line = before + setting
		}
		lines = append(lines, line)
	}
	uncommented := strings.Join(lines, "")
	if !strings.Contains(uncommented, "\nmax-clients: 10000\n") {
		t.Fatalf("nothing was commented out:\n%s", uncommented)
	}
	if err := os.WriteFile(path, []byte(uncommented), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("go", "run", "github.com/memverbs/memverbs/cmd/memverbs", "check", path).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
