package reply

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/memory"
)

const opGet, opGetQuiet = 0x0c, 0x0d

// packetOf returns a get of a key, whose opcode is opGet or opGetQuiet.
func packetOf(opcode byte, key string) string {
	header := make([]byte, 24)
	header[0], header[1], header[3], header[11] = binary.Magic, opcode, byte(len(key)), byte(len(key))
	return string(header) + key
}

// A packet that is given up before its header has arrived is not answered as the one before it.
func TestGivenUpHeader(t *testing.T) {
	b := &Packets{Account: &memory.Account{}}
	var req protocol.Request
	packet := []byte(packetOf(opGet, "key"))
	packet[15] = 7 // its opaque
	if _, status := b.Parse(packet, &req); status != protocol.Ready || b.Next == (binary.Form{}) {
		t.Fatalf("status %d", status)
	}
	if _, ok := b.GiveUp(packet[:5], &req); ok || b.Next != (binary.Form{}) || len(b.NextKey) > 0 {
		t.Errorf("given up %v, with the form %+v and the key %q", ok, b.Next, b.NextKey)
	}
}

// What a client keeps for its next requests counts as memory, and can be freed.
func TestBundleCounts(t *testing.T) {
	const keys, length = 100, 240
	b := &Packets{Account: &memory.Account{Budget: &memory.Budget{Limit: 1 << 20}}}
	quiet := packetOf(opGetQuiet, strings.Repeat("k", length))
	b.Parser.MaxKeys = keys
	var req protocol.Request
	if _, status := b.Parse([]byte(strings.Repeat(quiet, keys)), &req); status != protocol.Ready || req.NumWords != keys {
		t.Fatalf("status %d, %d keys", status, req.NumWords)
	}
	b.reserve()
	if used := b.Account.Used(); used < 2*keys*length {
		t.Errorf("the keys, which are kept twice, count as %d bytes", used)
	}
	b.pop()
	if b.Shed(); b.Account.Used() != 0 {
		t.Errorf("%d bytes are still counted", b.Account.Used())
	}
}
