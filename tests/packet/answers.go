package packet

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Statuses.
const (
	Success        = 0x00
	NotFound       = 0x01
	Exists         = 0x02
	Invalid        = 0x04
	NotStored      = 0x05
	UnknownCommand = 0x81
	Temporary      = 0x86
)

// Answer is an answer.
type Answer struct {
	Header             string // all of it, as it was received
	Opcode             byte
	Status             uint16
	Opaque             uint32
	CAS                uint64
	Extras, Key, Value string
}

// Read reads an answer. It returns an error if it can't be read, or is no answer. Header is set
// as far as it has been received.
func Read(r io.Reader) (a Answer, err error) {
	header := make([]byte, HeaderSize)
	n, err := io.ReadFull(r, header)
	a.Header = string(header[:n])
	if err != nil {
		return a, err
	}
	extras, key := int(header[4]), int(binary.BigEndian.Uint16(header[2:]))
	body := int(binary.BigEndian.Uint32(header[8:]))
	if header[0] != 0x81 || extras+key > body || body > 64<<20 {
		return a, fmt.Errorf("%q is no header of an answer", header)
	}
	a.Opcode, a.Status = header[1], binary.BigEndian.Uint16(header[6:])
	a.Opaque, a.CAS = binary.BigEndian.Uint32(header[12:]), binary.BigEndian.Uint64(header[CASOffset:])
	rest := make([]byte, body)
	if _, err := io.ReadFull(r, rest); err != nil {
		return a, err
	}
	a.Extras, a.Key, a.Value = string(rest[:extras]), string(rest[extras:extras+key]), string(rest[extras+key:])
	return a, nil
}

// Body returns the extras, the key and the value.
func (a Answer) Body() string { return a.Extras + a.Key + a.Value }

// String returns the packet.
func (a Answer) String() string { return a.Header + a.Body() }
