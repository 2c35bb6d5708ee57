package plain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// versioned are structures that have a version: how it is set, and how it is asked for.
var versioned = map[string]struct {
	set   func(n int64) string
	reads []versionRequest
}{
	"ranking": {
		func(n int64) string { return fmt.Sprintf("zadd hot:z %d v 0 w", n) },
		[]versionRequest{{"zget hot:z v", 0, false}, {"zrevrange hot:z 0 1 withscores", 1, true}, {"zrange hot:z 1 -1 withscores", 1, true}},
	},
	"set": {
		func(n int64) string { return fmt.Sprintf("schange hot:s -%d +%d", n-1, n) },
		[]versionRequest{{"smembers hot:s", 1, true}, {"sunion hot:s hot:s", 1, true}},
	},
	"list": {
		func(n int64) string { return fmt.Sprintf("rpush hot:l 0 %d", n) },
		[]versionRequest{{"lrange hot:l -1 -1", 1, true}},
	},
}

// What another process has changed in a structure is never hidden for longer than the setting says, though most reads ask no
// server.
func TestNearStructuresAreNeverOlder(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.38")
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--near", "hot:="+nearLasts.String(), "--loops", "2")
	other := harness.Dial(t, harness.StartMemverbs(t, "--upstream", m.Addr).Addr)
	for name, kind := range versioned {
		v, done := &versions{}, make(chan struct{})
		set := func(n int64) {
			other.Ask(kind.set(n)+"\r\n", "STORED\r\n")
			v.stored(n)
		}
		set(0)
		seen, wait := readVersions(t, p.Addr, kind.reads, v, done, func(n, _ int64, asked time.Time) {
			if next := v.at[n+1].Load(); next > 0 && asked.UnixNano()-next > int64(nearLasts) {
				t.Errorf("%s: version %d was shown to a client that asked %v after the next one was stored", name, n, time.Duration(asked.UnixNano()-next))
			}
		})
		hits := p.OwnStats()["near_hits"]
		for n := int64(1); n <= 15; n++ {
			set(n)
			harness.Await(t, "all clients to see a version of the "+name, func() bool { return seen() >= n || t.Failed() })
		}
		close(done)
		wait()
		if p.OwnStats()["near_hits"] == hits {
			t.Errorf("%s: all reads have asked the server", name)
		}
	}
}

// What a client of the proxy has changed in a structure, every client sees at once, through every event loop.
func TestOwnChangesOfNearStructures(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		for name, kind := range versioned {
			v, done := &versions{}, make(chan struct{})
			var writers []*harness.Client
			for range 4 {
				writers = append(writers, harness.Dial(t, s.Addr))
			}
			set := func(n int64) {
				if w := writers[n%4]; n%3 == 0 { // with the answer to the same client's read
					w.Send(kind.set(n) + " noreply\r\n")
					if now, err := kind.reads[0].of(w); err != nil || now != n {
						t.Errorf("%s: its own client sees version %d, not %d: %v", name, now, n, err)
					}
				} else {
					w.Ask(kind.set(n)+"\r\n", "STORED\r\n")
				}
				v.stored(n)
			}
			set(0)
			seen, wait := readVersions(t, s.Addr, kind.reads, v, done, func(n, before int64, _ time.Time) {
				if n < before {
					t.Errorf("%s: version %d was shown to a client that asked after version %d was stored", name, n, before)
				}
			})
			for n := int64(1); n <= 150 && !t.Failed(); n++ {
				set(n)
				if n%50 == 0 {
					harness.Await(t, "all clients to see a version of the "+name, func() bool { return seen() >= n || t.Failed() })
				}
			}
			close(done)
			wait()
		}
		if hits := s.Memverbs.OwnStats()["near_hits"]; hits == "0" {
			t.Error("all reads have asked the server")
		}
	}, "--near", "hot:=1h", "--loops", "2")
}

// The prefix is that of the key as it is stored, also where the key is that of a verb, or a route strips a part of it; and
// a flush, or a plain command on the key of a structure, is a change like others.
func TestNearStructuresOfOtherKeys(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--near", "hot:=1h", "--verb-keys", "verb/")
	c := harness.Dial(t, p.Addr)
	asks := func(what string, some bool, requests string, answers string) {
		t.Helper()
		before := p.OwnStats()["verb_operations"]
		c.Ask(strings.ReplaceAll(requests, "|", "\r\n")+"\r\n", strings.ReplaceAll(answers, "|", "\r\n")+"\r\n")
		if n := harness.Difference(p.OwnStats()["verb_operations"], before); n > 0 != some {
			t.Errorf("%s: the server was asked %d times", what, n)
		}
	}
	asks("a set that is made", true, "sadd hot:s a|scard hot:s|scard hot:s|scard hot:s", "STORED|1|1|1")
	asks("a set that is known", false, "smembers hot:s|sismember hot:s a", "VALUE hot:s 0 1|a|END|1")
	asks("the key of a verb", false, "get verb/smembers/hot:s", "VALUE verb/smembers/hot:s 0 1|a|END")
	asks("a meta get, which may tell the time to live", true, "mg verb/smembers/hot:s v t", "VA 1 t-1|a")
	asks("a change by the key of a verb", true, "set verb/sadd/hot:s 0 0 1|b|scard hot:s", "STORED|2")
	asks("a table", true, "hset hot:t f 0 0 1|x|hlen hot:t|hlen hot:t", "STORED|1|1")
	asks("a set that is known again", false, "scard hot:s", "2")
	asks("the deletion of its item", true, "delete hot:s|scard hot:s", "DELETED|NOT_FOUND")
	asks("a set that was made again", true, "sadd hot:s c|scard hot:s|scard hot:s|scard hot:s", "STORED|1|1|1")
	asks("and is known", false, "scard hot:s", "1")
	asks("a flush", true, "flush_all|scard hot:s", "OK|NOT_FOUND")
}

// What a client asks for behind a call that waits, it is told as it is when that call has ended, not as it was known before.
func TestNearBehindWaitingCalls(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Newest)
	p := harness.StartMemverbs(t, "--upstream", m.Addr, "--near", "hot:=1h", "--loops", "1")
	worker, other := harness.Dial(t, p.Addr), harness.Dial(t, p.Addr)
	other.Ask("sadd hot:s a\r\nset hot:k 0 0 1\r\n1\r\n", "STORED\r\nSTORED\r\n")
	for range 3 {
		other.Ask("sismember hot:s b\r\nget hot:k\r\n", "0\r\nVALUE hot:k 0 1\r\n1\r\nEND\r\n")
	}
	worker.Send("lpop jobs wait 60000\r\nsismember hot:s b\r\nget hot:k\r\n")
	harness.Await(t, "the worker to wait", func() bool { return p.OwnStats()["verbs_waiting"] == "1" })
	other.Ask("sadd hot:s b\r\nset hot:k 0 0 1\r\n2\r\nrpush jobs x\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	worker.Expect("VALUE jobs 0 1\r\nx\r\nEND\r\n1\r\nVALUE hot:k 0 1\r\n2\r\nEND\r\n")
}
