package binary

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// packet returns a request.
func packet(opcode byte, extras []byte, key, value string, opaque uint32, cas uint64) string {
	b := []byte{Magic, opcode}
	b = binary.BigEndian.AppendUint16(b, uint16(len(key)))
	b = append(b, byte(len(extras)), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(len(extras)+len(key)+len(value)))
	b = binary.BigEndian.AppendUint32(b, opaque)
	b = binary.BigEndian.AppendUint64(b, cas)
	return string(append(b, string(extras)+key+value...))
}

// words returns extras of 32 bits each.
func words(list ...uint32) (b []byte) {
	for _, n := range list {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// counting returns the extras of an increment.
func counting(delta, initial uint64, exptime uint32) []byte {
	b := binary.BigEndian.AppendUint64(nil, delta)
	b = binary.BigEndian.AppendUint64(b, initial)
	return binary.BigEndian.AppendUint32(b, exptime)
}

// parseAll returns what the packets of a stream become, as one line each. It receives the stream
// in pieces of that many bytes.
func parseAll(stream string, piece int) (seen []string) {
	p := Parser{MaxData: 100}
	var have []byte
	for len(stream) > 0 {
		n := min(piece, len(stream))
		have, stream = append(have, stream[:n]...), stream[n:]
		for len(have) > 0 {
			var req protocol.Request
			var form Form
			n, status := p.Next(have, &req, &form)
			line := ""
			switch {
			case status == protocol.Broken:
				return append(seen, "hang up "+req.Refusal)
			case status == protocol.Partial:
			case req.Refusal != "":
				line = fmt.Sprintf("refuse %s unlink=%v", req.Refusal, req.Unlink)
			default:
				line = string(req.AppendTo(nil)) + string(req.Words)
			}
			have = append([]byte{}, have[n:]...)
			if status == protocol.Partial {
				break
			}
			seen = append(seen, fmt.Sprintf("%x %s", form.opaque, strings.TrimSpace(strings.ReplaceAll(line, "\r\n", "|"))))
		}
	}
	return seen
}

var parsed = []struct{ packet, want string }{
	{packet(0x00, nil, "a", "", 7, 0), "7 gets a|a"},
	{packet(0x0d, nil, "a", "", 8, 0), "8 gets a|a"},
	{packet(0x00, nil, "a b", "", 7, 0), "7 mg YSBi f v c b|"},
	{packet(0x1e, words(90), "a", "", 7, 0), "7 mg a k f v c T90|"},
	{packet(0x1d, words(0xffffffff), "a", "", 7, 0), "7 mg a k f v c T0|"},
	{packet(0x1c, words(90), "\n", "", 7, 0), "7 mg Cg== f c T90 b|"},
	{packet(0x01, words(5, 60), "a", "xyz", 7, 0), "7 ms a 3 c F5 T60|xyz|"},
	{packet(0x01, words(0, 0), "a", "", 7, 9), "7 ms a 0 c C9||"},
	{packet(0x02, words(0, 0), "a", "1", 7, 0), "7 ms a 1 c ME|1|"},
	{packet(0x02, words(0, 0), "a", "1", 7, 3), "7 ms a 1 c C3|1|"},
	{packet(0x13, words(0, 0), "a\x00", "1", 7, 0), "7 ms YQA= 1 c MR b|1|"},
	{packet(0x00, nil, "\x7f\t\xff", "", 7, 0), "7 gets \x7f\t\xff|\x7f\t\xff"},
	{packet(0x0e, nil, "a", "1", 7, 3), "7 ms a 1 c MA C3|1|"},
	{packet(0x1a, nil, "a", "1", 7, 0), "7 ms a 1 c MP|1|"},
	{packet(0x04, nil, "a", "", 7, 0), "7 md a|"},
	{packet(0x14, nil, "a", "", 7, 18446744073709551615), "7 md a C18446744073709551615|"},
	{packet(0x05, counting(1, 2, 3), "a", "", 7, 0), "7 ma a v c D1 J2 N3|"},
	{packet(0x16, counting(1, 2, 0xffffffff), "a", "", 7, 4), "7 ma a c D1 MD C4|"},
	{packet(0x08, nil, "", "", 7, 0), "7 flush_all|"},
	{packet(0x18, words(4), "", "", 7, 0), "7 flush_all 4|"},
	{packet(0x0a, nil, "", "", 7, 0), "7 mn|"},
	{packet(0x0b, nil, "", "", 7, 0), "7 version|"},
	{packet(0x10, nil, "settings", "", 7, 0), "7 stats|settings"},
	{packet(0x07, nil, "", "", 7, 0), "7 quit|"},
	{packet(0x1b, words(1), "", "", 7, 0), "7 refuse ERROR unlink=false"},
	{packet(0x20, nil, "", "", 7, 0), "7 refuse ERROR unlink=false"},
	{packet(0x01, words(0, 0), "a", strings.Repeat("x", 101), 7, 0), "7 refuse SERVER_ERROR object too large for cache unlink=true"},
	{packet(0x02, words(0, 0), "a", strings.Repeat("x", 101), 7, 0), "7 refuse SERVER_ERROR object too large for cache unlink=false"},
	{packet(0x0f, nil, "a", strings.Repeat("x", 101), 7, 0), "7 refuse SERVER_ERROR object too large for cache unlink=false"},
	{packet(0x00, nil, strings.Repeat(" ", 187), "", 7, 0), "7 refuse " + errOddKey + " unlink=false"},
	{packet(0x00, nil, strings.Repeat("x", 251), "", 7, 0), "hang up " + errInvalid},
	{packet(0x00, nil, "", "", 7, 0), "hang up " + errInvalid},
	{packet(0x00, nil, "a", "b", 7, 0), "hang up " + errInvalid},
	{packet(0x01, nil, "a", "b", 7, 0), "hang up " + errInvalid},
	{packet(0x0a, nil, "a", "", 7, 0), "hang up " + errInvalid},
	{"\x80\x01\x00\x01\x08\x00\x00\x00\x40\x00\x00\x01" + strings.Repeat("\x00", 12), "hang up " + errInvalid},
	{"\x80\x40\x00\x01\x08\x00\x00\x00\xff\xff\xff\xff" + strings.Repeat("\x00", 12), "hang up " + errInvalid},
	{packet(0x08, words(1, 2), "", "", 7, 0), "hang up " + errInvalid},
	{"\x80\x01\x00\x05\x08\x00\x00\x00\x00\x00\x00\x07" + strings.Repeat("\x00", 12), "hang up ERROR"},
	{"get a\r\n", "hang up "},
}

func TestPacketsBecomeRequests(t *testing.T) {
	const noop = "9 mn|"
	for _, c := range parsed {
		want := []string{c.want, noop}
		if strings.HasPrefix(c.want, "hang up") {
			want = want[:1]
		}
		stream := c.packet + packet(0x0a, nil, "", "", 9, 0)
		for piece := 1; piece <= len(stream); piece++ {
			if got := parseAll(stream, piece); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%q in pieces of %d becomes %q, not %q", c.packet, piece, got, want)
				break
			}
		}
	}
}

// Quiet gets that follow each other are bundled, as far as they have arrived, up to a number.
func TestBundles(t *testing.T) {
	quiet := packet(0x09, nil, "a", "", 1, 0) + packet(0x0d, nil, "b", "", 2, 0) + packet(0x09, nil, "c", "", 3, 0)
	for _, c := range []struct {
		rest    string
		most    int
		keys    string
		bundled []Form
	}{
		{"", 0, "a", nil},
		{"", 1, "a", nil},
		{"", 2, "a b", []Form{{opcode: 0x0d, keyed: true, opaque: 2}}},
		{"", 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x0a, nil, "", "", 4, 0), 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x00, nil, "d", "", 4, 0), 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x0d, nil, "d d", "", 4, 0), 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x09, nil, "", "", 4, 0), 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x1e, words(9), "d", "", 4, 0), 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x09, nil, "d", "", 4, 0)[:24], 9, "a b c", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}}},
		{packet(0x09, nil, "d", "", 4, 0), 9, "a b c d", []Form{{opcode: 0x0d, keyed: true, opaque: 2}, {opcode: 0x09, opaque: 3}, {opcode: 0x09, opaque: 4}}},
	} {
		p := Parser{MaxData: 10, MaxKeys: c.most}
		var req protocol.Request
		var form Form
		n, status := p.Next([]byte(quiet+c.rest), &req, &form)
		keys := strings.Fields(c.keys)
		if status != protocol.Ready || string(req.AppendTo(nil)) != "gets "+c.keys+"\r\n" || req.NumWords != len(keys) || string(req.Key) != "a" ||
			form != (Form{opcode: 0x09, opaque: 1}) || !slices.Equal(p.Bundled, c.bundled) || n != len(keys)*(headerSize+1) {
			t.Errorf("before %q, of at most %d: %q, %+v, %d bytes", c.rest, c.most, req.AppendTo(nil), p.Bundled, n)
		}
	}
}

