package transport

import "github.com/memverbs/memverbs/proxy/secure"

// Many small replies share a TLS record, since each record costs some bytes and a run of the cipher.
// For that they are copied into one buffer. Data as long as a record is sealed where it is.

// mostSealed returns how many bytes of the output are sealed at once, at most: nearly what is
// written in a turn, so that the ciphertext fits into a buffer of that size.
func (c *Conn) mostSealed() int { return int(c.perTurn) - secure.MaxRecord }

// makeRoom makes the ciphertext of n bytes go into one buffer.
func (s *secured) makeRoom(n int) {
	s.sealed.Room(n + (n/secure.MaxRecord+1)*secure.MaxOverhead)
}

// sealNext seals the next part of the output. sealed must be empty.
func (s *secured) sealNext(c *Conn) error {
	left := min(c.Out.Size(), c.mostSealed())
	s.makeRoom(left)
	s.covers, s.begun = left, 0
	if s.divider != nil {
		return s.sealDivided(c, left)
	}
	joined := c.loop.joined[:0]
	for i := 0; left > 0; i++ {
		rest := c.Out.parts()[i].rest()
		rest = rest[:min(len(rest), left)]
		left -= len(rest)
		if len(joined) == 0 && left == 0 {
			return s.session.Seal(rest)
		}
		for len(rest) > 0 {
			if whole := len(rest) / secure.MaxRecord * secure.MaxRecord; len(joined) == 0 && whole > 0 {
				if err := s.session.Seal(rest[:whole]); err != nil {
					return err
				}
				rest = rest[whole:]
				continue
			}
			n := min(len(rest), secure.MaxRecord-len(joined))
			joined, rest = append(joined, rest[:n]...), rest[n:]
			if len(joined) == secure.MaxRecord {
				if err := s.session.Seal(joined); err != nil {
					return err
				}
				joined = joined[:0]
			}
		}
	}
	c.loop.joined = joined
	if len(joined) == 0 {
		return nil
	}
	return s.session.Seal(joined)
}

// sealDivided seals the first size bytes of the output in records as the owner divides them.
func (s *secured) sealDivided(c *Conn, size int) error {
	part, at := 0, 0 // where the next record begins
	for done := 0; done < size; {
		n := s.divider.Divide(done, min(secure.MaxRecord, size-done))
		done += n
		joined := c.loop.joined[:0]
		for n > 0 {
			rest := c.Out.parts()[part].rest()[at:]
			rest = rest[:min(len(rest), n)]
			joined = append(joined, rest...)
			n -= len(rest)
			if at += len(rest); at == len(c.Out.parts()[part].rest()) {
				part, at = part+1, 0
			}
		}
		c.loop.joined = joined
		if err := s.session.Seal(joined); err != nil {
			return err
		}
	}
	return nil
}
