package operation

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// formerly is two processes, one of which has not restarted for long, whose servers have changed from one to two.
type formerly struct {
	stores   []*harness.Memcached
	one, two *settling
}

// startFormerly starts two processes with the first of two servers.
func startFormerly(t *testing.T) *formerly {
	t.Helper()
	return startFormerlyWith(t, "1s")
}

// startFormerlyWith is startFormerly with a time to settle, and further settings.
func startFormerlyWith(t *testing.T, settle string) *formerly {
	t.Helper()
	f := &formerly{stores: []*harness.Memcached{harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)}}
	f.one, f.two = startSettling(t, f.stores, 1, settle), startSettling(t, f.stores, 1, settle)
	return f
}

// change has both processes use both servers, and returns when they have settled.
func (f *formerly) change(t *testing.T) {
	t.Helper()
	f.one.change(t, 2)
	f.two.change(t, 2)
	moved := f.keys(t, "moved", 1)[0]
	awaitSettled(t, harness.Dial(t, f.one.Addr), moved)
	awaitSettled(t, harness.Dial(t, f.two.Addr), moved)
}

// keys returns n keys that the second server takes over.
func (f *formerly) keys(t *testing.T, prefix string, n int) (keys []string) {
	t.Helper()
	layout := harness.LayoutOf(t, f.one.list(2))
	for i := 0; len(keys) < n; i++ {
		if key := fmt.Sprint(prefix, i); layout.Locate([]byte(key)) == 1 {
			keys = append(keys, key)
		}
	}
	return keys
}

// both returns clients of both processes, so many of each.
func (f *formerly) both(t *testing.T, each int) (clients []*harness.Client) {
	t.Helper()
	for range each {
		clients = append(clients, harness.Dial(t, f.one.Addr), harness.Dial(t, f.two.Addr))
	}
	return clients
}

// at reports at which servers an item is.
func (f *formerly) at(t *testing.T, direct []*harness.Client, key string) (at []int) {
	t.Helper()
	for i, c := range direct {
		c.Send("mg " + key + "\r\n")
		if c.Line() == "HD" {
			at = append(at, i)
		}
	}
	return at
}

// direct returns a client of each server.
func (f *formerly) direct(t *testing.T) (clients []*harness.Client) {
	t.Helper()
	for _, store := range f.stores {
		clients = append(clients, harness.Dial(t, store.Addr))
	}
	return clients
}

// makingVerbs are verbs that make a structure if there is none, with %[1]s for the key and %[2]s for what is added, and how the
// structure is read.
var makingVerbs = []struct{ name, makes, answer, reads string }{
	{"sadd", "sadd %[1]s %[2]s", "STORED", "smembers %s"},
	{"saddnew", "saddnew %[1]s %[2]s", "1", "smembers %s"},
	{"rpush", "rpush %[1]s %[2]s", "STORED", "lrange %s 0 -1"},
	{"rput", "rput %[1]s 0 6\r\n%[2]s", "STORED", "lrange %s 0 -1"},
	{"zadd", "zadd %[1]s 1 %[2]s", "STORED", "zrange %s 0 -1"},
	{"zincrby", "zincrby %[1]s 1 %[2]s", "1", "zrange %s 0 -1"},
	{"hset", "hset %[1]s %[2]s 0 0 1\r\nv", "STORED", "hkeys %s"},
	{"hadd", "hadd %[1]s %[2]s 0 0 1\r\nv", "STORED", "hkeys %s"},
	{"hincr", "hincr %[1]s %[2]s 1 1", "1", "hkeys %s"},
	{"taskput", "taskput %[1]s %[2]s 0 0 1\r\nv", "STORED", "tasklist %s - +"},
	{"taskadd", "taskadd %[1]s %[2]s 0 0 1\r\nv", "STORED", "tasklist %s - +"},
}

