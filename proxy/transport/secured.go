package transport

import (
	"io"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/secure"
)

// maxAnswered is how many bytes TLS itself may answer to what is received at once. A peer that asks for
// key updates again and again is hostile: each costs as much as a handful of requests.
const maxAnswered = 1 << 10

// maxUnread is how many bytes of ciphertext that TLS itself has sent, without any output, may wait
// to be written.
const maxUnread = 64 << 10

// plainSize is the size of the buffer for plaintext that was received, in bytes. What is read at
// once fits into it, together with the start of a record from before.
const plainSize = ReadSize + secure.MaxRecord

// secureWith makes c speak TLS. It is called before the socket is enrolled.
func (c *Conn) secureWith(s *secure.Session) {
	c.secure = &secured{session: s, sealed: Output{Buffers: c.Out.Buffers}}
	c.secure.divider, _ = c.owner.(Divider)
	s.Begin(c.secure)
}

// Write takes ciphertext of the session. It implements io.Writer.
func (s *secured) Write(p []byte) (int, error) {
	s.sealed.Write(p)
	return len(p), nil
}

// receive deciphers ciphertext and passes it to the owner. It reports whether the socket is to be
// closed.
func (s *secured) receive(c *Conn, ciphertext []byte) (closes bool) {
	if s.reason != nil {
		return true
	}
	if c.loop.plain == nil {
		c.loop.plain = make([]byte, plainSize)
	}
	s.session.Feed(ciphertext)
	answered := 0
	for more := true; more && c.receives(); {
		var n int
		before := s.sealed.Size()
		n, more, s.reason = s.session.Open(c.loop.plain)
		answered += s.sealed.Size() - before
		if n > 0 {
			c.owner.Read(c.loop.plain[:n])
		}
	}
	if !c.receives() {
		return false // the owner has ended it
	}
	switch {
	case answered > maxAnswered:
		s.reason = secure.ErrRekeys
	case s.sealed.Size() > int(c.perTurn)+maxUnread:
		s.reason = secure.ErrUnread
	}
	s.count(c)
	c.Send()
	return s.reason != nil
}

// count counts the memory of the session, which may have grown.
func (s *secured) count(c *Conn) {
	c.Out.Buffers.Account.Recount(&s.counted, s.session.Memory())
}

// write is [Conn.write]: it returns how many bytes of the output are done, which may be 0 although
// something was written.
func (s *secured) write(c *Conn) (int, error) {
	if s.sealed.Size() == 0 {
		if err := s.sealNext(c); err != nil {
			return 0, err
		}
	}
	return s.writeOn(c)
}

// writeOn makes one attempt to write ciphertext.
func (s *secured) writeOn(c *Conn) (done int, err error) {
	n, err := c.loop.poller.write(&c.handle, s.sealed.parts()[0].rest())
	if err != nil {
		return 0, err
	}
	s.sealed.advance(n)
	s.begun += n
	if s.sealed.Size() > 0 {
		return 0, nil
	}
	done, s.covers, s.begun = s.covers, 0, 0
	if s.shut {
		_ = unix.Shutdown(c.fd, unix.SHUT_WR)
	}
	return done, nil
}

// pass is [Conn.Pass].
func (s *secured) pass(c *Conn, p []byte) {
	var err error
	for err == nil && c.owes() && c.schedule.accepts() {
		var n int
		n, err = s.write(c) // an error will occur again when the rest is written
		c.Out.advance(n)
		c.owner.Wrote(n)
	}
	for err == nil && len(p) > 0 && c.schedule.accepts() {
		var n int
		n, err = s.passPart(c, p[:min(len(p), c.mostSealed())])
		c.owner.Wrote(n)
		p = p[n:]
	}
	c.Out.Write(p)
	c.Send()
}

// passPart writes p. Nothing else must wait to be written. It returns len(p), or 0 if some of the
// ciphertext waits; then p must be put into the output.
func (s *secured) passPart(c *Conn, p []byte) (n int, err error) {
	s.makeRoom(len(p))
	if err := s.session.Seal(p); err != nil {
		return 0, err
	}
	s.covers = len(p)
	for err == nil && s.sealed.Size() > 0 {
		n, err = s.writeOn(c)
	}
	return n, err
}

// unconfirmed is [Conn.Unconfirmed]. kernel is how much the peer's machine has not acknowledged of
// the ciphertext. The result is negative if the machine has acknowledged records of a sealed part
// that the socket has not accepted completely. A record that it has acknowledged in part does not
// count.
func (s *secured) unconfirmed(kernel int) int {
	if got := s.begun - kernel; got > 0 {
		return -min(got/(secure.MaxRecord+secure.MaxOverhead)*secure.MaxRecord, s.covers)
	}
	return kernel - s.begun
}

// closeWrite is [Conn.CloseWrite].
func (s *secured) closeWrite(c *Conn) {
	s.session.Finish()
	if s.shut = true; s.sealed.Size() == 0 {
		_ = unix.Shutdown(c.fd, unix.SHUT_WR)
	}
	c.Send()
}

// end frees everything. It sends the final alert only if the peer has been sent everything, so that
// the peer can see whether something is missing.
func (s *secured) end(c *Conn) {
	if c.life.open() && c.schedule != over && !c.owes() && !s.shut && (s.reason == nil || s.reason == io.EOF) {
		s.session.Finish()
		if s.sealed.Size() > 0 {
			_, _ = c.loop.poller.write(&c.handle, s.sealed.parts()[0].rest())
		}
	}
	s.sealed.Drop()
	c.Out.Buffers.Account.Recount(&s.counted, 0)
}

// lastWords returns the error that TLS reports in input that has arrived and was not read, nil if
// there is none. A peer that refuses our certificate sends an alert and closes the connection when
// the handshake is already over here, so that a write may fail before the alert is read.
func (s *secured) lastWords(c *Conn) error {
	if s.reason != nil {
		return nil
	}
	received := make([]byte, ReadSize)
	n, err := c.loop.poller.read(c.fd, received)
	if err != nil || n == 0 {
		return nil
	}
	s.session.Feed(received[:n])
	for more := len(c.loop.plain) > 0; more; {
		_, more, s.reason = s.session.Open(c.loop.plain)
	}
	if s.reason == io.EOF {
		return nil
	}
	return s.reason
}
