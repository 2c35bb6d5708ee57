package plain

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// A reload that changes near, or ends it, hides no change of the process's own clients, neither from those that use the new
// setting already nor from those that still use the old one.
func TestReloadOfNear(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]string{"ended": `{"other:": 1h}`, "changed": `{"hot:": 30m}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := harness.StartMemcached(t, harness.Newest)
			r := &harness.Reloading{File: filepath.Join(t.TempDir(), "memverbs.yml")}
			addr := harness.FreeAddr(t)
			write := func(near string) {
				text := fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [%q]\n    near: %s\n", addr, m.Addr, near)
				if err := os.WriteFile(r.File, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(`{"hot:": 1h}`)
			r.Memverbs = harness.StartMemverbsWith(t, r.File, addr)
			v, done := &versions{}, make(chan struct{})
			var writers []*harness.Client
			for range 4 {
				writers = append(writers, harness.Dial(t, addr))
			}
			set := func(n int64) {
				text := fmt.Sprint(n)
				writers[n%4].Ask(fmt.Sprintf("set hot:k 0 0 %d\r\n%s\r\nzadd hot:z %s v\r\n", len(text), text, text), "STORED\r\nSTORED\r\n")
				v.stored(n)
			}
			set(0)
			requests := append([]versionRequest{{"zget hot:z v", 0, false}}, getVersion...)
			seen, wait := readVersions(t, addr, requests, v, done, func(n, before int64, _ time.Time) {
				if n < before {
					t.Errorf("version %d was shown to a client that asked after version %d was stored", n, before)
				}
			})
			n := int64(0)
			change := func(times int64) {
				for last := n + times; n < last && !t.Failed(); {
					n++
					set(n)
				}
			}
			changeAndSee := func(times int64) {
				change(times)
				harness.Await(t, "all clients to see a version", func() bool { return seen() >= n || t.Failed() })
			}
			changeAndSee(50)
			if r.OwnStats()["near_hits"] == "0" {
				t.Error("nothing is answered without the server before the reload")
			}
			for _, near := range []string{next, `{"hot:": 1h}`} {
				write(near)
				reloaded := make(chan struct{})
				go func() {
					defer close(reloaded)
					change(100)
				}()
				r.Reload(t, "msg=reloaded")
				<-reloaded
				changeAndSee(50)
			}
			close(done)
			wait()
		})
	}
}
