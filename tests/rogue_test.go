package tests

import (
	"bufio"
	"net"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// startRogue starts an upstream that does, when it is asked for a key, what
// the key says before its first colon. It returns its address.
func startRogue(t *testing.T, tricks map[string]func(net.Conn, string)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go beRogue(conn, tricks)
		}
	}()
	return l.Addr().String()
}

func beRogue(conn net.Conn, tricks map[string]func(net.Conn, string)) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if words[0] == "version" {
			conn.Write([]byte("VERSION 1.6.38\r\n"))
			continue
		}
		if words[0] == "mn" { // a probe, when nothing else is in flight
			conn.Write([]byte("MN\r\n"))
			continue
		}
		if strings.HasPrefix(lines.Text(), "set memverbs ") { // the login of a proxy that has one
			lines.Scan()
			conn.Write([]byte("STORED\r\n"))
			continue
		}
		name, _, _ := strings.Cut(words[1], ":")
		if trick := tricks[name]; trick != nil {
			trick(conn, words[1])
			continue
		}
		conn.Write([]byte("END\r\n"))
	}
}

// says returns a trick that answers with text, in which KEY is the key.
func says(text string) func(net.Conn, string) {
	return func(conn net.Conn, key string) { conn.Write([]byte(strings.ReplaceAll(text, "KEY", key))) }
}

// An upstream that does not keep to the protocol costs its own keys, for as
// long as it takes to connect again, and nobody sees what it sent.
func TestUpstreamThatDoesNotKeepToTheProtocol(t *testing.T) {
	t.Parallel()
	tricks := map[string]func(net.Conn, string){
		"garbage":   says("what is that?\r\n"),
		"binary":    says("\x81\x00\x00\x00\r\n\x00\n"),
		"otherkey":  says("VALUE other 0 1\r\nx\r\nEND\r\n"),
		"twice":     says("END\r\nVALUE secret 0 1\r\nx\r\nEND\r\n"),
		"badlength": says("VALUE KEY 0 -5\r\nx\r\nEND\r\n"),
		"badend":    says("VALUE KEY 0 3\r\nabcdefgh\r\nEND\r\n"),
		"stored":    says("STORED\r\n"),
		"endless":   says(strings.Repeat("x", 100000)),
		"silent":    func(net.Conn, string) {},
		"close":     func(conn net.Conn, _ string) { conn.Close() },
		"half": func(conn net.Conn, key string) {
			conn.Write([]byte("VALUE " + key + " 0 50000\r\nhalf of it")) // a longer one would be passed on as it comes
			conn.Close()
		},
	}
	rogue := startRogue(t, tricks)
	well := harness.StartMemcached(t, harness.Versions[0])
	m := harness.StartMemverbs(t, "--upstream", rogue, "--upstream", well.Addr, "--timeout", "200ms", "--loops", "1")
	layout := layoutOf(t, []string{rogue, well.Addr})
	fine, other := keyOn(layout, 0, "fine:"), keyOn(layout, 1, "other:")

	c := harness.Dial(t, m.Addr)
	c.Ask("set "+other+" 0 0 5\r\nvalue\r\n", "STORED\r\n")
	for name := range tricks {
		key := keyOn(layout, 0, name+":")
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
	rogue := startRogue(t, map[string]func(net.Conn, string){
		"long": says("VALUE KEY 0 3145728\r\n" + long + "\r\nEND\r\n"),
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
