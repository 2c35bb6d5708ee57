package packet

import "encoding/binary"

// HeaderSize is the length of a packet's header, in bytes.
const HeaderSize = 24

// CASOffset is where the CAS is in a header, which it ends.
const CASOffset = 16

// The opcodes.
const (
	Get        = 0x00
	Set        = 0x01
	Add        = 0x02
	Replace    = 0x03
	Delete     = 0x04
	Increment  = 0x05
	Decrement  = 0x06
	Quit       = 0x07
	Flush      = 0x08
	GetQ       = 0x09
	Noop       = 0x0a
	Version    = 0x0b
	GetK       = 0x0c
	GetKQ      = 0x0d
	Append     = 0x0e
	Prepend    = 0x0f
	Stat       = 0x10
	SetQ       = 0x11
	AddQ       = 0x12
	ReplaceQ   = 0x13
	DeleteQ    = 0x14
	IncrementQ = 0x15
	DecrementQ = 0x16
	QuitQ      = 0x17
	FlushQ     = 0x18
	AppendQ    = 0x19
	PrependQ   = 0x1a
	Verbosity  = 0x1b
	Touch      = 0x1c
	GAT        = 0x1d
	GATQ       = 0x1e
	SASLList   = 0x20
	GATK       = 0x23
	GATKQ      = 0x24
)

// Request is a request.
type Request struct {
	Opcode             byte
	Extras, Key, Value string
	Opaque             uint32
	CAS                uint64

	DataType byte
	VBucket  uint16
	Wrong    *Wrong // what the header says instead of what is true, or nil
}

// Wrong is what a header says that contradicts its packet.
type Wrong struct {
	Magic  byte
	Extras uint8  // bytes
	Key    uint16 // bytes
	Body   uint32 // bytes of extras, key and value
}

// True returns what the header of r says if it is right.
func (r Request) True() Wrong {
	return Wrong{0x80, uint8(len(r.Extras)), uint16(len(r.Key)), uint32(len(r.Extras) + len(r.Key) + len(r.Value))}
}

// Header returns the header.
func (r Request) Header() string {
	said := r.True()
	if r.Wrong != nil {
		said = *r.Wrong
	}
	b := []byte{said.Magic, r.Opcode}
	b = binary.BigEndian.AppendUint16(b, said.Key)
	b = append(b, said.Extras, r.DataType)
	b = binary.BigEndian.AppendUint16(b, r.VBucket)
	b = binary.BigEndian.AppendUint32(b, said.Body)
	b = binary.BigEndian.AppendUint32(b, r.Opaque)
	return string(binary.BigEndian.AppendUint64(b, r.CAS))
}

// Body returns the extras, the key and the value.
func (r Request) Body() string { return r.Extras + r.Key + r.Value }

// String returns the packet.
func (r Request) String() string { return r.Header() + r.Body() }

// Words returns extras of 32 bits each.
func Words(list ...uint32) string {
	var b []byte
	for _, n := range list {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return string(b)
}

// Number returns a number of 64 bits.
func Number(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// Counting returns the extras of an increment or decrement. exptime is in seconds, and
// 0xffffffff to create nothing.
func Counting(delta, initial uint64, exptime uint32) string {
	return Number(delta) + Number(initial) + Words(exptime)
}
