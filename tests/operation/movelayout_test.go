package operation

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Keys move, too, when the servers remain and only their places change: by another layout, or as a server gets another weight. A server
// that is written with another weight is the same server, whose items are no older ones.
func TestKeysMoveByLayoutAndWeight(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(text, first string) string{
		"layout": func(text, _ string) string { return text + "    layout: jump\n" },
		"weight": func(text, first string) string { return strings.Replace(text, first, first+":3", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stores := fourStores(t)
			s := startMoving(t, stores, 3, "2s")
			c := harness.Dial(t, s.Addr)
			const keys = 300
			for i := range keys {
				c.Ask(fmt.Sprintf("set k%d 0 0 1\r\nv\r\n", i), "STORED\r\n")
			}
			text := fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [%s]\n    settle: 2s\n    move: copy\n", s.addr, strings.Join(s.list(3), ", "))
			writeText(t, s.file, change(text, stores[0].Addr))
			if err := syscall.Kill(s.Pid(), syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			s.awaitMoved(t, 1)
			for i := range keys {
				c.Ask(fmt.Sprintf("get k%d\r\n", i), fmt.Sprintf("VALUE k%d 0 1\r\nv\r\nEND\r\n", i))
			}
		})
	}
}
