package tests

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// maxResident is how much memory a client that does not read may have the
// process take, in bytes.
const maxResident = 128 << 20

// resident returns the most memory that a process has held so far, in bytes.
func resident(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "VmHWM:" {
			kB, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return kB << 10
		}
	}
	t.Fatal("the kernel does not tell how much memory the process holds")
	return 0
}

func checkResident(t *testing.T, m *harness.Memverbs, what string) {
	t.Helper()
	most := resident(t, m.Pid())
	t.Logf("%s: %.1f MB resident at most", what, float64(most)/(1<<20))
	if most > maxResident {
		t.Errorf("%s: %.1f MB resident, more than %d", what, float64(most)/(1<<20), maxResident>>20)
	}
}

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

const unreadGets, unreadSize = 20000, 100 << 10

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
		total = asked(t, m)
		return total == before && total > 10
	})
	checkResident(t, m, "20 000 gets of 100 kB, nothing read yet")

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
	checkResident(t, m, "20 000 gets of 100 kB, all read")
}

// asked returns how many requests the proxy has sent to its upstreams.
func asked(t *testing.T, m *harness.Memverbs) int {
	t.Helper()
	return sumOfStats(t, m, "_requests")
}

// sumOfStats adds up a statistic of all upstreams.
func sumOfStats(t *testing.T, m *harness.Memverbs, suffix string) int {
	t.Helper()
	c := harness.Dial(t, m.Addr)
	defer c.Close()
	c.Send("stats upstreams\r\n")
	total := 0
	for line := range strings.Lines(c.Until("END")) {
		words := strings.Fields(line)
		if len(words) == 3 && strings.HasSuffix(words[1], suffix) {
			n, err := strconv.Atoi(words[2])
			if err != nil {
				t.Fatal(err)
			}
			total += n
		}
	}
	return total
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
	checkResident(t, m, "500 MB of sets, no reply read yet")
	c.Expect(strings.Repeat("STORED\r\n", sets))
	c.InStep()
	checkResident(t, m, "500 MB of sets, all replies read")
}
