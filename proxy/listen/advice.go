package listen

import (
	"errors"
	"io/fs"
	"syscall"
)

// longestPath is how long the path of a unix socket may be, in bytes.
const longestPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// advice returns the end of the error that a can't be listened on because of err: what to do, empty
// if the error says it.
func (a Address) advice(err error) string {
	onUnix := a.Network == "unix"
	switch {
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
