package harness

import (
	"bufio"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Stats returns what the stats command tells, nothing if there is no answer.
func (m *Memcached) Stats() map[string]string { return stats(m.Addr, "stats") }

// Stats returns what the stats command tells, nothing if there is no answer.
func (m *Memverbs) Stats() map[string]string { return stats(m.Addr, "stats") }

// OwnStats returns the statistics that memverbs has without asking the memcacheds, which may
// be frozen.
func (m *Memverbs) OwnStats() map[string]string { return stats(m.Addr, "stats proxy") }

// VerbStats returns the answer to "stats verbs".
func (m *Memverbs) VerbStats() map[string]string { return stats(m.Addr, "stats verbs") }

func stats(addr, command string) map[string]string {
	conn, err := net.DialTimeout("tcp", addr, Patience)
	if err != nil {
		return nil
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(Patience))
	if _, err := conn.Write([]byte(command + "\r\n")); err != nil {
		return nil
	}
	told := map[string]string{}
	for lines := bufio.NewScanner(conn); lines.Scan() && lines.Text() != "END"; {
		if words := strings.SplitN(lines.Text(), " ", 3); len(words) == 3 {
			told[words[1]] = words[2]
		}
	}
	return told
}

// Sent returns how many requests the proxy has sent to its upstreams.
func (m *Memverbs) Sent(t testing.TB) int {
	t.Helper()
	return m.sumOfUpstreams(t, "_requests")
}

// Pending returns how many requests upstreams have not answered.
func (m *Memverbs) Pending(t testing.TB) int {
	t.Helper()
	return m.sumOfUpstreams(t, "_pending")
}

// sumOfUpstreams adds up a statistic of all upstreams.
func (m *Memverbs) sumOfUpstreams(t testing.TB, suffix string) (sum int) {
	t.Helper()
	for name, value := range stats(m.Addr, "stats upstreams") {
		if strings.HasSuffix(name, suffix) {
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	return sum
}

// Difference returns by how much a statistic has grown.
func Difference(after, before string) int {
	a, _ := strconv.Atoi(after)
	b, _ := strconv.Atoi(before)
	return a - b
}
