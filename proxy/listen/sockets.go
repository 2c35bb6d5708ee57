package listen

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Sockets are the listening sockets of a process: those that were passed to it and are not in use
// yet, and the open listeners. It may be used by several goroutines. The zero value has none.
type Sockets struct {
	mu     sync.Mutex
	passed []passed
	open   []*socket
}

// passed is a listener that was passed to the process.
type passed struct {
	net.Listener
	own bool // a memverbs has made it
}

// Inherit returns the sockets of descriptors that were passed to the process, and closes the
// descriptors. byOwnKind says that another memverbs has passed them, as returned by
// [Sockets.Files]. It fails if one of them is not a listening socket.
func Inherit(files []*os.File, byOwnKind bool) (*Sockets, error) {
	s := &Sockets{}
	for _, f := range files {
		l, err := listenerOf(f)
		_ = f.Close() // the listener has a duplicate
		if err != nil {
			return nil, err
		}
		s.passed = append(s.passed, passed{l, byOwnKind && f.Name() == nameOwn})
	}
	return s, nil
}

// Unnamed returns the addresses of the sockets that were passed to the process, that are not open
// yet, and that none of the addresses leads to.
func (s *Sockets) Unnamed(addresses []Address) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.passed {
		if !slices.ContainsFunc(addresses, p.isAt) {
			list = append(list, AddressOf(p.Addr()).String())
		}
	}
	return list
}

// TakeOver is called when the memverbs that has passed the sockets is about to close its own.
// Passed sockets that were not opened are closed.
func (s *Sockets) TakeOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		l.shared = false
	}
	for _, p := range s.passed {
		if p.own && p.Addr().Network() == "unix" {
			_ = os.Remove(p.Addr().String())
		}
		_ = p.Close()
	}
	s.passed = nil
}

// Open opens a listener at a: the socket that was passed to the process with this address, if
// there is one, and otherwise a new one. A socket file that nobody listens on is replaced.
func (s *Sockets) Open(a Address, o Options) (net.Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, err := s.take(a, o)
	if l == nil && err == nil {
		l, err = open(a, o)
	}
	if err != nil {
		return nil, err
	}
	l.of = s
	s.open = append(s.open, l)
	return l, nil
}

// take returns the passed socket with the address a, nil if there is none.
func (s *Sockets) take(a Address, o Options) (*socket, error) {
	i := slices.IndexFunc(s.passed, func(p passed) bool { return p.isAt(a) })
	if i < 0 {
		return nil, nil
	}
	p := s.passed[i]
	s.passed = slices.Delete(s.passed, i, i+1)
	l := &socket{Listener: p.Listener, foreign: !p.own, shared: p.own}
	if !p.own || a.Network != "unix" {
		return l, nil
	}
	info, err := os.Lstat(a.Address)
	if err == nil {
		err = os.Chmod(a.Address, o.Mode)
	}
	if err != nil {
		_ = p.Close()
		return nil, fmt.Errorf("cannot take over the socket %v: %w", a, err)
	}
	l.file = &file{a.Address, info}
	return l, nil
}

// isAt reports whether the socket listens at a.
func (p passed) isAt(a Address) bool {
	if p.Addr().Network() != a.Network {
		return false
	}
	if a.Network == "unix" {
		return filepath.Clean(p.Addr().String()) == filepath.Clean(a.Address)
	}
	own, ok := p.Addr().(*net.TCPAddr)
	other, err := net.ResolveTCPAddr("tcp", a.Address)
	if !ok || err != nil || own.Port != other.Port {
		return false
	}
	// The net package makes no difference between 0.0.0.0 and [::] either.
	all := len(other.IP) == 0 || other.IP.IsUnspecified()
	return own.IP.Equal(other.IP) || all && own.IP.IsUnspecified()
}

// Files returns descriptors of all open listeners for another process. Their names describe them to
// [Inherit]. The caller closes them.
func (s *Sockets) Files() (files []*os.File, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		f, err := l.duplicate()
		if err != nil {
			for _, f := range files {
				_ = f.Close()
			}
			return nil, fmt.Errorf("socket %s: %w", AddressOf(l.Addr()), err)
		}
		files = append(files, f)
	}
	return files, nil
}

// Leave is called when another process has the open listeners too: closing them here then leaves
// the files of unix sockets alone.
func (s *Sockets) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		l.shared = true
	}
}

// forget removes a listener that is being closed. It reports whether no other process has it.
func (s *Sockets) forget(l *socket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = slices.DeleteFunc(s.open, func(other *socket) bool { return other == l })
	return !l.foreign && !l.shared
}
