package harness

import (
	"fmt"
	"strings"
	"testing"
)

// Put stores an item in a memcached.
func (m *Memcached) Put(t testing.TB, key, value string) {
	t.Helper()
	c := Dial(t, m.Addr)
	defer c.Close()
	c.Send(fmt.Sprintf("set %s 0 0 %d\r\n%s\r\n", key, len(value), value))
	c.Expect("STORED\r\n")
}

// PutSet stores a set with a head of about so many bytes and so many segments.
func (m *Memcached) PutSet(t testing.TB, key string, head, segments int) {
	t.Helper()
	pointers := ""
	for n := range segments {
		part := LongMembers(10_000)
		m.Put(t, key+":"+SegmentID(n)+".0", part)
		pointers += fmt.Sprintf("@%s:1:%d ", SegmentID(n), len(part))
	}
	m.Put(t, key, pointers+LongMembers(head-len(pointers)-210))
}

// SegmentID returns an id that a segment may have.
func SegmentID(n int) string { return fmt.Sprintf("%015dA", n) }

// LongMembers returns a log of about so many bytes, of long members that differ. It ends
// with a whole token.
func LongMembers(size int) string {
	long := strings.Repeat("m", 200)
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		fmt.Fprintf(&b, "+%s%07d ", long, n)
	}
	return b.String()
}
