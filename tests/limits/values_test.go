package limits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Values about as long as memcached takes are taken and refused through the proxy as
// memcached itself takes and refuses them, and what it would refuse is not sent to
// it. What was stored before is gone wherever memcached lets it go.
func TestValuesAroundTheItemLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		version string
		limit   int
		flags   []string
	}{
		{harness.Versions[0], 1 << 20, nil},
		{harness.Versions[1], 1 << 20, []string{"-I", "1m", "-C"}},
		{harness.Versions[1], 4 << 20, []string{"-I", "4m"}},
		{harness.Newest, 4 << 20, []string{"-I", "4m", "-C"}},
	} {
		t.Run(strings.Join(append([]string{test.version}, test.flags...), " "), func(t *testing.T) {
			t.Parallel()
			direct := harness.StartMemcached(t, test.version, test.flags...)
			behind := harness.StartMemcached(t, test.version, test.flags...)
			m := harness.StartMemverbs(t, "--upstream", behind.Addr, "--max-item-size", "8MB")
			b := beside{t, harness.Dial(t, direct.Addr), harness.Dial(t, m.Addr), behind, !slices.Contains(test.flags, "-C")}
			for _, command := range []string{"set", "add", "append", "cas", "ms"} {
				for _, key := range []string{"k", strings.Repeat("k", 250)} {
					for _, flags := range []int{0, 7} {
						b.compare(command, key, flags, test.limit)
					}
				}
			}
		})
	}
}

// beside is a memcached that is asked directly, and one like it behind the proxy.
type beside struct {
	t              *testing.T
	direct, proxy  *harness.Client
	behindTheProxy *harness.Memcached
	keepsCAS       bool
}

// compare stores values around the limit: the longest that is taken, and longer ones.
func (b beside) compare(command, key string, flags, limit int) {
	longest := limit - (48 + 1 + 2) - len(key) // what memcached needs, see proxy/upstream/itemsize.go
	if b.keepsCAS {
		longest -= 8
	}
	if flags != 0 {
		longest -= 4
	}
	taken, refused := 0, 0
	for _, size := range []int{longest, longest + 1, limit} {
		if b.store(command, key, flags, size) {
			refused++
		} else {
			taken++
		}
	}
	if taken != 1 {
		b.t.Errorf("%s of a key of %d bytes, flags %d: %d values are not refused and %d are", command, len(key), flags, taken, refused)
	}
}

// store stores a value in the place of a small one, or where there is none, and
// reports whether it is refused as too large. That, and what is there after it, has
// to be the same on both sides.
func (b beside) store(command, key string, flags, size int) (refused bool) {
	b.t.Helper()
	if command == "add" {
		b.both("delete "+key+" noreply\r\nmg "+key+" s\r\n", "EN\r\n")
	} else {
		b.both("set "+key+" 3 0 3\r\nold\r\n", "STORED\r\n")
	}
	before := b.behindTheProxy.Stats()
	got := b.send(b.proxy, command, key, flags, size)
	after := b.behindTheProxy.Stats()
	if want := b.send(b.direct, command, key, flags, size); got != want {
		b.t.Errorf("%s of %d bytes: answered %q, memcached says %q", command, size, got, want)
	}
	left := "mg " + key + " s f\r\n"
	b.direct.Send(left)
	b.proxy.Send(left)
	if got, want := b.proxy.Line(), b.direct.Line(); got != want {
		b.t.Errorf("%s of %d bytes: %q is there, with memcached %q", command, size, got, want)
	}
	refused = got == "SERVER_ERROR object too large for cache"
	const small = 10_000 // more than the questions for statistics and what takes the old value away
	if sent := harness.Difference(after["bytes_read"], before["bytes_read"]); refused != (sent < small) {
		b.t.Errorf("%s of %d bytes is answered %q, and memcached was sent %d bytes", command, size, got, sent)
	}
	return refused
}

// both has the same done on both sides.
func (b beside) both(request, reply string) {
	b.direct.Ask(request, reply)
	b.proxy.Ask(request, reply)
}

// send stores a value and returns the reply.
func (b beside) send(c *harness.Client, command, key string, flags, size int) string {
	line := fmt.Sprintf("%s %s %d 0 %d", command, key, flags, size)
	switch command {
	case "cas":
		c.Send("gets " + key + "\r\n")
		var n, length int
		var cas uint64
		if _, err := fmt.Sscanf(strings.TrimPrefix(c.Line(), "VALUE "+key), "%d %d %d", &n, &length, &cas); err != nil {
			b.t.Fatal(err)
		}
		c.Expect("old\r\nEND\r\n")
		line = fmt.Sprintf("%s %d", line, cas)
	case "ms":
		line = fmt.Sprintf("ms %s %d F%d", key, size, flags)
	}
	c.Send(line + "\r\n" + strings.Repeat("v", size) + "\r\n")
	return c.Line()
}
