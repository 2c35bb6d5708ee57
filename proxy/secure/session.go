package secure

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
)

// Session is a connection whose handshake is over. It is a net.Conn to be passed to an event loop,
// which must read and write the socket only by the methods of Session. They are called on that loop
// only, and never block.
type Session struct {
	net.Conn // the socket
	wire     *wire
	tls      *tls.Conn
}

func newSession(w *wire, c *tls.Conn) *Session {
	w.settled = true
	return &Session{Conn: w.Conn, wire: w, tls: c}
}

// Begin makes the session write the ciphertext to send to out, which must accept everything. It
// must be called before the other methods.
func (s *Session) Begin(out io.Writer) { s.wire.out = out }

// Feed takes bytes that were received. They must not change until [Session.Open] has returned that
// there is no more.
func (s *Session) Feed(received []byte) { s.wire.in = received }

// Open fills p with received plaintext, and returns its length. more is false if all complete
// records were opened. err is io.EOF if the peer sends nothing more, or else an [Error] that says
// what it did wrong.
func (s *Session) Open(p []byte) (n int, more bool, err error) {
	for n < len(p) {
		got, err := s.tls.Read(p[n:])
		if n += got; got > 0 {
			s.wire.idle = 0
		}
		switch {
		case errors.Is(err, again{}):
			return n, false, nil
		case err == io.EOF:
			return n, false, io.EOF
		case err != nil:
			why := reason(err)
			if s.wire.server == nil {
				why += adviceRefused(why)
			}
			return n, false, &Error{why}
		}
	}
	return n, true, nil
}

// Partial reports whether a part of a record has been received, which can't be opened yet.
func (s *Session) Partial() bool { return s.wire.records.within() }

// Seal sends plaintext, in records as large as possible. Its error is final.
func (s *Session) Seal(plaintext []byte) error {
	_, err := s.tls.Write(plaintext)
	return err
}

// Finish tells the peer that nothing more will be sent. Then Seal must not be called.
func (s *Session) Finish() { _ = s.tls.CloseWrite() }

// sessionSize is about how many bytes a session takes besides its buffers: some 4 kB were
// measured with TLS 1.2 and 7 kB with 1.3.
const sessionSize = 8 << 10

// Memory returns about how much memory the session takes, in bytes.
func (s *Session) Memory() int { return sessionSize + s.wire.room + s.wire.kept() }
