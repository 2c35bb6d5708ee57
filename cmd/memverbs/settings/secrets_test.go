package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// Files with keys and passwords that every user of the machine may read are warned of, at their
// place in a file, and as flags. Those for a group are not.
func TestSecretsForEverybody(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	users, password := filepath.Join(folder, "users"), filepath.Join(folder, "password")
	for path, text := range map[string]string{users: "ann:secret\n", password: "secret\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := securetest.NewAuthority(t).Issue()
	file := fmt.Sprintf(`pools:
  main:
    servers: [a]
    listen: [":1"]
    auth-file: %s
    tls-cert: %s
    tls-key: %s
    user: ann
    password-file: %s
    server-tls-ca: system
    server-tls-cert: %s
    server-tls-key: %s
`, users, p.Cert, p.Key, password, p.Cert, p.Key)
	flags := []string{"--upstream", "a", "--auth-file", users, "--tls-cert", p.Cert, "--tls-key", p.Key, "--user", "ann",
		"--password-file", password, "--server-tls-ca", "system", "--server-tls-cert", p.Cert, "--server-tls-key", p.Key}
	warned := func() []Warning {
		_, warnings, err := parseSettings(file)
		o := NewFlags()
		if err == nil {
			_, err = o.Parse(flags)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, ofFlags, err := o.Settings()
		if err != nil || len(ofFlags) != len(warnings) {
			t.Errorf("%v; the flags are warned of with %q, the file with %q", err, ofFlags, warnings)
		}
		return warnings
	}
	for mode, count := range map[os.FileMode]int{0o600: 0, 0o640: 0, 0o644: 4} {
		for _, path := range []string{users, password, p.Key} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		if got := warned(); len(got) != count {
			t.Errorf("with mode %v the warnings are %q, expected %d", mode, got, count)
		} else if count > 0 && got[0].String() != "f:5:16: warning: every user of this machine may read the secrets in "+users+": run chmod o-r "+users {
			t.Errorf("the first warning is %q", got[0])
		}
	}
}

// Files with passwords that can't be read are named, and so is the cause. A device that never ends is
// not read, and a pipe that nobody writes to is not awaited.
func TestSecretsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--auth-file", "--password-file"} {
		for path, cause := range map[string]string{
			"/nowhere":  "no such file or directory",
			t.TempDir(): "is a directory",
			"/dev/zero": "it is a device: name a regular file",
			pipe:        "it is a pipe: name a regular file",
		} {
			_, err := NewFlags().Parse([]string{flag, path})
			if want := flag + ": cannot read " + path + ": " + cause; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, expected %s", err, want)
			}
		}
	}
}

// The name of a file that has a line end is quoted: each mistake is one line.
func TestMistakesWithNamesOfFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a\nb")
	if err := os.WriteFile(path, []byte("user\nx: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := securetest.NewAuthority(t).Issue()
	for _, flags := range [][]string{
		{"--auth-file", path},
		{"--auth-file", "/nowhere/a\nb"},
		{"--password-file", "/nowhere/a\nb"},
		{"--tls-cert", path, "--tls-key", path},
		{"--tls-cert", p.Cert, "--tls-key", path},
		{"--server-tls-ca", "/nowhere/a\nb"},
		{"--listen", "unix:" + path, "--listen", "unix:" + path},
		{"--config", "/nowhere/a\nb"},
		{"--config", path},
	} {
		o := NewFlags()
		_, err := o.Parse(flags)
		if err == nil {
			_, _, err = o.Settings()
		}
		if err == nil || strings.Contains(err.Error(), "a\nb") || !strings.Contains(err.Error(), `a\nb`) {
			t.Errorf("%q: %v, expected an error that quotes the name", flags, err)
		}
	}
	if text := exposedSecret(path); !strings.HasSuffix(text, strconv.Quote(path)) {
		t.Errorf("the warning is %q", text)
	}
}

// A user for servers is refused where there are none.
func TestUserWithoutServers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := NewFlags()
	_, err := o.Parse([]string{"--user", "ann", "--password-file", path})
	if err == nil {
		_, _, err = o.Settings()
	}
	if err == nil || err.Error() != "--user: there are no servers: add --upstream" {
		t.Errorf("without servers: %v", err)
	}
}
