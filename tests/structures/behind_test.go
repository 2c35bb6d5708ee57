package structures

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What a proxy keeps of structures does not outlive a restart of memcached behind another proxy, whose
// connections show no restart, even if the same items get the same CAS again. The other proxy has one thread, so that it is connected
// again for all requests once it is for one.
func TestRestartBehindAnotherProxy(t *testing.T) {
	t.Parallel()
	version := harness.Versions[len(harness.Versions)-1]
	for back, start := range map[string]func(t *testing.T, server string) (addr string){
		"memverbs": func(t *testing.T, server string) string {
			return harness.StartMemverbs(t, "--upstream", server, "--loops", "1").Addr
		},
		"memcached": func(t *testing.T, server string) string {
			config := filepath.Join(t.TempDir(), "proxy.lua")
			text := fmt.Sprintf("pools{ main = { backends = { %q } } }\nroutes{ default = route_direct{ child = \"main\" } }", server)
			if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return harness.StartMemcached(t, version, "-t", "1", "-o", "proxy_config=routelib,proxy_arg="+config).Addr
		},
	} {
		t.Run(back, func(t *testing.T) {
			t.Parallel()
			m := harness.StartMemcached(t, version)
			front := harness.StartMemverbs(t, "--upstream", start(t, m.Addr))
			readings := map[string]string{"smembers s": "VALUE s 0 2099", "lrange l 0 -1": "VALUE l 0 2099", "zrange r 0 -1": "VALUE r 0 2099"}
			client := harness.Dial(t, front.Addr) // one, as each event loop keeps its own
			var before []string
			for _, letter := range []string{"a", "b"} {
				var scored, words strings.Builder
				for i := range 300 {
					fmt.Fprintf(&words, " %s%05d", letter, i)
					fmt.Fprintf(&scored, " %d %s%05d", 100000+i, letter, i)
				}
				client.Ask("sadd s"+words.String()+"\r\nrpush l"+words.String()+"\r\nzadd r"+scored.String()+"\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
				var now []string
				for _, key := range []string{"s", "l", "r"} {
					now = append(now, answer(t, m.Addr, "mg "+key+" c s"))
				}
				if before != nil && strings.Join(now, " ") != strings.Join(before, " ") {
					t.Fatalf("%q became %q, so this shows nothing", before, now)
				}
				before = now
				for reading, line := range readings {
					for range 3 {
						client.Ask(reading+"\r\n", line+"\r\n"+words.String()[1:]+"\r\nEND\r\n")
					}
				}
				client.Ask("sismember s "+letter+"00007\r\n", "1\r\n")
				client.Ask("zget r "+letter+"00007\r\n", "100007\r\n")
				if letter == "b" {
					client.Ask("lpop l\r\n", "VALUE l 0 6\r\nb00000\r\nEND\r\n")
					break
				}
				m.Kill(t)
				m.Restart(t)
				harness.Await(t, "the proxies to be connected again", func() bool { return answer(t, front.Addr, "mg s") == "EN" })
			}
			if n := strings.Count(front.Log(), "does not say that it is memcached itself"); n != 1 {
				t.Errorf("the log warns %d times of the other proxy", n)
			}
		})
	}
}

// answer returns the first line that is answered to a request.
func answer(t *testing.T, addr, request string) string {
	t.Helper()
	client := harness.Dial(t, addr)
	defer client.Close()
	client.Send(request + "\r\n")
	return client.Line()
}
