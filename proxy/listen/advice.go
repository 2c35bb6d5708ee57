package listen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

// advice returns what to do if a can't be listened on because of err, as the end of an error
// message. It is empty if err says it.
func (a Address) advice(err error) string {
	onUnix := a.Network == "unix"
	switch {
	case errors.Is(err, syscall.EADDRINUSE) && onUnix && inTheWay(a.Address) != "":
		return inTheWay(a.Address)
	case errors.Is(err, syscall.EADDRINUSE):
		return ": end the process that listens there, or choose another address to listen on"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return ": it is no address of this machine; ip addr shows those"
	case errors.Is(err, fs.ErrPermission) && onUnix:
		return ": make its folder writable for the user that memverbs runs as"
	case errors.Is(err, fs.ErrPermission):
		return ": choose a port from 1024 on, or give memverbs the capability CAP_NET_BIND_SERVICE"
	case errors.Is(err, fs.ErrNotExist):
		return ": make its folder first"
	}
	return ""
}

// inTheWay returns the advice about the file at the path of a unix socket; it is empty if that is a
// socket.
func inTheWay(path string) string {
	info, err := os.Stat(path)
	if err != nil { // a dangling symbolic link
		info, err = os.Lstat(path)
	}
	switch {
	case err != nil || info.Mode().Type() == fs.ModeSocket:
		return ""
	case info.IsDir():
		return ": it is a folder; give the path of a socket in it, such as " + smallfile.Name("unix:"+filepath.Join(path, "memverbs.sock"))
	}
	return ": there is a file that is no socket; remove it, or choose another path"
}