// While clients of two processes add to structures on keys that have moved, and delete them, no structure comes to be at the former
// and at the new server: whoever has found it at the former one when it is deleted makes it anew at the new one. What is added
// when it has been deleted is there.
func TestNothingIsMadeAtAFormerPlace(t *testing.T) {
	t.Parallel()
	for _, verb := range makingVerbs {
		t.Run(verb.name, func(t *testing.T) {
			t.Parallel()
			f := startFormerly(t)
			keys := f.keys(t, "key", 150)
			c := harness.Dial(t, f.one.Addr)
			for _, key := range keys {
				c.Ask(fmt.Sprintf(verb.makes+"\r\n", key, "first."), verb.answer+"\r\n")
			}
			f.change(t)
			adders, deleters := f.both(t, 12), f.both(t, 1)
			direct := f.direct(t)
			for _, key := range keys {
				f.race(t, adders, deleters, verb.makes, verb.answer, key)
				c.Send(fmt.Sprintf(verb.reads+"\r\n", key))
				read := c.Until("END")
				for i := range adders {
					if last := fmt.Sprintf("last%02d", i); !strings.Contains(read, last) {
						t.Errorf("%s has not what was added last, %s: %q", key, last, read)
					}
				}
				if at := f.at(t, direct, key); len(at) != 1 || at[0] != 1 {
					t.Errorf("%s is at the servers %v", key, at)
				}
			}
			c.InStep()
		})
	}
}

// unknownEffect begins the answer to a change whose structure was deleted while it was made.
const unknownEffect = "SERVER_ERROR it is unknown "

// race has all adders add to a structure while it is deleted by all deleters, and then something that is to stay.
func (f *formerly) race(t *testing.T, adders, deleters []*harness.Client, makes, answer, key string) {
	t.Helper()
	var adding, deleting sync.WaitGroup
	var deleted atomic.Bool
	for i, c := range adders {
		adding.Go(func() {
			for n := 0; ; n++ {
				member, last := fmt.Sprintf("m%02d%03d", i, n), deleted.Load()
				if last {
					member = fmt.Sprintf("last%02d", i)
				}
				c.Send(fmt.Sprintf(makes+"\r\n", key, member))
				line, err := c.ReadLine()
				switch {
				case err == nil && strings.TrimSpace(line) == answer:
					if last {
						return
					}
				case err == nil && strings.HasPrefix(line, unknownEffect):
				default:
					t.Errorf("%s was answered by %q (%v)", fmt.Sprintf(makes, key, member), line, err)
					return
				}
			}
		})
	}
	for _, c := range deleters {
		deleting.Go(func() {
			c.Send("delete " + key + "\r\n")
			_, _ = c.ReadLine()
		})
	}
	deleting.Wait()
	deleted.Store(true)
	adding.Wait()
}

// Clients of two processes take and release locks on keys that have moved and that were held at the former server, for one holder and for
// three. Never do more hold one than may, and each can be taken in the end, at the new server.
func TestLocksMoveWhenTheyAreReleased(t *testing.T) {
	t.Parallel()
	for _, holders := range []int{1, 3} {
		t.Run(fmt.Sprint(holders), func(t *testing.T) {
			t.Parallel()
			f := startFormerly(t)
			keys := f.keys(t, "lock", 100)
			c := harness.Dial(t, f.one.Addr)
			lock := func(key, token string) string {
				if holders == 1 {
					return "lock " + key + " " + token + " 3600\r\n"
				}
				return fmt.Sprintf("lock %s %s 3600 %d\r\n", key, token, holders)
			}
			for _, key := range keys {
				for i := range holders {
					c.Ask(lock(key, fmt.Sprint("first", i)), "STORED\r\n")
				}
			}
			f.change(t)
			d := harness.Dial(t, f.two.Addr)
			clients, direct := f.both(t, 4), f.direct(t)
			for _, key := range keys {
				var taking sync.WaitGroup
				var holding, taken atomic.Int64
				var over atomic.Bool
				holding.Store(int64(holders))
				for i, c := range clients {
					taking.Go(func() {
						for n := 0; !over.Load(); n++ {
							token := fmt.Sprintf("t%d.%d", i, n)
							c.Send(lock(key, token))
							line, err := c.ReadLine()
							switch line {
							case "NOT_STORED\r\n":
								continue
							case "STORED\r\n":
							default:
								t.Errorf("lock %s was answered by %q (%v)", key, line, err)
								return
							}
							if n := holding.Add(1); n > int64(holders) {
								t.Errorf("%s has %d holders", key, n)
							}
							taken.Add(1)
							holding.Add(-1)
							c.Send("unlock " + key + " " + token + "\r\n")
							if line, err := c.ReadLine(); line != "DELETED\r\n" {
								t.Errorf("unlock %s was answered by %q (%v)", key, line, err)
								return
							}
						}
					})
				}
				for i := range holders {
					holding.Add(-1)
					d.Ask(fmt.Sprintf("unlock %s first%d\r\n", key, i), "DELETED\r\n")
				}
				harness.Await(t, "the lock to be taken", func() bool { return taken.Load() >= 3 })
				over.Store(true)
				taking.Wait()
				c.Ask(lock(key, "last"), "STORED\r\n")
				d.Ask(lock(key, "last"), "STORED\r\n")
				for place := range holders {
					item := key
					if place > 0 {
						item = fmt.Sprintf("%s:place:%d", key, place+1)
					}
					if at := f.at(t, direct, item); len(at) > 1 || len(at) == 1 && at[0] == 0 {
						t.Errorf("%s is at the servers %v", item, at)
					}
				}
			}
			c.InStep()
		})
	}
}

