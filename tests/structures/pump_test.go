package structures

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// pumped is how many requests go out together.
const pumped = 500

// pump sends the requests that next makes, with the numbers from first to last-1,
// over one connection, many at a time. Each must be answered by the line given.
func pump(addr string, first, last int, answer string, next func(dst []byte, n int) []byte) error {
	return pumpBoth(addr, first, last, func(requests, answers []byte, n int) ([]byte, []byte) {
		return next(requests, n), append(append(answers, answer...), "\r\n"...)
	})
}

// pumpBoth is pump with the answers that next makes too.
func pumpBoth(addr string, first, last int, next func(requests, answers []byte, n int) ([]byte, []byte)) error {
	conn, err := net.DialTimeout("tcp", addr, harness.Patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	var requests, answers []byte
	for n := first; n < last; {
		requests, answers = requests[:0], answers[:0]
		from := n
		for ; n < last && n < from+pumped; n++ {
			requests, answers = next(requests, answers, n)
		}
		// What one batch takes may be a lot of work.
		conn.SetDeadline(time.Now().Add(3 * harness.Patience))
		if _, err := conn.Write(requests); err != nil {
			return err
		}
		if err := expect(in, answers); err != nil {
			return fmt.Errorf("requests %d to %d: %w", from, n, err)
		}
	}
	return nil
}

// expect reads what is expected, and nothing else.
func expect(in *bufio.Reader, expected []byte) error {
	if len(expected) == 0 {
		return nil
	}
	got := make([]byte, len(expected))
	n, err := io.ReadFull(in, got)
	for i := range n {
		if got[i] != expected[i] {
			start := 1 + bytes.LastIndexByte(got[:i], '\n')
			return fmt.Errorf("answered by %q", got[start:min(n, start+200)])
		}
	}
	return err
}
