package embedded

import (
	"net"
	"os"
	"syscall"
)

// Dial returns the client's end of a new connection to the store: a *net.UnixConn, one
// end of a socket pair. The caller must close it.
func (s *Store) Dial() (net.Conn, error) {
	client, server, err := socketPair()
	if err != nil {
		return nil, err
	}
	if !s.admit(server) {
		client.Close()
		server.Close()
		return nil, net.ErrClosed
	}
	return client, nil
}

// admit serves a connection on a new goroutine. It returns false if the store is
// closed.
func (s *Store) admit(end net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.conns[end] = struct{}{}
	s.counts.conns.Add(1)
	s.serves.Go(func() {
		newConn(s, end).serve()
		end.Close()
		s.mu.Lock()
		delete(s.conns, end)
		s.mu.Unlock()
	})
	return true
}

// Close ends all connections and goroutines, waits for them, and drops all items. Dial
// fails from now on.
func (s *Store) Close() {
	s.mu.Lock()
	s.closed = true
	for end := range s.conns {
		end.Close()
	}
	s.mu.Unlock()
	s.serves.Wait()
	s.cache.StopAllGoroutines()
	s.cache.InvalidateAll()
}

// socketPair returns the two ends of a new unix stream socket.
func socketPair() (client, server net.Conn, err error) {
	syscall.ForkLock.RLock()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fds[0])
		syscall.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if client, err = fileConn(fds[0]); err != nil {
		syscall.Close(fds[1])
		return nil, nil, err
	}
	if server, err = fileConn(fds[1]); err != nil {
		client.Close()
		return nil, nil, err
	}
	return client, server, nil
}

// fileConn converts a descriptor, which it closes, to a connection.
func fileConn(fd int) (net.Conn, error) {
	file := os.NewFile(uintptr(fd), "embedded store")
	defer file.Close()
	return net.FileConn(file)
}
