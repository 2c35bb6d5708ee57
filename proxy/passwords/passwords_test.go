package passwords

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAccepts(t *testing.T) {
	l, err := Parse(strings.NewReader("ann:secret\r\n\nbob:with:colon\nann:other\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		user, password string
		want           bool
	}{
		{"ann", "secret", true}, {"ann", "other", true}, {"bob", "with:colon", true},
		{"ann", "", false}, {"", "secret", false}, {"", "", false}, {"ann", "secret ", false}, {"ann", "with:colon", false},
		{"anns", "ecret", false}, {"bob", "with", false}, {"ann", strings.Repeat("x", 1000), false},
	} {
		if got := l.Accepts([]byte(c.user), []byte(c.password)); got != c.want {
			t.Errorf("user %q, password %q: %v, expected %v", c.user, c.password, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "nobody could connect",
		"\n\r\n":                        "nobody could connect",
		"ann:a\nhunter2\n":              "line 2 is not user:password",
		":a":                            "line 1 is not user:password",
		"ann:\n":                        "line 1 is not user:password",
		"a:" + strings.Repeat("x", 251): "line 1: a user or a password may have 250 bytes",
		strings.Repeat("x", 100_000):    "a line is too long",
		strings.Repeat("a:b\n", 1001):   "line 1001: no more than 1000 users",
	} {
		_, err := Parse(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, expected %q", text, err, want)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, path + "missing"} {
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, expected an error that names %s", err, name)
		}
	}
}

// FuzzParse checks that whatever a file holds, each accepted line is accepted as its own user.
func FuzzParse(f *testing.F) {
	f.Add("ann:secret\nbob:b:c\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			user, password, ok := strings.Cut(line, ":")
			if ok && !l.Accepts([]byte(user), []byte(password)) {
				t.Errorf("%q is not accepted", line)
			}
		}
	})
}
