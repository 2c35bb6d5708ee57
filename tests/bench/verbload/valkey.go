//go:build linux

package verbload

import (
	"fmt"
	"io"
	"net"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// valkeyHead returns the first words of a command that has so many.
func valkeyHead(of int, words ...string) []byte {
	head := fmt.Appendf(nil, "*%d\r\n", of)
	for _, word := range words {
		head = append(head, valkeyString(word)...)
	}
	return head
}

// valkeyString returns a bulk string.
func valkeyString(word string) []byte { return fmt.Appendf(nil, "$%d\r\n%s\r\n", len(word), word) }

// valkeyNumber returns an integer.
func valkeyNumber(n int) []byte { return fmt.Appendf(nil, ":%d\r\n", n) }

// patience is how long a server may take to answer while nothing else is asked.
const patience = 10 * time.Second

// learnValkey asks one after another, and returns the replies.
func learnValkey(t load.Target, asks [][]byte, want *resp.Want) (replies [][]byte, err error) {
	conn, err := net.DialTimeout(t.Network, t.Addr, patience)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, ask := range asks {
		conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Write(ask); err != nil {
			return nil, err
		}
		reply, err := readReply(conn, want)
		if err != nil {
			return nil, fmt.Errorf("%.60q: %w", ask, err)
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

// readReply reads the only reply that is to come.
func readReply(conn io.Reader, want *resp.Want) (reply []byte, err error) {
	var scan resp.Scanner
	part := make([]byte, 64<<10)
	for done := false; !done; {
		n, err := conn.Read(part)
		if err != nil {
			return nil, err
		}
		if n, done, err = scan.Scan(part[:n], want); err != nil {
			return nil, err
		}
		reply = append(reply, part[:n]...)
	}
	return reply, nil
}
