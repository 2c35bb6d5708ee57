package plain

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Large values go on while they come in; whatever their size, and whoever else
// asks for what, they arrive as they were stored.
func TestLargeValuesOfAnySize(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		var requests, replies strings.Builder
		c := harness.Dial(t, s.Addr)
		for i, size := range []int{16_300, 65_500, 65_536, 81_915, 81_920, 100_000, 131_071, 262_144, 500_000, 900_000} {
			value := harness.Numbered(size)
			c.Ask(fmt.Sprintf("set k%d 7 0 %d\r\n%s\r\n", i, size, value), "STORED\r\n")
			fmt.Fprintf(&requests, "get k%d\r\nmg k%d v f\r\nget none\r\nmg k%d v q\r\nget k%d k0\r\n", i, i, i, i)
			hit := fmt.Sprintf("VALUE k%d 7 %d\r\n%s\r\n", i, size, value)
			first := fmt.Sprintf("VALUE k0 7 16300\r\n%s\r\n", harness.Numbered(16_300))
			fmt.Fprintf(&replies, "%sEND\r\nVA %d f7\r\n%s\r\nEND\r\nVA %d\r\n%s\r\n%s%sEND\r\n", hit, size, value, size, value, hit, first)
		}
		want := replies.String()
		for range 5 {
			c.Send(requests.String())
			if got := c.Exactly(len(want)); got != want {
				t.Fatal("what came back is not what was stored")
			}
		}
		c.InStep()
	}, "--timeout", "20s")
}

var large = sync.OnceValue(func() string { return harness.Numbered(700_000) })

// part returns the start of a reply with a large value, and all of it.
func part(key string) (start, whole string) {
	whole = fmt.Sprintf("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, len(large()), large())
	return whole[:len(whole)/2], whole
}

// A client gets the start of a large value before its end is there.
func TestLargeValueIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	gate := make(chan bool)
	rogue := harness.StartRogue(t, map[string]harness.Trick{"large": func(conn net.Conn, key string) {
		start, whole := part(key)
		io.WriteString(conn, start)
		<-gate
		io.WriteString(conn, whole[len(start):])
	}})
	m := harness.StartMemverbs(t, "--upstream", rogue, "--timeout", "20s")
	c := harness.Dial(t, m.Addr)
	c.Send("get large:1\r\nget fine\r\n")
	start, whole := part("large:1")
	if c.Exactly(len(start)) != start {
		t.Error("the start of the value is not what the upstream sent")
	}
	gate <- true
	if rest := whole[len(start):] + "END\r\n"; c.Exactly(len(rest)) != rest {
		t.Error("the rest of the value is not what the upstream sent")
	}
	c.InStep()
}

// A value that has begun and does not end costs the client its connection, as
// there is nothing else to be said, and nobody else anything.
func TestLargeValueThatIsCutShort(t *testing.T) {
	t.Parallel()
	large() // takes long
	gate := make(chan bool)
	rogue := harness.StartRogue(t, map[string]harness.Trick{
		"close": func(conn net.Conn, key string) {
			start, _ := part(key)
			io.WriteString(conn, start)
			conn.Close()
		},
		"silent": func(conn net.Conn, key string) {
			start, _ := part(key)
			io.WriteString(conn, start)
			io.Copy(io.Discard, conn)
		},
		"badend": func(conn net.Conn, key string) {
			start, whole := part(key)
			io.WriteString(conn, start)
			<-gate
			io.WriteString(conn, strings.TrimSuffix(whole[len(start):], "\r\nEND\r\n")+"?!END\r\n")
		},
	})
	well := harness.StartMemcached(t, harness.Versions[0])
	m := harness.StartMemverbs(t, "--upstream", rogue, "--upstream", well.Addr, "--timeout", "300ms", "--loops", "1")
	layout := harness.LayoutOf(t, []string{rogue, well.Addr})
	fine, other := harness.KeyOn(layout, 0, "fine:"), harness.KeyOn(layout, 1, "other:")
	bystander := harness.Dial(t, m.Addr)
	for _, how := range []string{"close", "silent", "badend"} {
		key := harness.KeyOn(layout, 0, how+":")
		c, behind := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
		c.Send("get " + key + "\r\nget " + other + "\r\n")
		start, _ := part(key)
		if c.Exactly(len(start)) != start {
			t.Fatalf("%s: the value is not what the upstream sent", how)
		}
		if how == "badend" {
			gate <- true
		}
		behind.Send("get " + fine + "\r\n")
		rest := c.Rest()
		if strings.Contains(rest, "ERROR") || strings.Contains(rest, "END") {
			t.Errorf("%s: the value goes on with %q", how, rest[max(0, len(rest)-100):])
		}
		if line := behind.Line(); line != "END" && !strings.HasPrefix(line, "SERVER_ERROR") {
			t.Errorf("%s: the next request was answered by %q", how, line)
		}
		behind.InStep()
		bystander.Ask("get "+other+"\r\n", "END\r\n")
		harness.Await(t, "the upstream to be connected again", func() bool {
			bystander.Send("get " + fine + "\r\n")
			return bystander.Line() == "END"
		})
	}
	bystander.InStep()
}

// A client that goes away, or does not read, while it is sent a large value
// costs those who share the upstream nothing.
func TestLargeValueForWhoDoesNotTakeIt(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", "20s")
	c := harness.Dial(t, m.Addr)
	value := harness.Numbered(1_000_000)
	reply := "VALUE k 0 1000000\r\n" + value + "\r\nEND\r\n"
	c.Ask("set k 0 0 1000000\r\n"+value+"\r\n", "STORED\r\n")
	var idle []*harness.Client
	for i := range 20 {
		gone, reader := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
		gone.Send("get k\r\nget k\r\n")
		if i%2 == 0 {
			gone.Exactly(100_000)
		}
		gone.Close()
		reader.Send(strings.Repeat("get k\r\n", 20))
		idle = append(idle, reader)
		if c.Send("get k\r\n"); c.Exactly(len(reply)) != reply {
			t.Fatal("what came back is not what was stored")
		}
	}
	for _, reader := range idle {
		for range 20 {
			if reader.Exactly(len(reply)) != reply {
				t.Fatal("what came back late is not what was stored")
			}
		}
		reader.InStep()
	}
}
