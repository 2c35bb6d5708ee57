package operation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// BenchmarkMoveHitRate tells the share of gets that find something in each second while a pool of three servers gets a fourth one after
// two seconds: of 20 000 keys, and of one in a hundred that was never set.
func BenchmarkMoveHitRate(b *testing.B) {
	const keys, seconds = 20_000, 13
	for _, move := range []string{"copy", "miss"} {
		b.Run(move, func(b *testing.B) {
			stores := fourStores(b)
			file, addr := filepath.Join(b.TempDir(), "memverbs.yml"), harness.FreeAddr(b)
			write := func(servers int) {
				var list []string
				for _, store := range stores[:servers] {
					list = append(list, store.Addr)
				}
				text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    servers: [%s]\n    settle: 3s\n    move: %s\n", addr, strings.Join(list, ", "), move)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			write(3)
			m := harness.StartMemverbsWith(b, file, addr)
			c := harness.Dial(b, addr)
			for i := range keys {
				c.Ask(fmt.Sprintf("set k%d 0 3600 1\r\nv\r\n", i), "STORED\r\n")
			}
			rates := ""
			for second := range seconds {
				if second == 2 {
					write(4)
					if err := syscall.Kill(m.Pid(), syscall.SIGHUP); err != nil {
						b.Fatal(err)
					}
				}
				asked, found := 0, 0
				for began := time.Now(); time.Since(began) < time.Second; asked++ {
					key := rand.N(keys)
					if rand.N(100) == 0 {
						key += keys
					}
					c.Send(fmt.Sprintf("get k%d\r\n", key))
					if c.Line() != "END" {
						found++
						c.Until("END")
					}
				}
				rates += fmt.Sprintf(" %.3f", float64(found)/float64(asked))
			}
			b.Log(rates)
		})
	}
}
