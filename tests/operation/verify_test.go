package operation

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// verified runs "memverbs verify" with timeouts that nothing is expected to reach, and expects a
// status and some words in what it prints.
func verified(t *testing.T, status int, says []string, flags ...string) {
	t.Helper()
	patience := harness.Patience.String()
	flags = append([]string{"verify", "--timeout", patience, "--connect-timeout", patience}, flags...)
	got, stdout, stderr := runCommand(t, flags...)
	if got != status || (status >= 2) != (stderr != "") {
		t.Errorf("%q: status %d, expected %d\n%s%s", flags, got, status, stdout, stderr)
	}
	for _, words := range says {
		if !regexp.MustCompile(words).MatchString(stdout + stderr) {
			t.Errorf("%q does not say %s:\n%s%s", flags, words, stdout, stderr)
		}
	}
}

// poolOf starts some memcacheds of a version and returns their addresses, as --upstream has them.
func poolOf(t *testing.T, version string, n int) (addrs []string, upstream string) {
	t.Helper()
	for range n {
		addrs = append(addrs, harness.StartMemcached(t, version).Addr)
	}
	return addrs, strings.Join(addrs, ",")
}

// What memverbs has stored is where its layout looks for it: plain items, keys in base64, and all
// items of structures. No other layout finds it all.
func TestVerify(t *testing.T) {
	t.Parallel()
	const layout = "twemproxy:ketama:murmur"
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			_, upstream := poolOf(t, version, 4)
			m := harness.StartMemverbs(t, "--upstream", upstream, "--layout", layout, "--structure-item-size", "1KB", "--log-chunk", "1h")
			storeAllKinds(harness.Dial(t, m.Addr))
			verified(t, 0, []string{
				`\n([\d ]+) of ([\d ]+) keys are where this layout looks for them\.\n[\d ]+\d\d of them seem to be items of structures`,
				`By chance, a layout that has nothing to do with this pool finds about `,
			}, "--upstream", upstream, "--layout", layout)
			verified(t, 0, []string{
				`keys found          layout\n +[\d ]+ 100\.0 %  ` + layout + `\n +[\d ]+ [1-6]\d\.\d %  `,
				` keys are where ` + layout + ` looks for them\.\n`,
			}, "--upstream", upstream, "--guess")
			verified(t, 1, []string{
				`\n[\d ]+ are elsewhere, such as\n  ".*": it is on [\d.:]+, and looked for on [\d.:]+ \(last used .*s ago\)\n`,
				`Either the layout is another one`,
				`--guess tries all layouts\.\n$`,
			}, "--upstream", upstream, "--layout", "libmemcached")
		})
	}
}

