package plain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/packet"
)

// set returns a set.
func set(key, value string) packet.Request {
	return packet.Request{Opcode: packet.Set, Extras: packet.Words(7, 0), Key: key, Value: value}
}

// A client asks for many keys of two upstreams by quiet gets, as clients of the binary protocol
// do. The hits come in the order of the requests, and nothing else before the answer to the noop.
func TestQuietGetsOfManyKeys(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		const keys = 10_000
		c := packet.Dial(t, s.Addr)
		var sets, gets []packet.Request
		for i := range uint32(keys) {
			key := fmt.Sprintf("key:%d", i)
			if i%2 == 0 {
				r := set(key, fmt.Sprintf("value %d", i))
				r.Opcode = packet.SetQ
				sets = append(sets, r)
			}
			gets = append(gets, packet.Request{Opcode: packet.GetKQ, Key: key, Opaque: i})
		}
		noop := packet.Request{Opcode: packet.Noop, Opaque: keys}
		text := packet.Text(append(sets, noop)...) + packet.Text(append(gets, noop)...)
		go c.SendText(text)
		if a := c.Answer(); a.Opcode != packet.Noop {
			t.Fatalf("a quiet set was answered by %q", a)
		}
		for i := uint32(0); i < keys; i += 2 {
			a := c.Answer()
			if a.Opaque != i || a.Key != fmt.Sprintf("key:%d", i) || a.Value != fmt.Sprintf("value %d", i) || a.Extras != packet.Words(7) {
				t.Fatalf("get %d was answered by %q", i, a)
			}
		}
		if a := c.Answer(); a.Opcode != packet.Noop || a.Opaque != keys {
			t.Errorf("the gets were followed by %q", a)
		}
	})
}

// Large values go on while they come in, in packets too.
func TestLargeValuesInPackets(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := packet.Dial(t, s.Addr)
		sizes := []int{16_300, 65_500, 65_536, 81_915, 81_920, 100_000, 131_071, 262_144, 500_000, 900_000, 1<<20 - 400}
		var gets []packet.Request
		for i, size := range sizes {
			key := fmt.Sprintf("k%d", i)
			c.Send(set(key, harness.Numbered(size)))
			c.Expect(packet.Success, "")
			for _, r := range []packet.Request{{Opcode: packet.GetK, Key: key}, {Opcode: packet.GetQ, Key: "none"}, {Opcode: packet.GetKQ, Key: key}, {Opcode: packet.Get, Key: "none"}} {
				r.Opaque = uint32(size)
				gets = append(gets, r)
			}
		}
		for range 3 {
			go c.Send(gets...)
			for i, size := range sizes {
				for range 2 {
					a := c.Answer()
					if a.Key != fmt.Sprintf("k%d", i) || a.Opaque != uint32(size) || a.Value != harness.Numbered(size) {
						t.Fatalf("the value of %d bytes came as %d of %q with opaque %d", size, len(a.Value), a.Key, a.Opaque)
					}
				}
				c.Expect(packet.NotFound, "Not found")
			}
		}
	}, "--timeout", "20s")
}

// An upstream that is down costs its keys only, with a status that says that this may pass.
func TestPacketsWithAnUpstreamDown(t *testing.T) {
	t.Parallel()
	for onDown, status := range map[string]uint16{"refuse": packet.Temporary, "miss": packet.NotFound} {
		t.Run(onDown, func(t *testing.T) {
			t.Parallel()
			s := harness.StartStore(t, "memcached-1.6.38", "--on-down", onDown)
			c := packet.Dial(t, s.Addr)
			for i := range 20 {
				c.Ask(set(fmt.Sprintf("k%d", i), "x"))
			}
			s.Memcacheds[0].Kill(t)
			harness.Await(t, "the upstream to be seen down", func() bool { return s.Memverbs.FoundServerDown() })
			down := 0
			for i := range 20 {
				key := fmt.Sprintf("k%d", i)
				a := c.Ask(packet.Request{Opcode: packet.Get, Key: key})
				if a.Status == packet.Success {
					continue
				}
				down++
				if a.Status != status {
					t.Errorf("a get of a key that can't be reached was answered with status 0x%02x, %q", a.Status, a.Value)
				}
				r := set(key, "y")
				r.Opcode = packet.SetQ
				if a := c.Ask(r); a.Status != packet.Temporary || !strings.HasPrefix(a.Value, "upstream ") {
					t.Errorf("a quiet set of a key that can't be reached was answered with status 0x%02x, %q", a.Status, a.Value)
				}
			}
			if down == 0 || down == 20 {
				t.Errorf("%d of 20 keys could not be reached", down)
			}
		})
	}
}

