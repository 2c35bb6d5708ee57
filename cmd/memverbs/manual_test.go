package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

// manuals returns those of all commands.
func manuals() []manual.Manual {
	list := []manual.Manual{ownManual(settings.NewFlags())}
	for _, s := range subcommands() {
		list = append(list, s.Manual)
	}
	return list
}

func TestManPageTellsOfEveryFlag(t *testing.T) {
	t.Parallel()
	page := manPage()
	for _, m := range manuals() {
		if !strings.Contains(page, "\n"+manual.Roff(m.Usage[0])+"\n") {
			t.Errorf("the page lacks %q", m.Usage[0])
		}
		m.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(page, manual.Roff("--"+f.Name)+`\fR`) {
				t.Errorf("the page lacks --%s of %s", f.Name, m.Name)
			}
		})
	}
}

// The page has the sections that a page of a daemon has, and no empty words.
func TestSectionsOfTheManPage(t *testing.T) {
	t.Parallel()
	page := manPage()
	for _, part := range []string{
		"\n.SH SIGNALS\n.TP\n\\fBSIGTERM, SIGINT\\fR\n", "\n\\fBSIGHUP\\fR\n", "\n\\fBSIGUSR2\\fR\n",
		"\n.SH EXIT STATUS\n.TP\n\\fB0\\fR\n", "\n.SH FILES\n.TP\n\\fB/etc/memverbs/memverbs.yml\\fR\n",
		"\n\\fB\\-\\-read\\-only\\fR\n", "\n\\fB\\-\\-loops\\fR \\fIint\\fR\n",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if strings.Contains(page, `\fI\fR`) {
		t.Error("the page has words without letters")
	}
}

func TestSubcommandsAnswerHelp(t *testing.T) {
	t.Parallel()
	for _, s := range subcommands() {
		var out, errs strings.Builder
		if status := run([]string{s.name(), "--help"}, nil, &out, &errs); status != exitOK || out.String() != s.Help() {
			t.Errorf("%s --help: status %d, %q %q", s.name(), status, out.String(), errs.String())
		}
		out.Reset()
		if status := run([]string{s.name(), "--nonsense"}, nil, &out, &errs); status != exitUsage || out.String() != "" || !strings.Contains(errs.String(), "--nonsense") {
			t.Errorf("%s --nonsense: status %d, %q %q", s.name(), status, out.String(), errs.String())
		}
	}
}

func TestWordsThatShellsComplete(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ typed, offered string }{
		{"", "locate"},
		{"--lo", "--log-level"},
		{"--layout ", "gomemcache"},
		{"--layout ", "twemproxy:modula:murmur"},
		{"--log-level ", "debug"},
		{"--log-format ", "json"},
		{"locate --", "--of"},
		{"locate --layout ", "jump"},
		{"completion ", "zsh"},
	} {
		if words := completions(t, test.typed); !strings.Contains(words, "\n"+test.offered+"\n") {
			t.Errorf("for %q there are %q, expected %s", test.typed, words, test.offered)
		}
	}
	if words := completions(t, "locate --"); strings.Contains(words, "--listen") {
		t.Errorf("locate has no --listen, but its flags are %q", words)
	}
}

// Each value that is offered is one that the flag takes.
func TestValuesThatShellsComplete(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--layout", "--log-level", "--log-format", "--flush", "--stats-reset"} {
		for value := range strings.FieldsSeq(completions(t, flag+" ")) {
			if strings.HasPrefix(value, ":") {
				continue // cobra's word for no names of files
			}
			if _, err := settings.NewFlags().Parse([]string{flag, value}); err != nil {
				t.Errorf("%s %s is offered, but %v", flag, value, err)
			}
		}
	}
}

// completions returns the words that complete a command line after memverbs, each between line ends.
func completions(t *testing.T, typed string) string {
	t.Helper()
	var out, errs strings.Builder
	if status := run(append([]string{"__completeNoDesc"}, strings.Split(typed, " ")...), nil, &out, &errs); status != exitOK {
		t.Fatalf("%q: status %d, %s", typed, status, errs.String())
	}
	return "\n" + out.String()
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for shell := range shells {
		var script, errs strings.Builder
		if status := run([]string{"completion", shell}, os.Stdin, &script, &errs); status != exitOK || !strings.Contains(script.String(), "__complete") {
			t.Errorf("%s: status %d, %q", shell, status, errs.String())
		}
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(script.String())
			if said, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, said)
			}
		}
	}
	var out, errs strings.Builder
	if status := run([]string{"completion", "tcsh"}, os.Stdin, &out, &errs); status != exitUsage || !strings.Contains(errs.String(), "bash, fish or zsh") {
		t.Errorf("tcsh: status %d, %q", status, errs.String())
	}
}
