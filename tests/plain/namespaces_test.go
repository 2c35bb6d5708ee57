package plain

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Clients of two proxies read, store and flush keys of one namespace at once, and none reads what was stored before a flush that had
// ended before it asked.
func TestNothingFlushedComesBack(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--timeout", "20s", "--namespaces", "user:", "--loops", "2", "--upstream", harness.StartMemcached(t, version).Addr, "--upstream", harness.StartMemcached(t, version).Addr}
			proxies := [2]string{harness.StartMemverbs(t, flags...).Addr, harness.StartMemverbs(t, flags...).Addr}
			const keys, rounds = 4, 100
			var flushed [keys]atomic.Int64 // the last version of each key that was stored before a flush that has ended
			var writing, reading sync.WaitGroup
			done := make(chan struct{})
			for i := range keys {
				w, f := harness.Dial(t, proxies[i%2]), harness.Dial(t, proxies[i/2])
				writing.Go(func() {
					for n := int64(1); n <= rounds && !t.Failed(); n++ {
						text := fmt.Sprint(n)
						request := fmt.Sprintf("set user:%d 0 0 %d\r\n%s\r\nzadd user:z%d %s v\r\n", i, len(text), text, i, text)
						for stored := 0; stored < 2; {
							w.Send(request)
							stored = 0
							for range 2 {
								if line := w.Line(); line == "STORED" {
									stored++
								} else if line != flushedAgain {
									t.Errorf("%q is answered with %q", request, line)
									return
								}
							}
						}
						f.Ask("nsflush user:\r\n", "OK\r\n")
						flushed[i].Store(n)
					}
				})
				for _, addr := range proxies {
					r := harness.Dial(t, addr)
					reading.Go(func() { readFlushed(t, r, i, &flushed[i], done) })
				}
			}
			writing.Wait()
			close(done)
			reading.Wait()
		})
	}
}

// flushedAgain answers a request that was sent many times, each under a generation that was not in place any more.
const flushedAgain = "SERVER_ERROR the namespace is flushed again and again; try again"

// readFlushed asks for a key until done is closed. What it is told must be newer than what was flushed before.
func readFlushed(t *testing.T, c *harness.Client, key int, flushed *atomic.Int64, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		before := flushed.Load()
		c.Send(fmt.Sprintf("get user:%d\r\nzget user:z%d v\r\n", key, key))
		var versions []string
		switch line := c.Line(); {
		case strings.HasPrefix(line, "VALUE "):
			versions = append(versions, c.Line())
			c.Expect("END\r\n")
		case line != "END" && line != flushedAgain:
			versions = append(versions, line)
		}
		if line := c.Line(); line != "NOT_FOUND" && line != flushedAgain {
			versions = append(versions, line)
		}
		for _, version := range versions {
			if n, err := strconv.ParseInt(version, 10, 64); err != nil || n <= before {
				t.Errorf("version %s was shown to a client that asked after version %d had been flushed", version, before)
				return
			}
		}
	}
}

// A value of any size comes as it was stored, though it is not forwarded before all of it is there.
func TestLargeValuesInNamespaces(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		for i, size := range []int{1000, 1100, 16_300, 65_500, 65_536, 131_071, 900_000} {
			value := harness.Numbered(size)
			c.Ask(fmt.Sprintf("set user:%d 7 0 %d\r\n%s\r\n", i, size, value), "STORED\r\n")
			hit := fmt.Sprintf("VALUE user:%d 7 %d\r\n%s\r\n", i, size, value)
			first := fmt.Sprintf("VALUE user:0 7 1000\r\n%s\r\n", harness.Numbered(1000))
			c.Ask(fmt.Sprintf("get user:%d\r\nmg user:%d v f\r\nget user:none\r\nget user:%d user:0\r\ngat 0 user:%d\r\n", i, i, i, i),
				fmt.Sprintf("%sEND\r\nVA %d f7\r\n%s\r\nEND\r\n%s%sEND\r\n%sEND\r\n", hit, size, value, hit, first, hit))
		}
		c.InStep()
	}, "--timeout", "20s", "--namespaces", "user:")
}