// storeAllKinds stores plain items, and structures of all kinds that consist of several items.
func storeAllKinds(c *harness.Client) {
	long := strings.Repeat("x", 600_000)
	var words strings.Builder
	for i := range 300 {
		fmt.Fprintf(&words, " word%d", i)
		c.Ask(fmt.Sprintf("set user:%d 0 %d 1\r\nx\r\n", i, 1000*(i%2)), "STORED\r\n")
		binary := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "a binary\nkey %d", i))
		c.Ask("ms "+binary+" 1 b\r\nx\r\n", "HD\r\n")
	}
	for i := range 20 {
		c.Ask(fmt.Sprintf("sadd set%d%s\r\n", i, words.String()), "STORED\r\n")
		c.Ask(fmt.Sprintf("rpush list%d%s\r\n", i, words.String()), "STORED\r\n")
		for n := range 100 {
			c.Ask(fmt.Sprintf("hset table%d field%d 0 0 1\r\nx\r\n", i, n), "STORED\r\n")
			c.Ask(fmt.Sprintf("zadd ranking%d %d member%d\r\n", i, n, n), "STORED\r\n")
			c.Ask(fmt.Sprintf("taskput queue%d task%d 0 0 1\r\nx\r\n", i, n), "STORED\r\n")
		}
		c.Ask(fmt.Sprintf("lock lock%d token 1000\r\n", i), "STORED\r\n")
		c.Ask(fmt.Sprintf("logput log%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
	for range 3 { // overflows the item of the chunk
		c.Ask(fmt.Sprintf("logput long 0 0 %d\r\n%s\r\n", len(long), long), "STORED\r\n")
	}
}

// With tags and prefixes, the layout is verified that has them.
func TestVerifyTagsAndPrefixes(t *testing.T) {
	t.Parallel()
	_, upstream := poolOf(t, harness.Newest, 3)
	flags := []string{"--upstream", upstream, "--hash-tag", "{}", "--unhashed-prefix", "app:"}
	c := harness.Dial(t, harness.StartMemverbs(t, append(flags, "--layout", "libmemcached")...).Addr)
	for i := range 200 {
		c.Ask(fmt.Sprintf("set app:{%d}x%d 0 0 1\r\nx\r\n", i, i), "STORED\r\n")
		c.Ask(fmt.Sprintf("set app:%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
	verified(t, 0, []string{`\n400 of 400 keys are where libmemcached looks for them`}, append(flags, "--guess")...)
	verified(t, 1, []string{`--unhashed-prefix, --hash-tag`}, "--upstream", upstream, "--guess")
}

// A key on the wrong server is shown with what is odd in it quoted, and where it is and belongs.
func TestVerifyShowsKeysThatAreElsewhere(t *testing.T) {
	t.Parallel()
	addrs, upstream := poolOf(t, harness.Versions[0], 2)
	flags := []string{"--upstream", upstream, "--layout", "gomemcache"}
	c := harness.Dial(t, harness.StartMemverbs(t, flags...).Addr)
	for i := range 100 {
		c.Ask(fmt.Sprintf("set k%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
	_, place, _ := strings.Cut(pipe(t, []string{"odd\x1b[2J"}, flags...)[0], "\t")
	other := addrs[0]
	if place == other {
		other = addrs[1]
	}
	harness.Dial(t, other).Ask("ms "+base64.StdEncoding.EncodeToString([]byte("odd\x1b[2J"))+" 1 b\r\nx\r\n", "HD\r\n")
	verified(t, 1, []string{
		`\n100 of 101 keys are where this layout looks for them\.\n`,
		`\n1 is elsewhere, such as\n  "odd\\x1b\[2J": it is on ` + other + `, and looked for on ` + place + ` \(last used `,
		`Probably the layout is right`,
	}, flags...)
}

// A server that does not send its keys is named with the reason, and the others are asked all the
// same.
func TestVerifyWithoutSomeServers(t *testing.T) {
	t.Parallel()
	addrs, upstream := poolOf(t, harness.Newest, 1)
	c := harness.Dial(t, addrs[0])
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprint("k", i))
	}
	down := harness.StartMemcached(t, harness.Newest)
	down.Kill(t)
	frozen := harness.StartMemcached(t, harness.Newest)
	frozen.Freeze(t)
	crawlerless := harness.StartMemcached(t, harness.Newest, "-o", "no_lru_crawler")
	proxy := harness.StartMemverbs(t)
	upstream = strings.Join([]string{upstream, down.Addr, frozen.Addr, crawlerless.Addr, proxy.Addr}, ",")
	stored := 0
	for _, line := range pipe(t, keys, "--upstream", upstream) {
		if key, place, _ := strings.Cut(line, "\t"); place == addrs[0] {
			c.Ask("set "+key+" 0 0 1\r\nx\r\n", "STORED\r\n")
			stored++
		}
	}
	verified(t, 2, []string{
		fmt.Sprintf(` %d +%d  %s\n`, stored, stored, addrs[0]),
		` 0 +0  ` + down.Addr + `: connection refused\n`,
		` 0 +0  ` + frozen.Addr + `: it took too long; --timeout gives it more time\n`,
		` 0 +0  ` + crawlerless.Addr + `: it answered "CLIENT_ERROR lru crawler disabled" to lru_crawler metadump\n`,
		` 0 +0  ` + proxy.Addr + `: it answered "CLIENT_ERROR this command administers a single memcached`,
		fmt.Sprintf(`\n%d of %d keys are where this layout looks for them`, stored, stored),
		`\nmemverbs: not all servers have sent their keys\n`,
	}, "--upstream", upstream, "--timeout", "5s")
}

// Only one crawl of a memcached's items can be in progress. memcached says so, or waits for it
// to end.
func TestVerifyBusyServer(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			addrs, upstream := poolOf(t, version, 1)
			c := harness.Dial(t, addrs[0])
			var b strings.Builder
			for i := range 100_000 { // of which more is told than fits into the buffers of a socket
				fmt.Fprintf(&b, "set %s%d 0 0 1 noreply\r\nx\r\n", strings.Repeat("k", 200), i)
			}
			c.Send(b.String())
			c.InStep()
			harness.Await(t, "a crawl", func() bool { // memcached refuses it while its own one begins or ends
				c = harness.Dial(t, addrs[0])
				c.Send("lru_crawler metadump hash\r\n")
				first := c.Line()
				if first == "OK" { // newer versions begin with it
					first = c.Line()
				}
				return strings.HasPrefix(first, "key=")
			})
			verified(t, 2, []string{`it is busy with another crawl of its items|it took too long`}, "--upstream", upstream, "--timeout", "5s")
			c.Close()
			for range 3 { // each breaks the list off, and leaves the memcached well
				verified(t, 0, []string{`\n10 000 of 10 000 keys are where this layout looks for them\.\nWith one server`}, "--upstream", upstream)
				for range 10 { // on all of its threads
					harness.Dial(t, addrs[0]).Ask("set k 0 0 1\r\nx\r\nget k\r\n", "STORED\r\nVALUE k 0 1\r\nx\r\nEND\r\n")
				}
			}
		})
	}
}

func TestVerifyEmptyPool(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		_, upstream := poolOf(t, version, 2)
		for _, flags := range [][]string{{"--guess"}, {"--layout", "jump"}} {
			verified(t, 2, []string{`memverbs: no server has sent a key`}, append(flags, "--upstream", upstream)...)
		}
	}
}

// A server may be reached by a unix socket. Layouts that can't have one are named with the reason.
func TestVerifyUnixSocket(t *testing.T) {
	t.Parallel()
	addrs, _ := poolOf(t, harness.Newest, 2)
	socket := filepath.Join(t.TempDir(), "s")
	behindSocket(t, socket, addrs[0])
	upstream := "unix:" + socket + "," + addrs[1]
	c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", upstream, "--layout", "rendezvous").Addr)
	for i := range 200 {
		c.Ask(fmt.Sprintf("set k%d 0 0 1\r\nx\r\n", i), "STORED\r\n")
	}
	verified(t, 0, []string{
		`\n200 of 200 keys are where rendezvous looks for them`,
		`\nnode-memcached was not tried: .*` + regexp.QuoteMeta(socket),
	}, "--upstream", upstream, "--guess")
}

// behindSocket passes connections to a unix socket on to a server.
func behindSocket(t *testing.T, socket, addr string) {
	t.Helper()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			front, err := listener.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("tcp", addr)
			if err != nil {
				front.Close()
				continue
			}
			go func() { io.Copy(back, front); back.Close() }()
			go func() { io.Copy(front, back); front.Close() }()
		}
	}()
}

func TestVerifyWrongFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		flags string
		says  []string
	}{
		{"", []string{"--upstream", "a server is needed"}},
		{"--upstream=", []string{"--upstream", "at least one server"}},
		{"--upstream a key", []string{`"key"`, "--help"}},
		{"--upstream a --guess --layout jump", []string{"--guess", "leave out --layout"}},
		{"--upstream a --sample 0", []string{"--sample"}},
		{"--upstream a --timeout 0s", []string{"--timeout"}},
		{"--upstream a --connect-timeout -1s", []string{"--connect-timeout"}},
		{"--upstream a --listen b", []string{"--listen", "--help"}},
		{"--upstream a --layout nonsense", []string{"--layout", "nonsense"}},
		{"--upstream a --hash-tag x --guess", []string{"--hash-tag"}},
		{"--upstream a,a --guess", []string{"--upstream", "twice"}},
		{"--upstream a:1:2,b:1 --layout jump", []string{"--upstream", "a:1", "weight 2", "jump"}},
	} {
		checkRefusal(t, append([]string{"verify"}, strings.Fields(test.flags)...), test.says)
	}
}