// So does a request with a key that is sent in base64.
func TestAnOddKeyMoves(t *testing.T) {
	var p Parser
	var req protocol.Request
	var form Form
	from := []byte(packet(0x04, nil, "a b", "", 1, 0))
	p.Next(from, &req, &form)
	to := append(make([]byte, 0, 1000), from...)
	req.Move(from, to)
	clear(from)
	clear(to)
	if got := string(req.AppendTo(nil)); got != "md YSBi b\r\n" || string(req.Key) != "a b" {
		t.Errorf("%q with the key %q", got, req.Key)
	}
}

// A bundle stays what it is when the bytes that it was parsed from move.
func TestABundleMoves(t *testing.T) {
	p := Parser{MaxKeys: 9}
	var req protocol.Request
	var form Form
	from := []byte(packet(0x09, nil, "a", "", 1, 0) + packet(0x0d, nil, "b", "", 2, 0))
	p.Next(from, &req, &form)
	to := append(make([]byte, 0, 1000), from...)
	req.Move(from, to)
	clear(from)
	if got := string(req.AppendTo(nil)); got != "gets a b\r\n" || string(req.Key) != "a" {
		t.Errorf("%q with the key %q", got, req.Key)
	}
}

// With authentication, its commands are known.
func TestAuthentication(t *testing.T) {
	p := Parser{MaxData: 10, SASL: true}
	var req protocol.Request
	var form Form
	for _, c := range []struct{ packet, words, data, refusal string }{
		{packet(0x20, nil, "", "", 7, 0), "", "", ""},
		{packet(0x21, nil, "PLAIN", "\x00a\x00b", 7, 0), "PLAIN", "\x00a\x00b", ""},
		{packet(0x22, nil, "PLAIN", "", 7, 0), "PLAIN", "", ""},
		{packet(0x21, nil, "PLAIN", "12345678901", 7, 0), "PLAIN", "", "SERVER_ERROR object too large for cache"},
	} {
		n, status := p.Next([]byte(c.packet), &req, &form)
		if status != protocol.Ready || req.Command != protocol.Auth || string(req.Words) != c.words || string(req.Data) != c.data || req.Refusal != c.refusal || len(req.Key) > 0 {
			t.Errorf("%q is parsed as %+v, status %d, %d bytes", c.packet, req, status, n)
		}
		p.skip = 0
	}
}

