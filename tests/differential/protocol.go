package differential

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/tests/packet"
)

// protocol is one of memcached's protocols.
type protocol int

const (
	lines protocol = iota
	packets
)

// firstProbe is the opaque of the first probe in a packet. Those of commands are below.
const firstProbe = 1 << 31

// probe returns the nth probe, and the answer to it.
func (p protocol) probe(n int) (probe, answer string) {
	if p == lines {
		return fmt.Sprintf("mg probe O%d\r\n", n), fmt.Sprintf("EN O%d\r\n", n)
	}
	probe = packet.Request{Opcode: packet.Noop, Opaque: firstProbe + uint32(n)}.String()
	return probe, "\x81" + probe[1:]
}

// misses returns requests that are answered by nothing, and that reach every upstream: they ask
// for many keys that nothing is stored under.
func (p protocol) misses() string {
	var b strings.Builder
	for i := range 100 {
		key := fmt.Sprintf("miss:%d", i)
		if p == lines {
			fmt.Fprintf(&b, "mg %s q\r\n", key)
		} else {
			b.WriteString(packet.Request{Opcode: packet.GetQ, Key: key}.String())
		}
	}
	return b.String()
}

// opaque returns the opaque of a packet.
func (u unit) opaque() uint32 {
	if len(u.line) < packet.HeaderSize {
		return 0
	}
	return binary.BigEndian.Uint32([]byte(u.line[packet.CASOffset-4:]))
}

// status returns the status of a packet.
func (u unit) status() uint16 {
	if len(u.line) < packet.HeaderSize {
		return 0
	}
	return binary.BigEndian.Uint16([]byte(u.line[6:]))
}

// maskPacket is mask for a packet.
func maskPacket(u unit) (header string, ids []uint64) {
	if len(u.line) < packet.HeaderSize {
		return u.line, nil
	}
	return u.line[:packet.CASOffset], []uint64{binary.BigEndian.Uint64([]byte(u.line[packet.CASOffset:]))}
}
