package admin

import (
	"net"
	"net/http"
	"slices"
	"sync"
)

const maxConnections = 64

// visitors are the open connections of a listener, at most maxConnections. When one more comes,
// another one is closed instead of letting the new one wait: clients that connect and send nothing
// must not keep out a health check.
type visitors struct {
	net.Listener

	mu   sync.Mutex
	open []visitor // the one whose state has not changed for longest is first
}

// visitor is a connection. It is busy while a request of it is being answered.
type visitor struct {
	net.Conn
	busy bool
}

// Accept implements net.Listener for the http.Server.
func (v *visitors) Accept() (net.Conn, error) {
	conn, err := v.Listener.Accept()
	if err == nil {
		v.enter(conn)
	}
	return conn, err
}

// enter adds a connection. If there are too many, it closes the one that has sent no whole request
// for longest; if all have sent one, the one that has not taken its answer for longest.
func (v *visitors) enter(conn net.Conn) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.open) == maxConnections {
		i := max(0, slices.IndexFunc(v.open, func(o visitor) bool { return !o.busy }))
		_ = v.open[i].Close()
		v.open = slices.Delete(v.open, i, i+1)
	}
	v.open = append(v.open, visitor{Conn: conn})
}

// changed is called by the http.Server when the state of a connection changes.
func (v *visitors) changed(conn net.Conn, to http.ConnState) {
	v.mu.Lock()
	defer v.mu.Unlock()
	i := slices.IndexFunc(v.open, func(o visitor) bool { return o.Conn == conn })
	if i < 0 || to == http.StateNew {
		return
	}
	v.open = slices.Delete(v.open, i, i+1)
	if to == http.StateActive || to == http.StateIdle {
		v.open = append(v.open, visitor{conn, to == http.StateActive})
	}
}
