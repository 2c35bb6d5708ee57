package smallfile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Regular files are read, also by links, up to the limit. Others are refused without being opened,
// which would block for a pipe, and without being read, which would never end for some devices.
func TestRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, err := range []error{
		os.WriteFile(at("most"), make([]byte, MaxBytes), 0o600),
		os.WriteFile(at("more"), make([]byte, MaxBytes+1), 0o600),
		os.Symlink("most", at("link")),
		os.Symlink("pipe", at("linked pipe")),
		syscall.Mkfifo(at("pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, wrong := range map[string]string{
		at("most"):        "",
		at("link"):        "",
		"/proc/self/stat": "",
		at("more"):        "it is longer than 1 MB; is this the right file?",
		at("pipe"):        "it is a pipe: name a regular file",
		at("linked pipe"): "it is a pipe: name a regular file",
		at("socket"):      "it is a socket: name a regular file",
		"/dev/zero":       "it is a device: name a regular file",
		folder:            "is a directory",
		at("none"):        "no such file or directory",
	} {
		content, err := Read(path)
		var why *fs.PathError
		switch {
		case wrong == "" && (err != nil || len(content) == 0):
			t.Errorf("%s: %d bytes, %v", path, len(content), err)
		case wrong != "" && (!errors.As(err, &why) || why.Err.Error() != wrong):
			t.Errorf("%s: %v, expected %s", path, err, wrong)
		}
	}
}
