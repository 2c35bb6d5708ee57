package binary

import "encoding/binary"

// The first byte of a packet. No command of the text protocol begins with Magic.
const (
	Magic       = 0x80 // of a request
	answerMagic = 0x81
)

// headerSize is the length of a packet's header, in bytes.
const headerSize = 24

// header is the parsed header of a request.
type header struct {
	opcode byte
	extras int // bytes
	key    int // bytes
	body   int // bytes of extras, key and value
	opaque uint32
	cas    uint64
}

// readHeader reads a header from the start of buf.
func readHeader(buf []byte) header {
	_ = buf[headerSize-1]
	return header{
		opcode: buf[1],
		extras: int(buf[4]),
		key:    int(binary.BigEndian.Uint16(buf[2:])),
		body:   int(binary.BigEndian.Uint32(buf[8:])),
		opaque: binary.BigEndian.Uint32(buf[12:]),
		cas:    binary.BigEndian.Uint64(buf[16:]),
	}
}

// value returns the length of the value, in bytes.
func (h *header) value() int { return h.body - h.extras - h.key }
