package proxy

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"

	bin "github.com/memverbs/memverbs/protocol/binary"
)

const (
	getKey      = 0x0c
	getKeyQuiet = 0x0d
)

// getPacket returns a get.
func getPacket(opcode byte, key string) string {
	header := make([]byte, 24)
	header[0], header[1] = bin.Magic, opcode
	binary.BigEndian.PutUint16(header[2:], uint16(len(key)))
	binary.BigEndian.PutUint32(header[8:], uint32(len(key)))
	return string(header) + key
}

// hitPacket returns the answer to it, if valueWithCAS100 is the reply of the upstream.
func hitPacket(opcode byte, key string) string {
	header := []byte(getPacket(opcode, key))[:24]
	header[0], header[4], header[23] = 0x81, 4, 5
	binary.BigEndian.PutUint32(header[8:], uint32(4+len(key)+100))
	return string(header) + "\x00\x00\x00\x00" + key + strings.Repeat("v", 100)
}

var valueWithCAS100 = "VALUE key:12345 0 100 5\r\n" + strings.Repeat("v", 100) + "\r\nEND\r\n"

// Clients of the binary protocol cost no garbage either, as long as their queues are kept.
func TestPacketsAllocateNothing(t *testing.T) {
	s := startServer(t, 1, cannedUpstream(t, []byte(valueWithCAS100)))
	conn := dialServer(t, s)
	const gets = 64 // for which the queues are kept
	requests := []byte(strings.Repeat(getPacket(getKeyQuiet, "key:12345")+getPacket(getKey, "key:12345"), gets/2))
	want := strings.Repeat(hitPacket(getKeyQuiet, "key:12345")+hitPacket(getKey, "key:12345"), gets/2)
	got := make([]byte, len(want))
	ask := func() {
		if _, err := conn.Write(requests); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, got); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	if string(got) != want {
		t.Fatalf("answered %.200q, expected %.200q", got, want)
	}
	if n := testing.AllocsPerRun(500, ask); n > 0 {
		t.Errorf("%.0f allocations for %d gets", n, gets)
	}
}

func BenchmarkPacketGetThroughProxy(b *testing.B) {
	request, reply := getPacket(getKey, "key:12345"), hitPacket(getKey, "key:12345")
	b.Run("one", func(b *testing.B) { benchmarkUpstream(b, request, valueWithCAS100, reply, 1) })
	b.Run("pipelined16", func(b *testing.B) { benchmarkUpstream(b, request, valueWithCAS100, reply, 16) })
}
