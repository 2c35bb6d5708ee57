package secure

import (
	"crypto/tls"
	"errors"
	"io"
	"slices"
	"syscall"
	"time"
)

// Shake makes the handshake. If it fails, it says so to the client, closes the connection, and
// returns an error, which has been logged and counted.
func (p *Place) Shake(s *Server) (*Session, error) {
	defer func() { <-p.of.slots }()
	w := &wire{Conn: p.Conn, server: s, computing: p.of.computing}
	t := tls.Server(w, serving)
	w.computing <- token{}
	err := t.Handshake()
	<-w.computing
	if p.leave() {
		err = errors.Join(errEvicted, err)
	}
	if err != nil {
		p.fail(w, err)
		return nil, err
	}
	if t.ConnectionState().DidResume {
		p.of.Resumed.Add(1)
	} else {
		p.of.Full.Add(1)
	}
	_ = p.SetDeadline(time.Time{})
	return newSession(w, t), nil
}

// leave ends the handshake. It reports whether it was evicted.
func (p *Place) leave() (evicted bool) {
	h := p.of
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = slices.DeleteFunc(h.open, func(open *handshake) bool { return open == &p.handshake })
	return p.evicted
}

// plainText is the answer to a client that does not speak TLS.
const plainText = "SERVER_ERROR this address speaks TLS only\r\n"

// farewell is how long a client that does not speak TLS may take to read that.
const farewell = 100 * time.Millisecond

// fail ends a connection whose handshake has failed. A connection that the client closes or resets
// before it has sent anything, as port monitors do, is not a failure.
func (p *Place) fail(w *wire, err error) {
	defer func() { _ = p.Close() }()
	if errors.Is(err, errPlain) {
		p.refuse()
	}
	if !w.heard && !errors.Is(err, errPlain) && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)) {
		return
	}
	p.of.Failed.Add(1)
	p.of.note(p, err)
}

// refuse tells a client that it should speak TLS. It reads the client's input for a moment, because
// closing a socket with unread input would make the system discard the answer.
func (p *Place) refuse() {
	_ = p.SetDeadline(time.Now().Add(farewell))
	_, _ = p.Write([]byte(plainText))
	if end, ok := p.Conn.(interface{ CloseWrite() error }); ok {
		_ = end.CloseWrite()
	}
	_, _ = io.CopyN(io.Discard, p.Conn, 64<<10)
}

// serving is the configuration with which every handshake with a client begins. It has the keys of
// session tickets for the whole process, which crypto/tls replaces every day.
var serving = &tls.Config{
	MinVersion: tls.VersionTLS12,
	GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		return hello.Conn.(*wire).server.Watched.config(), nil
	},
}