func TestNeedIsTheLengthOfTheRequest(t *testing.T) {
	p := Parser{MaxData: 1 << 20}
	set := packet(0x01, words(0, 0), "a", strings.Repeat("x", 1000), 0, 0)
	var req protocol.Request
	var form Form
	if n, status := p.Next([]byte(set[:headerSize]), &req, &form); n != 0 || status != protocol.Partial || p.Need != len(set) {
		t.Errorf("%d bytes, status %d, need %d; want 0, Partial, %d", n, status, p.Need, len(set))
	}
}

func TestGiveUpSkipsTheRestOfTheValue(t *testing.T) {
	p := Parser{MaxData: 1 << 20}
	set := packet(0x01, words(0, 0), "a", strings.Repeat("x", 1000), 5, 0)
	var req protocol.Request
	var form Form
	p.Next([]byte(set[:500]), &req, &form)
	n, ok := p.GiveUp([]byte(set[:500]), &req, &form)
	if !ok || req.Refusal != "SERVER_ERROR out of memory storing object" || string(req.Key) != "a" || form.opaque != 5 {
		t.Fatalf("gave up %v: %q, key %q, opaque %d", ok, req.Refusal, req.Key, form.opaque)
	}
	rest := set[n:] + packet(0x0a, nil, "", "", 6, 0)
	n, status := p.Next([]byte(rest), &req, &form)
	if status != protocol.Ready || req.Command != protocol.MetaNoop || n != len(rest) {
		t.Errorf("then came status %d, command %v, %d of %d bytes; want the noop", status, req.Command, n, len(rest))
	}
}

func TestGiveUpOfAnIncompleteKeyFails(t *testing.T) {
	p := Parser{MaxData: 1 << 20}
	set := packet(0x01, words(0, 0), "abcdef", "xyz", 5, 0)
	var req protocol.Request
	var form Form
	if _, ok := p.GiveUp([]byte(set[:headerSize+9]), &req, &form); ok {
		t.Error("gave up a request whose key had not arrived")
	}
}

// FuzzPackets checks that a stream split anywhere is parsed alike, and that the parser of the
// text protocol takes each request for what it is.
func FuzzPackets(f *testing.F) {
	for _, c := range parsed {
		f.Add([]byte(c.packet), uint8(3))
	}
	f.Fuzz(func(t *testing.T, stream []byte, piece uint8) {
		whole := parseAll(string(stream), len(stream)+1)
		if split := parseAll(string(stream), int(piece)+1); strings.Join(whole, "\n") != strings.Join(split, "\n") {
			t.Errorf("%q is parsed as %q, in pieces of %d as %q", stream, whole, int(piece)+1, split)
		}
		p := Parser{MaxData: 100, MaxKeys: 3}
		for {
			var req, again protocol.Request
			var form Form
			n, status := p.Next(stream, &req, &form)
			if status != protocol.Ready {
				return
			}
			if stream = stream[n:]; req.Refusal != "" || !req.Command.Meta() && !req.Command.Retrieval() {
				continue
			}
			text := req.AppendTo(nil)
			parser := protocol.Parser{MaxData: 100}
			n, status = parser.Next(text, &again)
			if status != protocol.Ready || n != len(text) || again.Refusal != "" || string(again.Key) != string(req.Key) || again.Quiet ||
				again.Mode != req.Mode || string(again.AppendTo(nil)) != string(text) {
				t.Errorf("%q is parsed as %q with key %q, status %d, refusal %q", text, again.AppendTo(nil), again.Key, status, again.Refusal)
			}
			if len(text) > req.Len() {
				t.Errorf("%q is longer than announced, %d", text, req.Len())
			}
		}
	})
}
