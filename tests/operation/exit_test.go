package operation

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/securetest"
)

// The exit status tells a wrong file, with which every start fails, from what it names and can't be used now:
// the service manager tries again after the latter only. check ends with the same status where it looks.
func TestExitStatuses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	folder := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	authority := securetest.NewAuthority(t)
	pair, other := authority.Issue(), authority.Issue()
	empty, users := write("empty", ""), write("users", "ann\n")
	const listens, passing, wrong = "    listen: ['127.0.0.1:0']\n", 75, 78
	tls := func(cert, key string) string {
		return listens + fmt.Sprintf("    tls-cert: %s\n    tls-key: %s\n", cert, key)
	}
	for _, test := range []struct {
		name, lines string
		status      int
		check       int // 0 if check can't know
	}{
		{"an unknown key", listens + "    lisen: a\n", wrong, wrong},
		{"a wrong value", listens + "    timeout: 1\n", wrong, wrong},
		{"no key for the certificate", listens + "    tls-cert: " + pair.Cert + "\n", wrong, wrong},
		{"a user without a password", listens + "    user: ann\n", wrong, wrong},
		{"an address twice", "    listen: [':1', ':1']\n", wrong, wrong},
		{"a server that is memverbs", "    listen: ['127.0.0.1:21997']\n", wrong, 0},
		{"no certificate", tls("/nowhere/cert.pem", "/nowhere/key.pem"), passing, passing},
		{"half a certificate", tls(empty, empty), passing, passing},
		{"the key of another certificate", tls(pair.Cert, other.Key), passing, passing},
		{"no authorities for servers", listens + "    server-tls-ca: /nowhere/ca.pem\n", passing, passing},
		{"no passwords", listens + "    auth-file: /nowhere/users\n", passing, passing},
		{"a folder for passwords", listens + "    auth-file: " + folder + "\n", passing, passing},
		{"passwords without a colon", listens + "    auth-file: " + users + "\n", passing, passing},
		{"an empty password", listens + "    user: ann\n    password-file: " + empty + "\n", passing, passing},
		{"a port in use", fmt.Sprintf("    listen: [%q]\n", taken.Addr()), passing, 0},
		{"an address that is not there yet", "    listen: ['203.0.113.9:21996']\n", passing, 0},
		{"a folder that is not there yet", "    listen: ['unix:" + folder + "/later/s']\n", passing, 0},
		{"an address of the admin server in use", listens + "admin: " + taken.Addr().String() + "\n", passing, 0},
		{"both", listens + "    auth-file: /nowhere/users\n    timeout: 1\n", wrong, wrong},
	} {
		file := write("memverbs.yml", "pools:\n  main:\n    servers: ['127.0.0.1:21997']\n"+test.lines)
		if status, _, stderr := runCommand(t, "--config", file); status != test.status {
			t.Errorf("%s: status %d, expected %d: %s", test.name, status, test.status, stderr)
		}
		if status, _, stderr := runCommand(t, "check", file); status != test.check {
			t.Errorf("check: %s: status %d, expected %d: %s", test.name, status, test.check, stderr)
		}
	}
	missing := filepath.Join(folder, "nowhere.yml")
	for _, args := range [][]string{{"--config", missing}, {"check", missing}, {"locate", "--config", missing, "k"}} {
		if status, _, stderr := runCommand(t, args...); status != passing {
			t.Errorf("%s: status %d: %s", strings.Join(args, " "), status, stderr)
		}
	}
}
