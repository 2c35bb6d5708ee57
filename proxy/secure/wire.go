package secure

import (
	"io"
	"net"
	"time"
)

// wire is the connection under a tls.Conn: the socket during the handshake, memory after it.
type wire struct {
	net.Conn             // the socket
	server    *Server    // whose handshake it is; nil towards a server
	computing chan token // one element for each handshake that computes; nil towards a server
	heard     bool       // something has been received
	records   records    // of what has been received
	shook     int        // bytes received in the handshake

	settled bool // the handshake is over
	in      []byte
	out     io.Writer
	room    int // the largest buffer of the tls.Conn so far, in bytes
	idle    int // bytes received since there was plaintext, or since the handshake
}

// The tls.Conn buffers a TLS message until all of it has arrived. A message may be a quarter of a
// megabyte, and a hostile peer may stop before its end. Useful messages are far shorter.
const (
	// mostShaking is how many bytes a client may send in its handshake: several times what a client
	// with a long certificate chain sends.
	mostShaking = 32 << 10
	// mostIdle is how many bytes a peer may send without any plaintext: a record, and TLS messages.
	mostIdle = 64 << 10
)

// token is an element of a channel that limits something.
type token struct{}

// FirstByte is what every TLS connection begins with: the type of its first record.
const FirstByte = 0x16

// again is returned when there are no more bytes yet. crypto/tls does not store temporary errors.
type again struct{}

func (again) Error() string   { return "nothing more has been received yet" }
func (again) Timeout() bool   { return true }
func (again) Temporary() bool { return true }

// Read implements net.Conn for the tls.Conn.
func (w *wire) Read(p []byte) (n int, err error) {
	if !w.settled {
		w.rest(func() { n, err = w.Conn.Read(p) })
		if n > 0 && !w.heard && p[0] != FirstByte && w.server != nil {
			return 0, errPlain
		}
		w.heard = w.heard || n > 0
		w.records.follow(p[:n])
		if w.shook += n; w.shook > mostShaking && w.server != nil {
			return 0, errLong
		}
		return n, err
	}
	w.room = max(w.room, len(p))
	if len(w.in) == 0 {
		return 0, again{}
	}
	n = copy(p, w.in)
	w.in = w.in[n:]
	w.records.follow(p[:n])
	if w.idle += n; w.idle > mostIdle {
		return 0, errIdle
	}
	return n, nil
}

// kept returns about how much memory the tls.Conn may use for TLS messages, in bytes: their buffer
// grows by doubling, and is kept.
func (w *wire) kept() int { return 2 * (w.shook + max(0, w.idle-MaxRecord-MaxOverhead)) }

// Write implements net.Conn for the tls.Conn.
func (w *wire) Write(p []byte) (n int, err error) {
	if !w.settled {
		w.rest(func() { n, err = w.Conn.Write(p) })
		return n, err
	}
	return w.out.Write(p)
}

// rest calls wait, which may block, and lets other handshakes compute meanwhile.
func (w *wire) rest(wait func()) {
	if w.computing == nil {
		wait()
		return
	}
	<-w.computing
	wait()
	w.computing <- token{}
}

// SetWriteDeadline implements net.Conn. The tls.Conn sets a deadline when it sends its final alert.
func (w *wire) SetWriteDeadline(t time.Time) error {
	if w.settled {
		return nil
	}
	return w.Conn.SetWriteDeadline(t)
}
