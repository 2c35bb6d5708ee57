package binary

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// shown describes answers: status, extras, key, value and CAS of each. It fails if they are not
// whole packets.
func shown(t *testing.T, answers []byte) string {
	var list []string
	for len(answers) > 0 {
		if len(answers) < headerSize || answers[0] != answerMagic {
			t.Fatalf("%q is no packet", answers)
		}
		h := readHeader(answers)
		if h.value() < 0 || len(answers) < headerSize+h.body {
			t.Fatalf("%q has parts of %d, %d and %d bytes", answers, h.extras, h.key, h.value())
		}
		status := binary.BigEndian.Uint16(answers[6:])
		body := answers[headerSize : headerSize+h.body]
		list = append(list, fmt.Sprintf("%x %x %q %q %d", status, body[:h.extras], body[h.extras:h.extras+h.key], body[h.extras+h.key:], h.cas))
		answers = answers[headerSize+h.body:]
	}
	return strings.Join(list, ", ")
}

var formed = []struct {
	opcode           byte
	reply, key, want string
}{
	{0x00, "VA 3 ka f9 c12\r\nxyz\r\n", "", `0 00000009 "" "xyz" 12`},
	{0x0d, "VA 3 ka f9 c12\r\nxyz\r\n", "a", `0 00000009 "a" "xyz" 12`},
	{0x0c, "VA 0 f0 c12\r\n\r\n", "a b", `0 00000000 "a b" "" 12`},
	{0x00, "VALUE a 9 3 12\r\nxyz\r\nEND\r\n", "", `0 00000009 "" "xyz" 12`},
	{0x0d, "VALUE a 9 3 12\r\nxyz\r\n", "a", `0 00000009 "a" "xyz" 12`},
	{0x0c, "VALUE a 4294967295 0 18446744073709551615\r\n\r\nEND\r\n", "a", `0 ffffffff "a" "" 18446744073709551615`},
	{0x00, "END\r\n", "", `1  "" "Not found" 0`},
	{0x0c, "END\r\n", "a", `1  "a" "" 0`},
	{0x0d, "END\r\n", "a", ``},
	{0x00, "EN\r\n", "", `1  "" "Not found" 0`},
	{0x0c, "EN\r\n", "a b", `1  "a b" "" 0`},
	{0x09, "EN\r\n", "", ``},
	{0x0d, "EN\r\n", "a", ``},
	{0x1c, "HD f7 c3\r\n", "", `0 00000007 "" "" 3`},
	{0x1c, "EN\r\n", "", `1  "" "Not found" 0`},
	{0x01, "HD c15\r\n", "", `0  "" "" 15`},
	{0x11, "HD c15\r\n", "", ``},
	{0x01, "EX c0\r\n", "", `2  "" "Data exists for key." 0`},
	{0x01, "NF c0\r\n", "", `1  "" "Not found" 0`},
	{0x02, "NS c0\r\n", "", `2  "" "Data exists for key." 0`},
	{0x12, "NS\r\n", "", `2  "" "Data exists for key." 0`},
	{0x03, "NS\r\n", "", `1  "" "Not found" 0`},
	{0x0e, "NS\r\n", "", `5  "" "Not stored." 0`},
	{0x04, "HD\r\n", "", `0  "" "" 0`},
	{0x04, "NF\r\n", "", `1  "" "Not found" 0`},
	{0x14, "NF\r\n", "", `1  "" "Not found" 0`},
	{0x05, "VA 2 c8\r\n17\r\n", "", `0  "" "\x00\x00\x00\x00\x00\x00\x00\x11" 8`},
	{0x06, "VA 3 c8\r\n9  \r\n", "", `0  "" "\x00\x00\x00\x00\x00\x00\x00\t" 8`},
	{0x15, "VA 2 c8\r\n17\r\n", "", ``},
	{0x15, "NF\r\n", "", `1  "" "Not found" 0`},
	{0x05, "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n", "", `6  "" "Non-numeric server-side value for incr or decr" 0`},
	{0x01, "SERVER_ERROR object too large for cache\r\n", "", `3  "" "Too large." 0`},
	{0x01, "SERVER_ERROR out of memory storing object\r\n", "", `82  "" "out of memory storing object" 0`},
	{0x11, "SERVER_ERROR the upstream a is down\r\n", "", `86  "" "the upstream a is down" 0`},
	{0x00, "CLIENT_ERROR this pool is read-only\r\n", "", `4  "" "this pool is read-only" 0`},
	{0x1b, "ERROR\r\n", "", `81  "" "Unknown command" 0`},
	{0x08, "OK\r\n", "", `0  "" "" 0`},
	{0x18, "OK\r\n", "", ``},
	{0x0a, "MN\r\n", "", `0  "" "" 0`},
	{0x0b, "VERSION 1.6.45\r\n", "", `0  "" "1.6.45" 0`},
	{0x07, "", "", `0  "" "" 0`},
	{0x17, "", "", ``},
	{0x10, "STAT a 1\r\nSTAT b x y\r\nSTAT c \r\nEND\r\n", "", `0  "a" "1" 0, 0  "b" "x y" 0, 0  "c" "" 0, 0  "" "" 0`},
	{0x10, "END\r\n", "", `0  "" "" 0`},
	{0x10, "RESET\r\n", "", `0  "" "" 0`},
	{0x20, "OK\r\n", "", `0  "" "PLAIN" 0`},
	{0x21, "STORED\r\n", "", `0  "" "Authenticated" 0`},
	{0x22, "CLIENT_ERROR authentication failure\r\n", "", `20  "" "Auth failure." 0`},
	{0x00, "CLIENT_ERROR unauthenticated\r\n", "", `20  "" "Auth failure." 0`},
	{0x10, "ERROR\r\n", "", `1  "" "Not found" 0`},
}

func TestRepliesBecomePackets(t *testing.T) {
	for _, c := range formed {
		f := Form{opcode: c.opcode, opaque: 0x01020304, keyed: c.key != ""}
		answer := f.Append(nil, []byte(c.reply), []byte(c.key))
		if got := shown(t, answer); got != c.want {
			t.Errorf("to opcode %#x, %q becomes %s, not %s", c.opcode, c.reply, got, c.want)
		}
		if len(answer) > 0 && (answer[1] != c.opcode || string(answer[12:16]) != "\x01\x02\x03\x04") {
			t.Errorf("the answer to opcode %#x has the opcode and opaque %q", c.opcode, answer[:16])
		}
	}
}

// FuzzForm checks that whatever an upstream answers becomes whole packets, no longer than
// announced, and that one that is sent in two parts is the same.
func FuzzForm(f *testing.F) {
	for _, c := range formed {
		f.Add(c.opcode, []byte(c.reply), []byte(c.key))
	}
	f.Fuzz(func(t *testing.T, opcode byte, reply, key []byte) {
		var unit protocol.Reply
		if n, _, err := protocol.ParseReply(reply, &unit); err != nil || n != len(reply) || len(key) > protocol.MaxKey {
			return
		}
		form := Form{opcode: opcode, keyed: commands[opcode].keyed}
		answer := form.Append(nil, reply, key)
		shown(t, answer)
		if len(answer) > form.Size(reply, key) {
			t.Errorf("the answer to %q has %d bytes, more than announced", reply, len(answer))
		}
		if unit.Kind != protocol.ReplyMetaValue && unit.Kind != protocol.ReplyValue {
			return
		}
		if begun, from, size := form.Begin(nil, reply, key); string(append(begun, reply[from:from+size]...)) != string(answer) {
			t.Errorf("the answer to %q is %q, in two parts %q", reply, answer, begun)
		}
	})
}
