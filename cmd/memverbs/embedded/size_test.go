package embedded

import (
	"fmt"
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	for _, bad := range [][2]int{{0, 1 << 20}, {-1, 1 << 20}, {1 << 30, 0}, {1 << 30, -1}, {1 << 30, 1<<30 + 1}} {
		if s, err := New(bad[0], bad[1]); err == nil {
			s.Close()
			t.Errorf("a store of %d bytes, items of up to %d: no error", bad[0], bad[1])
		}
	}
}

func storage(command, key, flags string, size int) string {
	return fmt.Sprintf("%s %s %s 0 %d\r\n%s\r\n", command, key, flags, size, strings.Repeat("x", size))
}

const tooLarge = "SERVER_ERROR object too large for cache\r\n"

// The size limit is memcached's to the byte: the key and flags other than 0 count.
func TestItemLimit(t *testing.T) {
	c := connect(t, freshServer(t))
	for _, limit := range []struct {
		key, flags string
		most       int
	}{
		{"k", "0", 1048516},
		{"k", "1", 1048512},
		{"tenletters", "0", 1048507},
	} {
		c.expect(storage("set", limit.key, limit.flags, limit.most), "STORED\r\n")
		c.expect(storage("set", limit.key, limit.flags, limit.most+1), tooLarge)
		c.expect(storage("set", limit.key, limit.flags, 1<<20), tooLarge)
		c.expect(storage("set", limit.key, limit.flags, 3<<20), tooLarge)
	}
	c.expect("mg k s\r\n", "EN\r\n")
}

// A set that is too large deletes the item, so that it is not mistaken for the new one;
// so does any ms.
func TestTooLargeDeletes(t *testing.T) {
	c := connect(t, freshServer(t))
	for _, size := range []int{1048570, 1<<20 + 1} {
		for _, command := range []string{"set", "add", "replace", "append", "prepend"} {
			c.expect("set k 0 0 2\r\nhi\r\n", "STORED\r\n")
			c.expect(storage(command, "k", "0", size), tooLarge)
			kept := "VALUE k 0 2\r\nhi\r\nEND\r\n"
			if command == "set" {
				kept = "END\r\n"
			}
			c.expect("get k\r\n", kept)
		}
		for _, flags := range []string{"", " ME", " MA N0", " MA N0 q"} {
			c.expect("set k 0 0 2\r\nhi\r\n", "STORED\r\n")
			c.expect(fmt.Sprintf("ms k %d%s\r\n%s\r\n", size, flags, strings.Repeat("x", size)), tooLarge)
			c.expect("get k\r\n", "END\r\n")
		}
	}
}

// If an item would exceed the limit by an append, the old value stays.
func TestFullItem(t *testing.T) {
	c := connect(t, freshServer(t))
	c.expect(storage("set", "k", "0", 1048000), "STORED\r\n")
	c.expect(storage("append", "k", "0", 517), "NOT_STORED\r\n")
	c.expect(storage("prepend", "k", "0", 517), "NOT_STORED\r\n")
	c.expect("ms k 517 MA N0 s c\r\n"+strings.Repeat("x", 517)+"\r\n", "NS s517 c0\r\n")
	c.expect("mg k s\r\n", "HD s1048000\r\n")
	c.expect(storage("append", "k", "0", 516), "STORED\r\n")
	c.expect("mg k s\r\n", "HD s1048516\r\n")
	c.expect(storage("append", "k", "0", 1), "NOT_STORED\r\n")
}

// No item takes more than half of the memory.
func TestSmallMemory(t *testing.T) {
	s, _ := openStore(t, 1<<20, 1<<20)
	c := connect(t, s.Dial)
	c.expect(storage("set", "k", "0", 1<<19-60), "STORED\r\n")
	c.expect("mg k s\r\n", "HD s524228\r\n")
	c.expect(storage("set", "k", "0", 1<<19-59), tooLarge)
}
