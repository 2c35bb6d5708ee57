// Package packaging is what packages, images and releases are made of. Scripts make them; here is
// what can be tested without making any.
package packaging

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Whose code is in the binary, and so in the source package, is named in the copyright file.
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
		if !strings.Contains(string(text), " vendor/"+module+"/*\n") {
			t.Errorf("debian/copyright lacks %s", module)
		}
	}
}

// A version is told of in the changes, and it is that of the program and of the chart.
func TestVersionIsTheNewestOfTheChanges(t *testing.T) {
	t.Parallel()
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(changes), "\n## ")
	version, _, _ := strings.Cut(rest, "\n")
	for file, line := range map[string]string{
		"../version.go":            `var version, date = "` + version + `", ""`,
		"helm/memverbs/Chart.yaml": "version: " + version + "\nappVersion: " + version,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("%s lacks %q", file, line)
		}
	}
}

// systemd tries again for as long as it takes, and not at all with a wrong file, which the exit status tells.
func TestUnitTriesAgain(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("debian/memverbs.service")
	if err != nil {
		t.Fatal(err)
	}
	start, service, _ := strings.Cut(string(text), "\n[Service]\n")
	wrong, err := exec.Command("go", "run", "github.com/memverbs/memverbs/cmd/memverbs", "check", "debian/memverbs.service").CombinedOutput()
	status := strings.TrimSpace(string(wrong[strings.LastIndex(string(wrong), "exit status "):]))
	for _, line := range []string{"RestartPreventExitStatus=" + strings.TrimPrefix(status, "exit status "), "Restart=on-failure", "RestartSec=5s"} {
		if err == nil || !strings.Contains(service, "\n"+line+"\n") {
			t.Errorf("the unit lacks %s; check ended with %v: %s", line, err, wrong)
		}
	}
	if !strings.Contains(start, "\nStartLimitIntervalSec=0\n") {
		t.Error("the unit has a limit of starts")
	}
}

// The package has the manual pages, the documents, and what there is for Prometheus and Grafana.
func TestPackageHasDocuments(t *testing.T) {
	t.Parallel()
	for file, lines := range map[string][]string{
		"debian/memverbs.manpages": {"memverbs.1", "memverbs.yml.5"},
		"debian/memverbs.install":  {"memverbs.yml etc/memverbs", "doc/* usr/share/doc/memverbs", "monitoring/* usr/share/memverbs"},
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if !strings.Contains("\n"+string(text), "\n"+line+"\n") {
				t.Errorf("%s lacks %s", file, line)
			}
		}
	}
}
