package harness

import (
	"bufio"
	"net"
	"strings"
	"testing"
)

// Trick is what a rogue does when it is asked for a key.
type Trick func(conn net.Conn, key string)

// StartRogue starts an upstream that does, when it is asked for a key, the trick
// whose name the key has before its first colon. It misses other keys. It returns its address.
func StartRogue(t testing.TB, tricks map[string]Trick) string {
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

func beRogue(conn net.Conn, tricks map[string]Trick) {
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

// Says returns a trick that answers with text, in which KEY is the key.
func Says(text string) Trick {
	return func(conn net.Conn, key string) { conn.Write([]byte(strings.ReplaceAll(text, "KEY", key))) }
}
