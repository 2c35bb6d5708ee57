package structures

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

const (
	million  = 1_000_000
	removed  = 20        // one of so many members is removed
	largest  = 520 << 10 // an item may be, in bytes with all that memcached adds
	memory   = 256 << 20 // a memverbs may take
	parallel = 4         // connections
	together = 4         // members that one sadd adds
)

// memberNumber appends the n-th member, of 12 bytes.
func memberNumber(dst []byte, n int) []byte {
	const zeros = "m00000000000"
	digits := strconv.Itoa(n)
	return append(append(dst, zeros[:len(zeros)-len(digits)]...), digits...)
}

func TestASetOfAMillionMembers(t *testing.T) {
	proxies, stores := startPool(t, 1)
	m := proxies[0]
	began := time.Now()
	inParallel(t, million/together, func(first, last int) error {
		return pump(m.Addr, first, last, "STORED", func(dst []byte, n int) []byte {
			dst = append(dst, "sadd large"...)
			for i := range together {
				dst = memberNumber(append(dst, ' '), n*together+i)
			}
			return append(dst, "\r\n"...)
		})
	})
	added, filled := time.Since(began), m.PeakMemory(t)
	inParallel(t, million/removed, func(first, last int) error {
		return pump(m.Addr, first, last, "STORED", func(dst []byte, n int) []byte {
			return append(memberNumber(append(dst, "srem large "...), n*removed), "\r\n"...)
		})
	})
	reading := time.Now()
	harness.Dial(t, m.Addr).Ask("scard large\r\n", fmt.Sprintf("%d\r\n", million-million/removed))
	checkMembers(t, m)
	t.Logf("added in %v, read in %v; peak of the memory %d MB when it was added, %d MB when it was read", added,
		time.Since(reading), filled>>20, m.PeakMemory(t)>>20)
	checkItems(t, stores, (million-million/removed)*len("+m00000000000 "))
	if peak := m.PeakMemory(t); peak > memory {
		t.Errorf("memverbs took %d MB", peak>>20)
	}
}

// inParallel divides the numbers up to n among some goroutines.
func inParallel(t *testing.T, n int, do func(first, last int) error) {
	t.Helper()
	var wait sync.WaitGroup
	for i := range parallel {
		wait.Go(func() {
			if err := do(n*i/parallel, n*(i+1)/parallel); err != nil {
				t.Error(err)
			}
		})
	}
	if wait.Wait(); t.Failed() {
		t.FailNow()
	}
}

// checkMembers reads the set and checks that it has all members that it should
// have, once, those of each connection in their order.
func checkMembers(t *testing.T, m *harness.Memverbs) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", m.Addr, harness.Patience)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	io.WriteString(conn, "smembers large\r\n")
	r, err := readReply(bufio.NewReaderSize(conn, 1<<20))
	if err != nil || !strings.HasPrefix(r.line, "VALUE large 0 ") {
		t.Fatalf("smembers: %q, %v", r.line, err)
	}
	next := [parallel]int{}
	for i := range next {
		next[i] = after(million*i/parallel - 1)
	}
	count := 0
	for member := range strings.SplitSeq(r.value(), " ") {
		n, err := strconv.Atoi(member[1:])
		if err != nil || len(member) != 12 || n >= million {
			t.Fatalf("member %q was never added", member)
		}
		i := n * parallel / million
		if n != next[i] {
			t.Fatalf("member %d comes where %d should", n, next[i])
		}
		next[i] = after(n)
		count++
	}
	if count != million-million/removed {
		t.Errorf("%d members", count)
	}
}

// after returns the number of the next member that was not removed.
func after(n int) int {
	if n++; n%removed == 0 {
		n++
	}
	return n
}

// checkItems checks that no item is too large for memcached to copy it fast,
// and that nothing is left of what the structure was before, whose log has now so many bytes.
func checkItems(t *testing.T, stores []*harness.Memcached, log int) {
	t.Helper()
	count, sum := 0, 0
	for _, s := range stores {
		for key, size := range items(t, s) {
			if size > largest {
				t.Errorf("item %s on memcached %s takes %d bytes", key, s.Version, size)
			}
			count, sum = count+1, sum+size
		}
	}
	t.Logf("%d items of %d bytes in all, for a log of %d", count, sum, log)
	if sum > 2*log {
		t.Errorf("the items take %d bytes, and the log would take %d", sum, log)
	}
}
