package tls

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/securetest"
)

// Requests that follow a value are answered by memcacheds that read records one at a time: each
// record that they get has whole requests, or a part of one.
func TestTLSRecordsOfRequests(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			a := securetest.NewAuthority(t)
			m := harness.StartMemverbs(t, behindTLS(t, a, version, 1)...)
			for _, size := range []int{900, 16_000, 16_384, 20_000, 80_000, 140_000} {
				value := strings.Repeat("v", size)
				set := fmt.Sprintf("set k 0 0 %d\r\n%s\r\n", size, value)
				get, got := "get k\r\n", fmt.Sprintf("VALUE k 0 %d\r\n%s\r\nEND\r\n", size, value)
				c := harness.Dial(t, m.Addr)
				c.Ask(set+"get none\r\n", "STORED\r\nEND\r\n")
				c.Ask(strings.Replace(set, "\r\n", " noreply\r\n", 1)+get, got)
				c.Ask(strings.Repeat(set, 40)+get, strings.Repeat("STORED\r\n", 40)+got)
			}
			c := harness.Dial(t, m.Addr)
			const gets = 4915
			c.Ask(strings.Repeat("get none\r\n", gets), strings.Repeat("END\r\n", gets))
			if strings.Contains(m.Log(), "upstream is down") {
				t.Errorf("the server was taken for down:\n%s", m.Log())
			}
		})
	}
}
