package binary

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// translate sets req to the request of the packet at the start of buf, without its value.
func (p *Parser) translate(buf []byte, h *header, c *command, req *protocol.Request) {
	extras := buf[headerSize : headerSize+h.extras]
	key := buf[headerSize+h.extras:]
	key = key[:h.key]
	switch c.kind {
	case get, touch:
		if c.kind == get && c.extras == 0 && !odd(key) {
			req.SetRetrieval(protocol.Gets, key, 1, false)
			return
		}
		p.meta(req, protocol.MetaGet, key, p.getFlags(c, key, extras))
	case store:
		p.meta(req, protocol.MetaSet, key, p.storeFlags(h, c, extras))
		req.KeepsOld = h.opcode != opSet && h.opcode != opSetQuiet
	case concat:
		p.meta(req, protocol.MetaSet, key, p.modeAndCAS(append(p.flags[:0], " c"...), h, c))
		req.KeepsOld = true
	case remove:
		p.meta(req, protocol.MetaDelete, key, p.modeAndCAS(p.flags[:0], h, c))
	case count:
		p.meta(req, protocol.MetaArithmetic, key, p.countFlags(h, c, extras))
	case flush:
		req.Reset(protocol.FlushAll)
		if h.extras > 0 {
			req.Exptime, req.NumWords = delay(extras), 1
		}
	case noop:
		req.Reset(protocol.MetaNoop)
	case version:
		req.Reset(protocol.Version)
	case stat:
		req.Reset(protocol.Stats)
		req.Words, req.NumWords = key, protocol.CountWords(key)
	case quit:
		req.Reset(protocol.Quit)
	case mechanisms, auth:
		req.Reset(protocol.Auth)
		req.Words, req.NumWords = key, protocol.CountWords(key)
	}
}

// Opcodes of set: when the value is too large, the old item is removed.
const (
	opSet      = 0x01
	opSetQuiet = 0x11
)

// errOddKey is the refusal of a key that has no form as a word of a line.
const errOddKey = "CLIENT_ERROR a key with a space, a line end or a zero byte may have 186 bytes: a longer one can't be sent on in base64"

// longestOdd is how many bytes a key may have whose base64 is no longer than
// [protocol.MaxKey].
const longestOdd = protocol.MaxKey / 4 * 3

// meta sets req to a meta command. flags are in a buffer that does not change before the next
// packet is read.
func (p *Parser) meta(req *protocol.Request, command protocol.Command, key, flags []byte) {
	if !odd(key) {
		req.SetMeta(command, key, nil, flags)
		return
	}
	p.key = append(p.key[:0], key...) // Request.Move leaves a key alone that is sent in base64
	key = p.key
	p.encoded = base64.StdEncoding.AppendEncode(p.encoded[:0], key)
	p.flags = append(append(p.flags[:0], flags...), " b"...)
	req.SetMeta(command, key, p.encoded, p.flags)
	if len(key) > longestOdd {
		req.Refusal = errOddKey
	}
}

// odd reports whether key can't be a word in a line of the text protocol.
func odd(key []byte) bool {
	for _, c := range key {
		if c == ' ' || c == '\n' || c == '\r' || c == 0 {
			return true
		}
	}
	return false
}

// getFlags returns the flags of a mg. A value in an upstream's answer belongs to the key that the answer
// returns; a key in base64 is not asked for, since memcached does not return it as such unless the
// item was stored so.
func (p *Parser) getFlags(c *command, key, extras []byte) []byte {
	flags := " k f v c"
	switch {
	case c.kind == touch:
		flags = " f c"
	case odd(key):
		flags = " f v c"
	}
	p.flags = append(p.flags[:0], flags...)
	if c.extras == 0 {
		return p.flags
	}
	return p.number(p.flags, 'T', exptime(extras))
}

func (p *Parser) storeFlags(h *header, c *command, extras []byte) []byte {
	flags := append(p.flags[:0], " c"...)
	if given := binary.BigEndian.Uint32(extras); given != 0 {
		flags = p.number(flags, 'F', uint64(given))
	}
	if ttl := exptime(extras[4:]); ttl != 0 {
		flags = p.number(flags, 'T', ttl)
	}
	if h.cas != 0 { // as in memcached, an add or replace with a CAS is a set with it
		return p.number(flags, 'C', h.cas)
	}
	return p.modeAndCAS(flags, h, c)
}

// never is the exptime of an increment that must not create an item.
const never = math.MaxUint32

func (p *Parser) countFlags(h *header, c *command, extras []byte) []byte {
	flags := p.flags[:0]
	if !c.quiet { // otherwise the number is not needed, and that of a verb may not fit into a packet
		flags = append(flags, " v"...)
	}
	flags = append(flags, " c"...)
	flags = p.number(flags, 'D', binary.BigEndian.Uint64(extras))
	if binary.BigEndian.Uint32(extras[16:]) != never {
		flags = p.number(flags, 'J', binary.BigEndian.Uint64(extras[8:]))
		flags = p.number(flags, 'N', exptime(extras[16:]))
	}
	return p.modeAndCAS(flags, h, c)
}

func (p *Parser) modeAndCAS(flags []byte, h *header, c *command) []byte {
	if c.mode != 0 {
		flags = append(flags, ' ', 'M', c.mode)
	}
	if h.cas != 0 {
		flags = p.number(flags, 'C', h.cas)
	}
	p.flags = flags
	return flags
}

// number appends a flag with a number, and keeps the buffer.
func (p *Parser) number(flags []byte, letter byte, n uint64) []byte {
	p.flags = strconv.AppendUint(append(flags, ' ', letter), n, 10)
	return p.flags
}

// exptime returns the exptime in extras. The text protocol has no dates after January 2038: an item
// with such a date does not expire.
func exptime(extras []byte) uint64 {
	if n := binary.BigEndian.Uint32(extras); n <= math.MaxInt32 {
		return uint64(n)
	}
	return 0
}

// delay returns the delay of a flush, in seconds.
func delay(extras []byte) int64 {
	return int64(min(binary.BigEndian.Uint32(extras), math.MaxInt32))
}