func TestPacketsToAReadOnlyPool(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--read-only")
	c := packet.Dial(t, m.Addr)
	for _, r := range []packet.Request{
		set("a", "x"), {Opcode: packet.DeleteQ, Key: "a"}, {Opcode: packet.Increment, Extras: packet.Counting(1, 1, 0), Key: "a"},
		{Opcode: packet.Touch, Extras: packet.Words(1), Key: "a"}, {Opcode: packet.GAT, Extras: packet.Words(1), Key: "a"}, {Opcode: packet.Append, Key: "a"},
		{Opcode: packet.Flush},
	} {
		if a := c.Ask(r); a.Status != packet.Invalid || !strings.HasSuffix(a.Value, " is not allowed in pool main by its setting read-only") {
			t.Errorf("opcode 0x%02x was answered with status 0x%02x, %q", r.Opcode, a.Status, a.Value)
		}
	}
	// Silence to a gat says that nothing was found, so also that nothing was touched. An error in the midst of a
	// multi-get would have some clients take what follows it for other answers.
	c.Send(packet.Request{Opcode: packet.GATQ, Extras: packet.Words(1), Key: "a"}, packet.Request{Opcode: packet.GATKQ, Extras: packet.Words(1), Key: "a"},
		packet.Request{Opcode: packet.Get, Key: "a"})
	c.Expect(packet.NotFound, "Not found")
}

// A client that stops in the middle of a packet gets the answers to those before it. The packet
// has no effect.
func TestPacketThatIsCutShort(t *testing.T) {
	t.Parallel()
	s := harness.StartStore(t, "memcached-"+harness.Newest)
	for _, whole := range []string{set("cut", "short").String(), set("cut", harness.Numbered(200_000)).String()} {
		for _, n := range []int{1, 23, 24, 30, 32, 35, 36, len(whole) - 1} {
			c := packet.Dial(t, s.Addr)
			c.SendText(packet.Text(set("a", "x"), packet.Request{Opcode: packet.Get, Key: "a"}) + whole[:n])
			c.CloseWrite()
			c.Expect(packet.Success, "")
			c.Expect(packet.Success, "x")
			c.Closed()
		}
	}
	c := packet.Dial(t, s.Addr)
	c.Send(packet.Request{Opcode: packet.Get, Key: "cut"})
	c.Expect(packet.NotFound, "Not found")
}

// A client that is hung up on gets the answers to what it has sent before, in order, wherever what
// it sends is cut.
func TestLastPackets(t *testing.T) {
	t.Parallel()
	s := harness.StartStore(t, "memcached-"+harness.Newest)
	filler := packet.Dial(t, s.Addr)
	var gets []packet.Request
	for i := range 40 {
		key := fmt.Sprintf("k%d", i)
		filler.Ask(set(key, key))
		gets = append(gets, packet.Request{Opcode: packet.GetK, Key: key})
	}
	before := packet.Text(gets...)
	for name, last := range map[string]packet.Request{
		"quit": {Opcode: packet.Quit}, "quitq": {Opcode: packet.QuitQ}, "no key": {Opcode: packet.Delete},
		"body": {Opcode: packet.Get, Key: "a", Wrong: &packet.Wrong{Magic: 0x80, Key: 1}}, "magic": {Wrong: &packet.Wrong{Magic: 0x81}},
	} {
		t.Run(name, func(t *testing.T) {
			for cut := 0; cut <= len(last.Header()); cut++ {
				c := packet.Dial(t, s.Addr)
				c.SendText(before + last.String()[:cut])
				for _, r := range gets {
					c.Expect(packet.Success, r.Key)
				}
				if name == "magic" && cut > 0 { // it is seen at once
					c.Closed()
					continue
				}
				c.SendText(last.String()[cut:])
				switch name {
				case "quit":
					c.Expect(packet.Success, "")
				case "no key":
					c.Expect(packet.Invalid, "Invalid arguments")
				case "body":
					c.Expect(packet.UnknownCommand, "Unknown command")
				}
				c.Closed()
			}
		})
	}
}
