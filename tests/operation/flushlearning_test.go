package operation

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// A proxy flushes a namespace only if it reaches all servers that others may use: neither while it does not know of a server that another
// one uses, nor while another may use one that it has left.
func TestFlushWhileServersAreLearned(t *testing.T) {
	t.Parallel()
	stores := []*harness.Memcached{harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)}
	const settings = "3s\n    namespaces: [\"ns:\"]"
	one, two := startSettling(t, stores, 1, settings), startSettling(t, stores, 1, settings)
	key := one.key(t, 1, 0, 2, 1, "ns:")
	c, d := harness.Dial(t, one.Addr), harness.Dial(t, two.Addr)
	c.Ask("nsflush ns:\r\n", "OK\r\n")
	d.Ask("nsflush ns:\r\n", "OK\r\n")
	refused := func(c *harness.Client) bool {
		c.Send("nsflush ns:\r\n")
		line := c.Line()
		is := strings.HasPrefix(line, "SERVER_ERROR not reached: other proxies may use "+stores[1].Addr+", which this one does not; try again when all proxies know of the same servers, in about ")
		if !is && line != "OK" {
			t.Errorf("nsflush was answered by %q", line)
		}
		return is
	}
	one.change(t, 2)
	awaitAnswer(t, c, "set "+key+" 0 0 1\r\na\r\n", "STORED\r\n")
	harness.Await(t, "the other process to hear of the new server", func() bool { return refused(d) })
	c.Ask("get "+key+"\r\nnsflush ns:\r\nget "+key+"\r\nset "+key+" 0 0 1\r\nb\r\n", "VALUE "+key+" 0 1\r\na\r\nEND\r\nOK\r\nEND\r\nSTORED\r\n")
	two.change(t, 2)
	d.Ask("get "+key+"\r\nnsflush ns:\r\n", "VALUE "+key+" 0 1\r\nb\r\nEND\r\nOK\r\n")
	c.Ask("get "+key+"\r\n", "END\r\n")
	one.change(t, 1)
	harness.Await(t, "the server to be left", func() bool { return refused(c) })
	harness.Await(t, "that to be settled", func() bool { return !refused(c) })
}
