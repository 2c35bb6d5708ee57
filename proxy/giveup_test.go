package proxy

import (
	"io"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/protocol/binary"
	"github.com/memverbs/memverbs/proxy/memory"
)

// A reload does not cost a client its connection if its incomplete request is given up after that.
func TestGivenUpAfterAReload(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte("END\r\n")))
	conn := dialServer(t, s)
	const size = 100_000
	if _, err := io.WriteString(conn, "add k 0 0 100000\r\n"+strings.Repeat("v", size/2)); err != nil {
		t.Fatal(err)
	}
	await(t, "half of the value to have arrived", func() (there bool) {
		onLoops(s, func(l *loop) {
			for c := range l.clients.all {
				there = len(c.input.bytes)-c.input.offset > size/2
			}
		})
		return there
	})
	onLoops(s, func(l *loop) {
		for c := range l.clients.all {
			c.reroute()
			c.giveUp()
		}
	})
	exchange(t, conn, "", "SERVER_ERROR out of memory storing object\r\n")
	exchange(t, conn, strings.Repeat("v", size-size/2)+"\r\nget k\r\n", "END\r\n")
}

// A packet that is given up before its header has arrived is not answered as the one before it.
func TestGivenUpHeader(t *testing.T) {
	b := &binaryClient{account: &memory.Account{}}
	var req protocol.Request
	packet := []byte(getPacket(getKey, "key"))
	packet[15] = 7 // its opaque
	if _, status := b.parse(packet, &req); status != protocol.Ready || b.next == (binary.Form{}) {
		t.Fatalf("status %d", status)
	}
	if _, ok := b.giveUp(packet[:5], &req); ok || b.next != (binary.Form{}) || len(b.nextKey) > 0 {
		t.Errorf("given up %v, with the form %+v and the key %q", ok, b.next, b.nextKey)
	}
}

// What a client keeps for its next requests counts as memory, and can be freed.
func TestBundleCounts(t *testing.T) {
	const keys, length = 100, 240
	b := &binaryClient{account: &memory.Account{Budget: &memory.Budget{Limit: 1 << 20}}}
	quiet := getPacket(getKeyQuiet, strings.Repeat("k", length))
	b.parser.MaxKeys = keys
	var req protocol.Request
	if _, status := b.parse([]byte(strings.Repeat(quiet, keys)), &req); status != protocol.Ready || req.NumWords != keys {
		t.Fatalf("status %d, %d keys", status, req.NumWords)
	}
	b.reserve()
	if used := b.account.Used(); used < 2*keys*length {
		t.Errorf("the keys, which are kept twice, count as %d bytes", used)
	}
	b.pop()
	if b.shed(); b.account.Used() != 0 {
		t.Errorf("%d bytes are still counted", b.account.Used())
	}
}
