package embedded

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestItemsExpire(t *testing.T) {
	for name, test := range map[string]struct {
		store   string
		seconds int
	}{
		"set":          {"set k 0 60 1\r\nx\r\n", 60},
		"30 days":      {"set k 0 2592000 1\r\nx\r\n", 2592000},
		"absolute":     {"set k 0 2000000090 1\r\nx\r\n", 90},
		"touch":        {"set k 0 0 1\r\nx\r\ntouch k 60\r\n", 60},
		"touch later":  {"set k 0 5 1\r\nx\r\ntouch k 60\r\n", 60},
		"touch sooner": {"set k 0 60 1\r\nx\r\ntouch k 7\r\n", 7},
		"gat":          {"set k 0 5 1\r\nx\r\ngat 60 k\r\n", 60},
		"append":       {"set k 0 60 1\r\nx\r\nappend k 0 0 1\r\ny\r\n", 60},
		"incr":         {"set k 0 60 1\r\n9\r\nincr k 1\r\n", 60},
		"ms":           {"ms k 1 T60\r\nx\r\n", 60},
		"ms N":         {"ms k 1 MA N60\r\nx\r\nms k 1 MA N99\r\nx\r\n", 60},
		"mg T":         {"ms k 1\r\nx\r\nmg k T60\r\n", 60},
		"mg N":         {"mg k N60\r\nmg k N99\r\n", 60},
		"md I":         {"ms k 1\r\nx\r\nmd k I T60\r\n", 60},
		"ma N":         {"ma k N60\r\nma k N99\r\n", 60},
	} {
		t.Run(name, func(t *testing.T) {
			c, clock := openClient(t)
			clock.nanos.Store(2e9 * int64(time.Second))
			c.ask(test.store)
			expectTTL(c, test.seconds)
			clock.advance(time.Duration(test.seconds)*time.Second - 1)
			expectTTL(c, 1)
			clock.advance(1)
			c.expect("mg k t\r\n", "EN\r\n")
			c.expect("append k 0 0 1\r\nx\r\n", "NOT_STORED\r\n")
			c.expect("incr k 1\r\n", "NOT_FOUND\r\n")
			c.expect("touch k 0\r\n", "NOT_FOUND\r\n")
			c.expect("add k 0 0 1\r\nx\r\n", "STORED\r\n")
		})
	}
}

func expectTTL(c *client, seconds int) {
	c.t.Helper()
	want := "HD t" + strconv.Itoa(seconds)
	if got := c.ask("mg k t u\r\n"); strings.Fields(got + " ")[1] != want[len("HD "):] {
		c.t.Fatalf("a time to live of %q, not %q", got, want)
	}
}

// Expired items are removed even if nobody reads them.
func TestExpiredItemsMakeRoom(t *testing.T) {
	s, clock := openStore(t, testMemory, testMaxItem)
	c := connect(t, s.Dial)
	c.expect("set k 0 60 5\r\nhello\r\n", "STORED\r\n")
	if s.cache.WeightedSize() == 0 {
		t.Fatal("an item weighs nothing")
	}
	clock.advance(2 * time.Minute)
	s.cache.CleanUp()
	if weight := s.cache.WeightedSize(); weight != 0 {
		t.Fatalf("%d bytes are left", weight)
	}
}

// With the system's clock too, otter removes expired items by itself.
func TestSystemClock(t *testing.T) {
	s, err := New(testMemory, testMaxItem)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := connect(t, s.Dial)
	c.expect("set k 0 1 5\r\nhello\r\n", "STORED\r\n")
	await(t, "the item to expire", func() bool { return c.ask("mg k u\r\n") == "EN\r\n" })
	await(t, "its memory to be free", func() bool { return s.cache.WeightedSize() == 0 })
}

func TestLastRead(t *testing.T) {
	c, clock := openClient(t)
	c.expect("set k 0 0 1\r\nx\r\n", "STORED\r\n")
	clock.advance(5 * time.Second)
	c.expect("mg k h l u\r\n", "HD h0 l5\r\n")
	c.expect("mg k h l\r\n", "HD h0 l5\r\n")
	c.expect("mg k h l\r\n", "HD h1 l0\r\n")
	clock.advance(3 * time.Second)
	c.expect("me k\r\n", "ME k exp=-1 la=3 cas=2 fetch=yes cls=1 size=61\r\n")
	c.ask("touch k 0\r\n")
	c.expect("mg k h l u\r\n", "HD h1 l0\r\n")
}

// As in memcached, a delayed flush_all happens a second early, and drops everything
// stored before.
func TestDelayedFlush(t *testing.T) {
	c, clock := openClient(t)
	c.ask("set old 0 0 1\r\nx\r\nflush_all 10\r\n")
	clock.advance(8 * time.Second)
	c.ask("set young 0 0 1\r\nx\r\n")
	c.expect("get old young\r\n", "VALUE old 0 1\r\nx\r\nVALUE young 0 1\r\nx\r\nEND\r\n")
	clock.advance(time.Second)
	c.expect("get old young\r\n", "END\r\n")
	c.ask("set new 0 0 1\r\nx\r\n")
	clock.advance(time.Minute)
	c.expect("get new\r\n", "VALUE new 0 1\r\nx\r\nEND\r\n")
}

func TestFlushTakesThePlaceOfAnother(t *testing.T) {
	for _, second := range []string{"flush_all 1000\r\n", "flush_all\r\n", "flush_all -1\r\n", "flush_all 1000000000\r\n"} {
		c, clock := openClient(t)
		c.ask("flush_all 10\r\n" + second + "set k 0 0 1\r\nx\r\n")
		clock.advance(time.Minute)
		c.expect("get k\r\n", "VALUE k 0 1\r\nx\r\nEND\r\n")
	}
}
