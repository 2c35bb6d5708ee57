// Package frameworks tests the programs on the pages in the folders below, each with the settings that its page gives.
package frameworks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// page is a page about a framework.
type page struct {
	folder   string
	command  string
	programs []string // that it shows, the first of which is run
	says     string
}

var pages = []page{
	{"laravel", "/usr/bin/php", []string{"flush.php"}, `[true,null,"her books","the front page"]
"more about Anne"
`},
	{"django", "/usr/bin/python3", []string{"flush.py", "families.py"}, `None about Anne, newer
more about Anne
more about Anne None
`},
	{"rails", "/usr/bin/ruby", []string{"flush.rb"}, `true
{"users/7"=>"Anne"}
"<p>Anne B.</p>"
false
`},
}

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// What a page shows is what is run, with the namespaces that it gives, and does what it says.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, p := range pages {
		t.Run(p.folder, func(t *testing.T) {
			t.Parallel()
			text := read(t, p.folder, "README.md")
			for _, program := range p.programs {
				if !strings.Contains(text, indented(read(t, p.folder, program))) {
					t.Errorf("the page does not show %s as it is", program)
				}
			}
			if said := p.run(t, namespaces(t, text)); said != p.says {
				t.Errorf("said\n%s\ninstead of\n%s", said, p.says)
			}
		})
	}
}

// run runs the program of a page over a memverbs with two memcacheds, and returns what it says.
func (p page) run(t *testing.T, namespaces string) string {
	s := harness.StartStore(t, "memcached-"+harness.Newest, "--verb-keys", "verb/", "--namespaces", namespaces)
	ctx, cancel := context.WithTimeout(t.Context(), 6*harness.Patience)
	defer cancel()
	run := exec.CommandContext(ctx, p.command, filepath.Join(p.folder, p.programs[0]), s.Addr)
	run.Env = harness.ClientEnv(t)
	said, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v; \"make needs\" gets what it needs\n%s", p.programs[0], err, said)
	}
	return string(said)
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// indented returns a program as a page shows it.
func indented(program string) string {
	var b strings.Builder
	for line := range strings.Lines(program) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

var setting = regexp.MustCompile(`(?m)^    namespaces: \["(.*)"\]$`)

// namespaces returns the namespaces that the settings on a page have, for the flag.
func namespaces(t *testing.T, page string) string {
	t.Helper()
	found := setting.FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page gives no namespaces")
	}
	return strings.ReplaceAll(found[1], `", "`, ",")
}
