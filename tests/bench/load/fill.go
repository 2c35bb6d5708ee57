//go:build linux

package load

import (
	"fmt"
	"net"
	"time"
)

// fillBytes is how much is sent at a time.
const fillBytes = 64 << 10

// Fill sends n requests to a target, one after another but many at a time, and
// compares the replies. next thinks them out, as a [Source] does.
func Fill(t Target, n int, next func(i int, b *Batch)) error {
	conn, err := t.Dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	var b Batch
	for i := 0; i < n; {
		b.reset()
		for ; i < n && len(b.out) < fillBytes; i++ {
			next(i, &b)
		}
		if err := b.exchange(conn); err != nil {
			return fmt.Errorf("before the load: %w", err)
		}
	}
	return nil
}

// exchange sends the batch and waits for the replies.
func (b *Batch) exchange(conn net.Conn) error {
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := conn.Write(b.out); err != nil {
		return err
	}
	came := make([]byte, fillBytes)
	for !b.answered() {
		n, err := conn.Read(came)
		if err != nil {
			return err
		}
		if err := b.take(came[:n]); err != nil {
			return err
		}
	}
	if b.failed > 0 {
		return fmt.Errorf("%d of %d requests were refused", b.failed, b.requests)
	}
	if b.goOn() {
		return b.exchange(conn)
	}
	return nil
}
