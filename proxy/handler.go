package proxy

import (
	"fmt"
	"log/slog"

	"github.com/panjf2000/gnet/v2"
)

// handler is where gnet's events enter. A connection's context says what it
// is: of a client, or to an upstream.
type handler struct {
	gnet.BuiltinEventEngine
	server *Server
}

// OnOpen is called on its loop when a connection has been handed to it.
func (h *handler) OnOpen(conn gnet.Conn) ([]byte, gnet.Action) {
	switch of := conn.Context().(type) {
	case primer:
		l, err := newLoop(h.server, conn.EventLoop(), conn.Fd())
		if err == nil {
			l.wakeFD = of.far
			conn.SetContext(l)
		}
		h.server.primed <- primed{l, err}
	case *connection:
		of.loop.enter()
		wanted := of.opened(conn)
		of.loop.leave()
		if !wanted {
			return nil, gnet.Close
		}
	default:
		l := h.server.byEvents[conn.EventLoop()]
		c := newClient(l, conn)
		conn.SetContext(c)
		l.clients[c] = struct{}{}
		l.stats.accepted++
		if h.server.draining.Load() {
			return nil, gnet.Close
		}
	}
	return nil, gnet.None
}

// OnTraffic is called when a connection has been read from.
func (h *handler) OnTraffic(conn gnet.Conn) gnet.Action {
	data, _ := conn.Next(-1) // all of it, so that gnet has nothing to keep
	switch of := conn.Context().(type) {
	case *client:
		of.loop.enter()
		of.read(data)
		of.loop.leave()
	case *connection:
		of.loop.enter()
		of.read(data)
		of.loop.leave()
	case *loop:
		of.enter()
		of.onEndOfTurn()
		of.leave()
	}
	return gnet.None
}

// OnClose is called before a connection is closed, whoever closes it.
func (h *handler) OnClose(conn gnet.Conn, err error) gnet.Action {
	switch of := conn.Context().(type) {
	case *client:
		of.loop.enter()
		of.closed(err)
		of.loop.leave()
	case *connection:
		of.loop.enter()
		of.closed(conn)
		of.loop.leave()
	}
	return gnet.None
}

// gnetLog passes on what gnet logs. Connections come and go, which it warns of;
// only what it calls an error is worth more than the debug level.
type gnetLog struct{ log *slog.Logger }

func (g gnetLog) Debugf(format string, args ...any) { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g gnetLog) Infof(format string, args ...any)  { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g gnetLog) Warnf(format string, args ...any)  { g.log.Debug(fmt.Sprintf(format, args...)) }
func (g gnetLog) Errorf(format string, args ...any) { g.log.Error(fmt.Sprintf(format, args...)) }
func (g gnetLog) Fatalf(format string, args ...any) { g.log.Error(fmt.Sprintf(format, args...)) }
