package proxy

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	protocolbinary "github.com/memverbs/memverbs/protocol/binary"
)

// packet returns a request of the binary protocol.
func packet(opcode byte, extras, key, value string) string {
	b := []byte{protocolbinary.Magic, opcode}
	b = binary.BigEndian.AppendUint16(b, uint16(len(key)))
	b = append(b, byte(len(extras)), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(len(extras)+len(key)+len(value)))
	return string(append(b, make([]byte, 12)...)) + extras + key + value
}

// readPacket returns the status, the key and the value of an answer.
func readPacket(t *testing.T, conn net.Conn) string {
	t.Helper()
	header := make([]byte, 24)
	if _, err := io.ReadFull(conn, header); err != nil {
		t.Fatal(err)
	}
	body := make([]byte, binary.BigEndian.Uint32(header[8:]))
	if _, err := io.ReadFull(conn, body); err != nil {
		t.Fatal(err)
	}
	key := body[header[4]:][:binary.BigEndian.Uint16(header[2:])]
	return fmt.Sprintf("%d %q %q", binary.BigEndian.Uint16(header[6:]), key, body[int(header[4])+len(key):])
}

// Clients of the binary protocol see whole keys too.
func TestStrippedKeysInTheBinaryProtocol(t *testing.T) {
	conn, _, sessions, _ := newStripping(t, nil)
	const get, set, remove, count, getq, getk, getkq, gat = 0x00, 0x01, 0x04, 0x05, 0x09, 0x0c, 0x0d, 0x23
	noExtras, storing := "", strings.Repeat("\x00", 8)
	counting := strings.Repeat("\x00", 7) + "\x02" + strings.Repeat("\x00", 7) + "\x05" + "\x00\x00\x00\x00"
	large := strings.Repeat("x", 900<<10)
	for _, step := range []struct {
		opcode             byte
		extras, key, value string
		want               string
	}{
		{set, storing, "s:k", "v", `0 "" ""`},
		{get, noExtras, "s:k", "", `0 "" "v"`},
		{getk, noExtras, "s:k", "", `0 "s:k" "v"`},
		{getkq, noExtras, "s:k", "", `0 "s:k" "v"`},
		{getq, noExtras, "s:k", "", `0 "" "v"`},
		{gat, "\x00\x00\x00\x00", "s:k", "", `0 "s:k" "v"`},
		{getk, noExtras, "s:none", "", `1 "s:none" ""`},
		{set, storing, "s:a b", "w", `0 "" ""`},
		{getk, noExtras, "s:a b", "", `0 "s:a b" "w"`},
		{count, counting, "s:n", "", `0 "" "\x00\x00\x00\x00\x00\x00\x00\x05"`},
		{count, counting, "s:n", "", `0 "" "\x00\x00\x00\x00\x00\x00\x00\a"`},
		{remove, noExtras, "s:n", "", `0 "" ""`},
		{remove, noExtras, "s:n", "", `1 "" "Not found"`},
		{set, storing, "s:large", large, `0 "" ""`},
		{getk, noExtras, "s:large", "", fmt.Sprintf("0 %q %q", "s:large", large)},
		{set, storing, "s:large", strings.Repeat("x", 2<<20), `3 "" "Too large."`},
		{getk, noExtras, "s:large", "", `1 "s:large" ""`},
		{get, noExtras, "s:", "", `4 "" "nothing is left of the key s: without its prefix, which is stripped"`},
	} {
		ask(t, conn, packet(step.opcode, step.extras, step.key, step.value))
		if got := readPacket(t, conn); got != step.want {
			t.Errorf("opcode %#x, key %q: answered %.200s, expected %.200s", step.opcode, step.key, got, step.want)
		}
	}
	exchange(t, sessions, "mg k v\r\nmg YSBi b k v\r\nget large s:k\r\n", "VA 1\r\nv\r\nVA 1 kYSBi b\r\nw\r\nEND\r\n")
}
