package operation

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/spawn"
)

// A proxy that ends removes its own socket, but not that of the one that has
// taken its path over.
func TestSocketOfTheSuccessor(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	first := harness.StartMemverbs(t, "--listen", "unix:"+path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second := harness.StartMemverbs(t, "--listen", "unix:"+path)
	first.Stop(t)
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the successor can't be reached: %v", err)
	}
	conn.Close()
	second.Stop(t)
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is still there (%v)", err)
	}
}

// A socket has the permissions that were asked for, whatever the umask.
func TestSocketMode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		umask string
		flags string
		mode  fs.FileMode
	}{
		{"000", "", 0o700},
		{"022", "", 0o700},
		{"000", "--socket-mode 0770", 0o770},
		{"077", "--socket-mode 777", 0o777},
		{"777", "--socket-mode=0660", 0o660},
	} {
		path := filepath.Join(t.TempDir(), "s")
		args := append([]string{"-c", `umask "$0"; exec "$@"`, test.umask, harness.Program(t), "--listen", "unix:" + path},
			strings.Fields(test.flags)...)
		p, err := spawn.Start(fmt.Sprintf("memverbs %s under umask %s", test.flags, test.umask), "sh", args...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		harness.Await(t, p.Name, func() bool { return strings.Contains(p.Said(), "msg=ready ") || !p.Running() })
		info, err := os.Lstat(path)
		if err != nil {
			t.Errorf("%s: %v\n%s", p.Name, err, p.Said())
		} else if info.Mode() != test.mode|fs.ModeSocket {
			t.Errorf("%s: the socket is %v, expected %v", p.Name, info.Mode(), test.mode)
		}
	}
}
