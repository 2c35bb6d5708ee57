package listen

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Options are how a listener is opened.
type Options struct {
	// Mode is the permissions of a unix socket.
	Mode fs.FileMode
	// ReusePort lets other processes listen at the same TCP address, if they want that too. The
	// kernel spreads clients over all of them.
	ReusePort bool
}

// open opens a new socket at a.
func open(a Address, o Options) (*socket, error) {
	s := &socket{}
	try := func() (err error) {
		if a.Network == "unix" {
			s.Listener, s.file, err = listenUnix(a.Address, o.Mode)
		} else {
			s.Listener, err = listenTCP(a.Address, o.ReusePort)
		}
		return err
	}
	err := try()
	if a.Network == "unix" && errors.Is(err, syscall.EADDRINUSE) && abandoned(a.Address) {
		if err := os.Remove(a.Address); err != nil {
			return nil, fmt.Errorf("cannot listen on %s: a socket that nobody listens on is in the way: %w", smallfile.Name(a.String()), smallfile.Named(err))
		}
		err = try()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w%s", smallfile.Name(a.String()), transport.Cause(err), a.advice(err))
	}
	return s, nil
}

// abandoned reports whether path is a socket file that a process has left behind.
func abandoned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		_ = conn.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
