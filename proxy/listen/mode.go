package listen

import (
	"errors"
	"io/fs"
	"net"
	"os"
)

// errReplaced is the error of a change to a socket whose file is gone.
var errReplaced = errors.New("its file was removed or replaced")

// SetMode gives an open unix socket of [Sockets] other permissions. Those of systemd are left alone.
// It fails if the file is no longer that of the socket.
func SetMode(l net.Listener, mode fs.FileMode) error {
	s, ok := l.(*socket)
	if !ok || s.file == nil {
		return nil
	}
	if !s.file.current() {
		return errReplaced
	}
	return os.Chmod(s.file.path, mode)
}
