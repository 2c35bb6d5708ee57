package transport

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync/atomic"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// Engine runs event loops.
//
// It uses gnet's client engine, which leaves listening to the caller. So the proxy can limit the
// number of clients before they cost anything, survives running out of descriptors, and can stop
// listening before the connections end.
type Engine struct {
	Loops []*Loop

	client  *gnet.Client
	epolls  epolls      // epoll descriptors that no known loop uses: those of other loops, and others
	stopped atomic.Bool // nothing may run on the loops any more
}

// MaxLoops is how many event loops gnet can have.
const MaxLoops = 256

// Start starts n event loops, at most [MaxLoops], which log to log. Call [Loop.Serve] for each of them before
// any other method.
func Start(n int, log *slog.Logger) (*Engine, error) {
	client, err := gnet.NewClient(&events{}, gnet.WithNumEventLoop(n), gnet.WithReadBufferCap(gnetReads), gnet.WithLogger(logger{log}))
	if err != nil {
		return nil, err
	}
	if err = client.Start(); err != nil {
		return nil, err
	}
	e := &Engine{client: client}
	if e.epolls, err = listEpolls(); err != nil {
		_ = e.Stop()
		return nil, err
	}
	for range n {
		if err = e.addLoop(n); err != nil {
			_ = e.Stop()
			return nil, err
		}
	}
	return e, nil
}

// Stop closes all connections and ends the loops. Functions posted from now on are not
// called.
func (e *Engine) Stop() error {
	e.stopped.Store(true)
	for _, l := range e.Loops {
		l.rouse()
	}
	err := e.client.Stop()
	for _, l := range e.Loops {
		l.close()
	}
	return err
}

// addLoop finds one more of gnet's n event loops by enrolling a connection, which gnet
// assigns to the loop with the fewest. The same descriptors later serve to wake the loop.
func (e *Engine) addLoop(n int) error {
	near, far, err := connected()
	if err != nil {
		return err
	}
	l := &Loop{handover: handover{stopped: &e.stopped, far: far}, epolls: &e.epolls, yielding: yielding{loops: n}, full: map[int]*Conn{}, failed: errors.New("one does not accept a connection")}
	if _, err = e.client.EnrollContext(near, l); err == nil { // this has called l.found
		err = l.failed
	}
	if err != nil {
		_ = unix.Close(far)
		return err
	}
	e.Loops = append(e.Loops, l)
	for _, other := range e.Loops[:len(e.Loops)-1] {
		if other.events == l.events {
			return errors.New("one was handed two connections while another had none")
		}
	}
	return nil
}

// connected returns two connected sockets.
func connected() (near net.Conn, far int, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, 0, os.NewSyscallError("socketpair", err)
	}
	for _, fd := range pair {
		unix.CloseOnExec(fd)
		_ = unix.SetNonblock(fd, true)
	}
	file := os.NewFile(uintptr(pair[0]), "wake-up")
	defer func() { _ = file.Close() }()
	if near, err = net.FileConn(file); err != nil {
		_ = unix.Close(pair[1])
	}
	return near, pair[1], err
}

// logger forwards gnet's log. gnet warns of ordinary ends of connections, so everything
// but errors is logged at debug level.
type logger struct{ log *slog.Logger }

func (g logger) Debugf(format string, args ...any) { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g logger) Infof(format string, args ...any)  { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g logger) Warnf(format string, args ...any)  { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g logger) Errorf(format string, args ...any) { g.log.Error(fmt.Sprintf(format, args...)) }
func (g logger) Fatalf(format string, args ...any) { g.log.Error(fmt.Sprintf(format, args...)) }
