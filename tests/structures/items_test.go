package structures

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// items returns the sizes, in bytes with everything that memcached adds, of all
// items that a memcached holds.
func items(t *testing.T, m *harness.Memcached) map[string]int {
	t.Helper()
	conn, err := net.DialTimeout("tcp", m.Addr, harness.Patience)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(harness.Patience))
	io.WriteString(conn, "lru_crawler metadump all\r\n")
	sizes := map[string]int{}
	in := bufio.NewReader(conn)
	for {
		line, err := readLine(in)
		switch {
		case err != nil || strings.Contains(line, "BUSY") || strings.Contains(line, "ERROR"):
			t.Fatalf("lru_crawler metadump: %q, %v", line, err)
		case line == "OK": // the newest memcached says first that it will
			continue
		case line == "END":
			return sizes
		}
		key, rest, _ := strings.Cut(strings.TrimPrefix(line, "key="), " ")
		_, size, _ := strings.Cut(rest, "size=")
		if key, err = url.PathUnescape(key); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if sizes[key], err = strconv.Atoi(strings.Fields(size)[0]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
}

// gauge watches how long an item is, straight at its memcached.
type gauge struct {
	session session
	key     string
	most    int
}

// read returns the length of the item's value, in bytes, -1 if there is no item.
func (g *gauge) read() (int, error) {
	if !g.session.connect() {
		return -1, fmt.Errorf("%s does not take connections", g.session.addr)
	}
	line, _, err := g.session.ask("mg " + g.key + " s\r\n")
	if err != nil || line == "EN" {
		return -1, err
	}
	size, err := strconv.Atoi(strings.TrimPrefix(line, "HD s"))
	g.most = max(g.most, size)
	return size, err
}

// watch reads the gauge over and over, until done is closed.
func (g *gauge) watch(done <-chan struct{}) error {
	defer g.session.close()
	tick := time.NewTicker(time.Millisecond / 2)
	defer tick.Stop()
	for {
		if _, err := g.read(); err != nil {
			return err
		}
		select {
		case <-done:
			return nil
		case <-tick.C:
		}
	}
}

// watchHead reads the length of an item's value over and over while do runs, and returns the
// gauge.
func watchHead(t *testing.T, store *harness.Memcached, key string, do func()) *gauge {
	t.Helper()
	done := make(chan struct{})
	watched := make(chan error, 1)
	g := &gauge{session: session{addr: store.Addr}, key: key}
	go func() { watched <- g.watch(done) }()
	do()
	close(done)
	if err := <-watched; err != nil {
		t.Error(err)
	}
	return g
}

// keyOn returns a key that the pool keeps on the memcached given and that nothing
// is kept under, found by
// trying.
func keyOn(t *testing.T, m *harness.Memverbs, on *harness.Memcached) string {
	t.Helper()
	c, direct := harness.Dial(t, m.Addr), harness.Dial(t, on.Addr)
	for n := range 1000 {
		key := fmt.Sprintf("set%d", n)
		c.Ask("set "+key+" 0 0 1\r\n1\r\n", "STORED\r\n")
		direct.Send("delete " + key + "\r\n")
		if direct.Line() == "DELETED" {
			return key
		}
		c.Ask("delete "+key+"\r\n", "DELETED\r\n")
	}
	t.Fatalf("nothing is kept on %s", on.Addr)
	return ""
}

// patient has a memverbs wait for its upstreams as long as the tests do: on a
// busy machine a memcached may take its time.
var patient = []string{"--timeout", harness.Patience.String()}

// startPool starts a memcached of each version, and some plain memverbs before
// them with the flags given.
func startPool(t testing.TB, proxies int, flags ...string) (m []*harness.Memverbs, stores []*harness.Memcached) {
	t.Helper()
	flags = append(flags, patient...)
	for _, version := range harness.Versions {
		s := harness.StartMemcached(t, version, "-m", "512")
		stores = append(stores, s)
		flags = append(flags, "--upstream", s.Addr)
	}
	for range proxies {
		m = append(m, harness.StartPlainMemverbs(t, flags...))
	}
	return m, stores
}
