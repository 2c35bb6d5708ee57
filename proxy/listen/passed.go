package listen

import (
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// listenerOf returns the listener of a descriptor that was passed to the process.
func listenerOf(f *os.File) (l net.Listener, err error) {
	fd := int(f.Fd())
	err = checkListening(fd)
	if err == nil {
		l, err = net.FileListener(f)
	}
	if err != nil {
		return nil, fmt.Errorf("descriptor %d (%s), which was passed by LISTEN_FDS: %w", fd, f.Name(), err)
	}
	return l, nil
}

var errNotListening = errors.New("no stream socket that listens; its socket unit needs ListenStream= and Accept=no")

// checkListening returns an error unless fd is a listening stream socket.
func checkListening(fd int) error {
	kind, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE)
	if err != nil {
		return fmt.Errorf("not a socket: %w", err)
	}
	listening, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
	if kind != unix.SOCK_STREAM || err == nil && listening == 0 {
		return errNotListening
	}
	return nil
}
