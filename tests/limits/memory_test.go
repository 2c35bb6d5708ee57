package limits

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// startPlain starts memverbs without the race detector in front of two
// memcacheds.
func startPlain(t *testing.T) *harness.Memverbs {
	t.Helper()
	first := harness.StartMemcached(t, harness.Versions[0])
	second := harness.StartMemcached(t, harness.Versions[1])
	return harness.StartPlainMemverbs(t, "--upstream", first.Addr, "--upstream", second.Addr)
}

// A client asks for 2 GB of values before it reads the first byte.
func TestMemoryOfClientThatDoesNotRead(t *testing.T) {
	m := startPlain(t)
	value := strings.Repeat("v", unreadSize)
	c := harness.Dial(t, m.Addr)
	c.Ask(fmt.Sprintf("set big 0 0 %d\r\n%s\r\n", unreadSize, value), "STORED\r\n")
	readLate(t, m, c.Conn(), "get big\r\n", fmt.Sprintf("VALUE big 0 %d\r\n%s\r\nEND\r\n", unreadSize, value))
	c.InStep()
}

// A client of the binary protocol does the same.
func TestMemoryOfBinaryClientThatDoesNotRead(t *testing.T) {
	m := startPlain(t)
	c := packet.Dial(t, m.Addr)
	c.Ask(packet.Request{Opcode: packet.Set, Extras: packet.Words(0, 0), Key: "big", Value: strings.Repeat("v", unreadSize)})
	get := packet.Request{Opcode: packet.GetKQ, Key: "big", Opaque: 5}
	readLate(t, m, c.Conn(), get.String(), c.Ask(get).String())
}

const unreadGets, unreadSize = 6000, 100 << 10

// readLate sends a request many times before it reads a reply, and checks the memory of the proxy.
func readLate(t *testing.T, m *harness.Memverbs, conn net.Conn, request, reply string) {
	t.Helper()
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(conn, strings.Repeat(request, unreadGets))
		sent <- err
	}()
	// The proxy stops reading when it is owed too much: then its upstreams are
	// asked for nothing more.
	total := 0
	harness.Await(t, "the proxy to stop asking", func() bool {
		before := total
		total = m.Sent(t)
		return total == before && total > 10
	})
	m.CheckResident(t, "6000 gets of 100 kB, nothing read yet")

	in := bufio.NewReaderSize(conn, 1<<20)
	got := make([]byte, len(reply))
	for n := range unreadGets {
		if _, err := io.ReadFull(in, got); err != nil || string(got) != reply {
			t.Fatalf("reply %d is %.60q… (%v)", n, got, err)
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	m.CheckResident(t, "6000 gets of 100 kB, all read")
}

// A client sends 500 MB of values as fast as the socket takes them, and reads
// the replies only when all is sent.
func TestMemoryOfClientThatOnlyWrites(t *testing.T) {
	const size = 100 << 10
	const sets = 500 << 20 / size
	m := startPlain(t)
	c := harness.Dial(t, m.Addr)
	out := bufio.NewWriterSize(c.Conn(), 1<<20)
	value := strings.Repeat("v", size)
	for n := range sets {
		if _, err := fmt.Fprintf(out, "set key%d 0 0 %d\r\n%s\r\n", n%300, size, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	m.CheckResident(t, "500 MB of sets, no reply read yet")
	c.Expect(strings.Repeat("STORED\r\n", sets))
	c.InStep()
	m.CheckResident(t, "500 MB of sets, all replies read")
}