// A value that is larger than all memory for requests is refused, where a plain get forwards it as it arrives.
func TestTooLargeValuesInNamespaces(t *testing.T) {
	t.Parallel()
	server := harness.StartMemcached(t, harness.Newest, "-I", "64m", "-m", "1024")
	flags := []string{"--upstream", server.Addr, "--namespaces", "user:", "--max-item-size", "64MB", "--timeout", "20s"}
	value := harness.Numbered(50_000_000)
	w := harness.Dial(t, harness.StartMemverbs(t, flags...).Addr)
	w.Ask(fmt.Sprintf("set user:large 0 0 %d\r\n%s\r\n", len(value), value), "STORED\r\n")
	r := harness.Dial(t, harness.StartMemverbs(t, append(flags, "--buffer-memory", "32MB")...).Addr)
	for _, get := range []string{"get user:large", "mg user:large v"} {
		r.Ask(get+"\r\n", "SERVER_ERROR out of memory writing get response\r\n")
	}
	r.InStep()
}

// A call that waits for a structure in a namespace gets what is added after a flush, through its own proxy or through another one.
func TestFlushWhileACallWaits(t *testing.T) {
	t.Parallel()
	flags := []string{"--namespaces", "user:", "--verb-keys", "verb/", "--upstream", harness.StartMemcached(t, harness.Newest).Addr, "--upstream", harness.StartMemcached(t, harness.Versions[0]).Addr}
	m := harness.StartMemverbs(t, flags...)
	for _, other := range []string{m.Addr, harness.StartMemverbs(t, flags...).Addr} {
		c, waits := harness.Dial(t, other), harness.Dial(t, m.Addr)
		c.Ask("rpush user:q old\r\nlpop user:q\r\n", "STORED\r\nVALUE user:q 0 3\r\nold\r\nEND\r\n")
		for _, wait := range []string{"lpop user:q wait 60000", "get verb/lpop/user:q/wait/60000"} {
			waits.Send(wait + "\r\n")
			harness.Await(t, "the call to wait", func() bool { return m.OwnStats()["verbs_waiting"] == "1" })
			c.Ask("nsflush user:\r\nrpush user:q new\r\n", "OK\r\nSTORED\r\n")
			if line := waits.Line(); !strings.HasSuffix(line, "user:q 0 3") && !strings.HasSuffix(line, "/wait/60000 0 3") {
				t.Fatalf("%q is answered with %q", wait, line)
			}
			waits.Expect("new\r\nEND\r\n")
		}
	}
}

// A client whose verb is refused for its size goes on, told or not, though the generation was unknown when the verb began.
func TestTooLargeVerbsInNamespaces(t *testing.T) {
	t.Parallel()
	m := harness.StartMemverbs(t, "--timeout", "20s", "--buffer-memory", "32MB", "--max-item-size", "16MB", "--namespaces", "user:", "--upstream", harness.StartMemcached(t, harness.Newest).Addr)
	c := harness.Dial(t, m.Addr)
	data := harness.Numbered(8_000_000)
	c.Ask(fmt.Sprintf("rput user:k 0 %d noreply\r\n%s\r\nget other\r\n", len(data), data), "END\r\n")
	c.Send(fmt.Sprintf("rput user:k 0 %d\r\n%s\r\n", len(data), data))
	if line := c.Line(); !strings.Contains(line, "raise --buffer-memory") {
		t.Fatalf("the verb is answered with %q", line)
	}
	c.InStep()
}

// One get asks for keys of several namespaces, and of none, on several servers.
func TestGetsOfManyNamespaces(t *testing.T) {
	t.Parallel()
	flags := []string{"--namespaces", "user:,shop/*/"}
	for _, version := range harness.Versions {
		flags = append(flags, "--upstream", harness.StartMemcached(t, version).Addr)
	}
	m := harness.StartMemverbs(t, flags...)
	c := harness.Dial(t, m.Addr)
	var keys, sets []string
	for i := range 40 {
		for _, family := range []string{"user:", "shop/a/", fmt.Sprintf("shop/%d/", i), "other"} {
			key := family + fmt.Sprint(i)
			keys = append(keys, key)
			sets = append(sets, fmt.Sprintf("set %s 0 0 %d noreply\r\n%s\r\n", key, len(key), key))
		}
	}
	show := func(unless string) string {
		var b strings.Builder
		for _, key := range keys {
			if unless == "" || !strings.HasPrefix(key, unless) {
				fmt.Fprintf(&b, "VALUE %s 0 %d\r\n%s\r\n", key, len(key), key)
			}
		}
		return b.String() + "END\r\n"
	}
	get := "get " + strings.Join(keys, " ") + "\r\n"
	c.Ask(strings.Join(sets, "")+get, show(""))
	c.Ask(get+"nsflush shop/a/\r\n"+get, show("")+"OK\r\n"+show("shop/a/"))
	harness.Dial(t, m.Addr).Ask(get, show("shop/a/"))
	c.InStep()
}