// While a holder of a lock with several is left at the former server, nobody else is let in, whatever the number of holders asked for.
func TestLastHolderAtAFormerPlace(t *testing.T) {
	t.Parallel()
	f := startFormerly(t)
	key := f.keys(t, "lock", 1)[0]
	c := harness.Dial(t, f.one.Addr)
	c.Ask("lock "+key+" one 3600 2\r\nlock "+key+" two 3600 2\r\n", "STORED\r\nSTORED\r\n")
	f.change(t)
	former := harness.Dial(t, f.stores[0].Addr)
	former.Ask("delete "+key+"\r\n", "DELETED\r\n") // its first place
	for _, c := range f.both(t, 1) {
		c.Ask("lock "+key+" three 3600\r\nlock "+key+" three 3600 2\r\nlock "+key+" three 3600 3\r\n", "NOT_STORED\r\nNOT_STORED\r\nNOT_STORED\r\n")
	}
	former.Ask("delete "+key+":place:2\r\n", "DELETED\r\n")
	c.Ask("lock "+key+" three 3600\r\n", "STORED\r\n")
	onlyAt(t, f.stores, 1, key)
}

// A verb on several sets finds one that has remained at its former server beside one in a namespace, which that verb reads under its
// generation.
func TestFormerPlaceBesideANamespace(t *testing.T) {
	t.Parallel()
	stores := []*harness.Memcached{harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)}
	m := startSettling(t, stores, 1, "1s\n    namespaces: [\"ns:\"]")
	moves, stays := m.key(t, 1, 0, 2, 1, "set"), m.key(t, 1, 0, 2, 0, "ns:")
	c := harness.Dial(t, m.Addr)
	c.Ask("sadd "+moves+" a\r\nsadd "+stays+" b\r\n", "STORED\r\nSTORED\r\n")
	m.change(t, 2)
	awaitSettled(t, c, moves)
	for range 2 {
		c.Ask("sunion "+moves+" "+stays+"\r\nsunion "+stays+" "+moves+"\r\n", "VALUE "+moves+" 0 3\r\na b\r\nEND\r\nVALUE "+stays+" 0 3\r\nb a\r\nEND\r\n")
		c.Ask("nsflush ns:\r\nsunion "+stays+" "+moves+"\r\n", "OK\r\nVALUE "+stays+" 0 1\r\na\r\nEND\r\n")
		c.Ask("sadd "+stays+" b\r\n", "STORED\r\n")
	}
	c.InStep()
}

// When a server gets another weight, structures whose keys it loses remain there, and are found there.
func TestStructuresOfServerWithAnotherWeight(t *testing.T) {
	t.Parallel()
	stores := []*harness.Memcached{harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)}
	s := &settling{stores: stores, file: filepath.Join(t.TempDir(), "memverbs.yml"), addr: harness.FreeAddr(t), settle: "1s"}
	text := fmt.Sprintf("pools:\n  main:\n    listen: [%q]\n    settle: 1s\n    servers: [%q, %q]\n", s.addr, stores[0].Addr, stores[1].Addr+":4")
	writeText(t, s.file, text)
	s.Memverbs = harness.StartMemverbsWith(t, s.file, s.addr)
	c := harness.Dial(t, s.Addr)
	const sets = 100
	for i := range sets {
		c.Ask(fmt.Sprintf("sadd s%d a b\r\n", i), "STORED\r\n")
	}
	writeText(t, s.file, strings.Replace(text, ":4\"", ":1\"", 1))
	if err := syscall.Kill(s.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "the reload", func() bool { return strings.Contains(s.Log(), "msg=reloaded") })
	for i := range sets {
		awaitAnswer(t, c, fmt.Sprintf("scard s%d\r\n", i), "2\r\n")
	}
	c.Ask("sadd s0 c\r\nscard s0\r\n", "STORED\r\n3\r\n")
}
