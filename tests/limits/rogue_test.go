package limits

import (
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// An upstream that does not keep to the protocol costs its own keys, for as
// long as it takes to connect again, and nobody sees what it sent.
func TestUpstreamThatDoesNotKeepToTheProtocol(t *testing.T) {
	t.Parallel()
	tricks := map[string]harness.Trick{
		"garbage":   harness.Says("what is that?\r\n"),
		"binary":    harness.Says("\x81\x00\x00\x00\r\n\x00\n"),
		"otherkey":  harness.Says("VALUE other 0 1\r\nx\r\nEND\r\n"),
		"twice":     harness.Says("END\r\nVALUE secret 0 1\r\nx\r\nEND\r\n"),
		"badlength": harness.Says("VALUE KEY 0 -5\r\nx\r\nEND\r\n"),
		"badend":    harness.Says("VALUE KEY 0 3\r\nabcdefgh\r\nEND\r\n"),
		"stored":    harness.Says("STORED\r\n"),
		"endless":   harness.Says(strings.Repeat("x", 100000)),
		"silent":    func(net.Conn, string) {},
		"close":     func(conn net.Conn, _ string) { conn.Close() },
		"half": func(conn net.Conn, key string) {
			conn.Write([]byte("VALUE " + key + " 0 50000\r\nhalf of it")) // a longer one would be passed on as it comes
			conn.Close()
		},
	}
	rogue := harness.StartRogue(t, tricks)
	well := harness.StartMemcached(t, harness.Versions[0])
	m := harness.StartMemverbs(t, "--upstream", rogue, "--upstream", well.Addr, "--timeout", "200ms", "--loops", "1")
	layout := harness.LayoutOf(t, []string{rogue, well.Addr})
	fine, other := harness.KeyOn(layout, 0, "fine:"), harness.KeyOn(layout, 1, "other:")

	c := harness.Dial(t, m.Addr)
	c.Ask("set "+other+" 0 0 5\r\nvalue\r\n", "STORED\r\n")
	for name := range tricks {
		key := harness.KeyOn(layout, 0, name+":")
		bystander := harness.Dial(t, m.Addr)
		c.Send("get " + key + "\r\nget " + other + "\r\n")
		line := c.Line()
		switch {
		case name == "twice": // the first of the two answers is what was asked for
			if line != "END" {
				t.Errorf("%s: answered by %q", key, line)
			}
		case !strings.HasPrefix(line, "SERVER_ERROR upstream "+rogue+" "):
			t.Errorf("%s: answered by %q", key, line)
		}
		c.Expect("VALUE " + other + " 0 5\r\nvalue\r\nEND\r\n")
		c.InStep()
		bystander.Ask("get "+other+"\r\n", "VALUE "+other+" 0 5\r\nvalue\r\nEND\r\n")
		harness.Await(t, "the upstream to be connected again", func() bool {
			bystander.Send("get " + fine + "\r\n")
			return bystander.Line() == "END"
		})
		bystander.InStep()
		bystander.Close()
	}
}

// A value that is longer than the proxy takes is refused, and those after it
// are not.
func TestUpstreamWithValueTooLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("v", 3<<20)
	rogue := harness.StartRogue(t, map[string]harness.Trick{
		"long": harness.Says("VALUE KEY 0 3145728\r\n" + long + "\r\nEND\r\n"),
	})
	m := harness.StartMemverbs(t, "--upstream", rogue)
	c := harness.Dial(t, m.Addr)
	c.Send("get fine\r\nget long:1\r\nget fine\r\n")
	c.Expect("END\r\nSERVER_ERROR upstream " + rogue + " holds a value of 3145728 bytes ")
	if line := c.Line(); !strings.Contains(line, "--max-item-size") {
		t.Errorf("the refusal does not say what to do: %q", line)
	}
	c.Expect("END\r\n")
	c.InStep()
}
