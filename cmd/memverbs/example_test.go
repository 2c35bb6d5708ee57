package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
	"github.com/memverbs/memverbs/tests/securetest"
)

// commentedOut matches the beginning of a line that is commented out, rather than a comment.
var commentedOut = regexp.MustCompile(`(?m)^( *)#([^ \n]|  )`)

// The example, which packages install, is accepted, and needs nothing but the memcached of the machine.
func TestExampleIsAccepted(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	status := run([]string{"check", settingstest.Write(t, exampleFile())}, nil, &out, &errs)
	if status != exitOK || errs.Len() > 0 || out.String() != "pool main: 1 server, layout libmemcached-ketama-weighted\nlisten at 127.0.0.1:11311: all keys to main\n" {
		t.Errorf("status %d: %s%s", status, out.String(), errs.String())
	}
}

// The example has each setting that a file can have, with a value that is accepted: all of them at once, if the
// files that it names are there.
func TestExampleHasEverySetting(t *testing.T) {
	t.Parallel()
	text := commentedOut.ReplaceAllString(exampleFile(), "$1$2")
	for _, s := range settings.EmptySections().All() {
		for _, key := range s.Keys() {
			if !regexp.MustCompile(`(?m)^[ -]*` + key + `:`).MatchString(text) {
				t.Errorf("the example lacks %s", key)
			}
			if strings.Contains(text, " "+key+`: ""`) || strings.Contains(text, "\n"+key+`: ""`) || strings.Contains(text, key+`: [""]`) {
				t.Errorf("%s has no default: give it a sample where it is defined", key)
			}
		}
	}
	a, folder := securetest.NewAuthority(t), t.TempDir()
	pair := a.Issue()
	for name, from := range map[string]string{"cert.pem": pair.Cert, "key.pem": pair.Key, "ca.pem": a.File, "clients-ca.pem": a.File} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"users", "password"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("ann:secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, warnings, err := settings.ReadFile(settingstest.Write(t, strings.ReplaceAll(text, "/etc/memverbs", folder)))
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for _, w := range warnings {
		if !strings.Contains(w.Text, "spare-ttl has no effect") {
			t.Error(w)
		}
	}
}

// What is commented out is the default, so that taking the mark away changes nothing, unless there is none.
func TestExampleHasDefaults(t *testing.T) {
	t.Parallel()
	plain, _, err := settings.ReadFile(settingstest.Write(t, exampleFile()))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	withDefault := true
	for line := range strings.Lines(exampleFile()) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "# "):
			withDefault = withDefault && !strings.Contains(trimmed, "default")
		case strings.HasPrefix(trimmed, "#sessions"), strings.HasPrefix(trimmed, "#pages"), strings.HasPrefix(trimmed, "#far"), strings.HasPrefix(trimmed, "#users"), strings.HasPrefix(trimmed, "#trial"), strings.HasPrefix(trimmed, "#  "), strings.HasPrefix(trimmed, "#listeners"):
			continue // a pool more, and a list
		case strings.HasPrefix(trimmed, "#") && withDefault:
			line = strings.Replace(line, "#", "", 1)
		case trimmed == "":
			withDefault = true
		}
		text.WriteString(line)
	}
	all, _, err := settings.ReadFile(settingstest.Write(t, text.String()))
	if err != nil || !strings.Contains(text.String(), "\ndrain: 5s\n") || !strings.Contains(text.String(), "\n    timeout: 1s\n") {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if !slices.Equal(plain.Texts, all.Texts) || !slices.Equal(plain.Pools[0].Texts, all.Pools[0].Texts) {
		t.Errorf("defaults differ:\n%v\n%v\n%v\n%v", plain.Texts, all.Texts, plain.Pools[0].Texts, all.Pools[0].Texts)
	}
}

// The page has each setting, with its default and what it is for.
func TestFilePageHasEverySetting(t *testing.T) {
	t.Parallel()
	page := filePage()
	for _, s := range settings.EmptySections().All() {
		for _, part := range s.Parts {
			part.VisitAll(func(f *pflag.Flag) {
				d := setting.Describe(f)
				if !strings.Contains(page, "\n.TP\n\\fB"+manual.Roff(d.Name)+"\\fR \\fI"+manual.Roff(d.Value)+"\\fR\n"+manual.Roff(d.Sentence())) {
					t.Errorf("the page lacks %s", d.Name)
				}
			})
		}
		for _, key := range s.Keys() {
			if s.Lookup(key) == nil && !regexp.MustCompile(`\b`+key+`\b`).MatchString(page) {
				t.Errorf("the page lacks %s", key)
			}
		}
	}
	for _, title := range []string{"NAME", "SYNTAX", "POOLS", "LISTENERS", "ROUTES", "LAYOUTS", "SECRETS"} {
		if !strings.Contains(page, "\n.SH "+title+"\n") {
			t.Errorf("the page has no section %s", title)
		}
	}
	if _, _, err := settings.ReadFile(settingstest.Write(t, manExample)); err != nil {
		t.Errorf("its example is wrong: %v", err)
	}
}

// man prints the page that it is asked for.
func TestManPages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args   []string
		status int
		begins string
	}{
		{nil, exitOK, ".TH MEMVERBS 1 "},
		{[]string{"memverbs.yml"}, exitOK, ".TH MEMVERBS.YML 5 "},
		{[]string{"nutcracker"}, exitUsage, ""},
	} {
		var out, errs strings.Builder
		if status := run(append([]string{"man"}, test.args...), nil, &out, &errs); status != test.status || !strings.HasPrefix(out.String(), test.begins) || (status == exitOK) != (errs.Len() == 0) {
			t.Errorf("%q: status %d, %.40q, %q", test.args, status, out.String(), errs.String())
		}
	}
}
