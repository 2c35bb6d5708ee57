package operation

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// settling is memverbs with the first servers of a list, whose number changes by reloads.
type settling struct {
	*harness.Memverbs
	stores  []*harness.Memcached
	file    string
	addr    string
	settle  string
	servers int
	reloads int
}

// startSettling starts memverbs with the first n of the servers.
func startSettling(t *testing.T, stores []*harness.Memcached, n int, settle string) *settling {
	t.Helper()
	s := &settling{stores: stores, file: filepath.Join(t.TempDir(), "memverbs.yml"), addr: harness.FreeAddr(t), settle: settle}
	s.write(t, n)
	s.Memverbs = harness.StartMemverbsWith(t, s.file, s.addr)
	return s
}

func (s *settling) write(t *testing.T, n int) {
	t.Helper()
	s.servers = n
	writeText(t, s.file, fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [%s]\n    settle: %s\n", s.addr, strings.Join(s.list(n), ", "), s.settle))
}

func (s *settling) list(n int) (list []string) {
	for _, store := range s.stores[:n] {
		list = append(list, store.Addr)
	}
	return list
}

// change makes it use the first n servers.
func (s *settling) change(t *testing.T, n int) {
	t.Helper()
	s.write(t, n)
	s.reloads++
	if err := syscall.Kill(s.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	harness.Await(t, "the reload", func() bool { return strings.Count(s.Log(), "msg=reloaded") >= s.reloads })
}

// key returns a key that is on one server of n, and on another, or the same, of m.
func (s *settling) key(t *testing.T, n, on, m, later int, prefix string) string {
	t.Helper()
	before, after := harness.LayoutOf(t, s.list(n)), harness.LayoutOf(t, s.list(m))
	return keyWhere(t, prefix, func(key []byte) bool { return before.Locate(key) == on && after.Locate(key) == later })
}

func keyWhere(t *testing.T, prefix string, is func(key []byte) bool) string {
	t.Helper()
	for i := range 100000 {
		if key := fmt.Sprintf("%s%d", prefix, i); is([]byte(key)) {
			return key
		}
	}
	t.Fatal("there is no such key")
	return ""
}

const refusedBySettle = "SERVER_ERROR the servers of the pool have changed: verbs on this key are refused until all proxies know, in about "

// awaitSettled waits until a verb on a key that has moved is not refused any more.
func awaitSettled(t *testing.T, c *harness.Client, key string) {
	t.Helper()
	harness.Await(t, "the change to be settled", func() bool {
		c.Send("scard " + key + "\r\n")
		return !strings.HasPrefix(c.Line(), refusedBySettle)
	})
}

// onlyAt checks that of some servers only one has an item.
func onlyAt(t *testing.T, stores []*harness.Memcached, on int, key string) {
	t.Helper()
	for i, store := range stores {
		c := harness.Dial(t, store.Addr)
		c.Send("mg " + key + "\r\n")
		if has := c.Line() == "HD"; has != (i == on) {
			t.Errorf("server %d has %s: %v", i, key, has)
		}
		c.Close()
	}
}

// Structures of each kind on keys that a new server takes over are used where they were for as long as they live, by this process,
// by others, and by those that are started later; verbs are refused on these keys until all may be taken to know of the server. What is made
// anew is made at the new server. Keys that don't move notice nothing.
func TestStructuresRemain(t *testing.T) {
	t.Parallel()
	var stores []*harness.Memcached
	for range 4 {
		stores = append(stores, harness.StartMemcached(t, harness.Newest))
	}
	s := startSettling(t, stores, 3, "3s")
	other := startSettling(t, stores, 3, "3s")
	moves := func(prefix string) string { return s.key(t, 3, 0, 4, 3, prefix) }
	set, list, table, lock, free, limit, log, rank, tasks := moves("set"), moves("list"), moves("table"), moves("lock"), moves("free"), moves("limit"), moves("log"), moves("rank"), moves("tasks")
	stays := s.key(t, 3, 1, 4, 1, "stays")
	semaphore := moves("semaphore")
	c := harness.Dial(t, s.Addr)
	c.Ask("sadd "+set+" a b\r\nrpush "+list+" x y\r\nhset "+table+" f 0 0 1\r\nv\r\nlock "+lock+" me 3600\r\nzadd "+rank+" 5 m\r\nsadd "+stays+" s\r\n",
		"STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n")
	c.Ask("lock "+semaphore+" one 3600 2\r\nlock "+semaphore+" two 3600 2\r\ntaskput "+tasks+" t 0 0 1\r\nj\r\nlogput "+log+" 0 0 5\r\nevent\r\n", "STORED\r\nSTORED\r\nSTORED\r\nSTORED\r\n")
	c.Send("limit " + limit + " 2 3600 2\r\n")
	if got := c.Line(); !strings.HasPrefix(got, "1 0 ") {
		t.Fatalf("limit: %q", got)
	}
	s.change(t, 4)
	for _, request := range []string{"sadd " + set + " c\r\n", "lock " + free + " me 10\r\n", "smembers " + set + "\r\n", "sunion " + stays + " " + set + "\r\n"} {
		c.Send(request)
		if got := c.Line(); !strings.HasPrefix(got, refusedBySettle) {
			t.Errorf("%q was answered by %q", request, got)
		}
	}
	c.Ask("sadd "+stays+" t\r\nscard "+stays+"\r\n", "STORED\r\n2\r\n")
	other.change(t, 4)
	d := harness.Dial(t, other.Addr)
	d.Send("lock " + lock + " other 10\r\n")
	if got := d.Line(); !strings.HasPrefix(got, refusedBySettle) {
		t.Errorf("the other process has answered %q", got)
	}
	awaitSettled(t, c, set)
	awaitSettled(t, d, set)
	harness.Await(t, "the change to be recorded", func() bool {
		got := ""
		for _, store := range stores {
			m := harness.Dial(t, store.Addr)
			m.Send("get memverbs:servers:main\r\n")
			got += m.Until("END")
			m.Close()
		}
		return strings.Count(got, strings.Join(s.list(4), " ")) == 4 && !strings.Contains(got, "pending")
	})
	later := startSettling(t, stores, 4, "3s")
	e := harness.Dial(t, later.Addr)
	for _, x := range []*harness.Client{c, d, e} {
		x.Ask("smembers "+set+"\r\n", "VALUE "+set+" 0 3\r\na b\r\nEND\r\n")
		x.Ask("lrange "+list+" 0 10\r\nhget "+table+" f\r\n", "VALUE "+list+" 0 3\r\nx y\r\nEND\r\nVALUE f 0 1\r\nv\r\nEND\r\n")
		x.Ask("lock "+lock+" other 10\r\nlock "+lock+" me 3600\r\nlock "+semaphore+" three 3600 2\r\nlock "+semaphore+" two 3600 2\r\n", "NOT_STORED\r\nSTORED\r\nNOT_STORED\r\nSTORED\r\n")
		x.Ask("zincrby "+rank+" 0 m\r\nsunion "+stays+" "+set+"\r\n", "5\r\nVALUE "+stays+" 0 7\r\ns t a b\r\nEND\r\n")
		x.Ask("tasklen "+tasks+"\r\n", "1\r\n")
		x.Send("limit " + limit + " 2 3600\r\n")
		if got := x.Line(); !strings.HasPrefix(got, "0 0 ") {
			t.Errorf("a limit that is used up says %q", got)
		}
		x.Send("logfetch " + log + " -100000 0\r\n")
		if got := x.Until("END"); !strings.Contains(got, "event") {
			t.Errorf("the log has %q", got)
		}
	}
	c.Ask("sadd "+set+" c\r\n", "STORED\r\n")
	d.Ask("smembers "+set+"\r\nlpop "+list+"\r\n", "VALUE "+set+" 0 5\r\na b c\r\nEND\r\nVALUE "+list+" 0 1\r\nx\r\nEND\r\n")
	onlyAt(t, stores, 0, set)
	d.Ask("unlock "+lock+" me\r\nunlock "+semaphore+" one\r\nunlock "+semaphore+" two\r\ndelete "+set+"\r\nmd "+table+"\r\ntouch "+list+" 1000\r\n",
		"DELETED\r\nDELETED\r\nDELETED\r\nDELETED\r\nHD\r\nTOUCHED\r\n")
	e.Ask("lock "+lock+" other 100\r\nlock "+semaphore+" three 3600 2\r\nlock "+free+" me 100\r\n", "STORED\r\nSTORED\r\nSTORED\r\n")
	c.Ask("lock "+lock+" me 10\r\n", "NOT_STORED\r\n")
	onlyAt(t, stores, 3, lock)
	onlyAt(t, stores, 3, free)
	e.Ask("scard "+set+"\r\nsadd "+set+" new\r\nsmembers "+set+"\r\n", "NOT_FOUND\r\nSTORED\r\nVALUE "+set+" 0 3\r\nnew\r\nEND\r\n")
	c.Ask("smembers "+set+"\r\n", "VALUE "+set+" 0 3\r\nnew\r\nEND\r\n")
	onlyAt(t, stores, 3, set)
	for _, x := range []*harness.Client{c, d, e} {
		x.InStep()
	}
}

// Verbs are refused while what lists the servers gives no good answer, unless the pool says otherwise. Plain commands are not.
func TestUnconfirmedServers(t *testing.T) {
	t.Parallel()
	f, _ := startFound(t, 2, 2, "1m")
	careful, other := f.start(t, f.file+".careful", "settle: 6s"), f.start(t, f.file+".other", "settle: 6s", "unconfirmed: serve")
	c, d := harness.Dial(t, careful.Addr), harness.Dial(t, other.Addr)
	awaitAnswer(t, c, "sadd k a\r\n", "STORED\r\n")
	f.names.Fail(true)
	awaitAnswer(t, c, "sadd k a\r\n", "SERVER_ERROR the servers of the pool could not be confirmed lately, and may have changed: verbs are refused until they are\r\n")
	c.Ask("set plain 0 0 1\r\nx\r\nget plain\r\n", "STORED\r\nVALUE plain 0 1\r\nx\r\nEND\r\n")
	harness.Await(t, "the other process to be without an answer", func() bool { return strings.Contains(other.Log(), "SERVFAIL") })
	d.Ask("sadd k b\r\n", "STORED\r\n")
	f.names.Fail(false)
	awaitAnswer(t, c, "smembers k\r\n", "VALUE k 0 3\r\na b\r\nEND\r\n")
}

// Two processes learn at different times that there is another server, and a third is started meanwhile, while clients of all try to
// take locks for an hour. No lock is granted twice.
func TestNoLockIsGrantedTwice(t *testing.T) {
	t.Parallel()
	const locks = 60
	f, _ := startFound(t, 3, 2, "1m")
	var (
		mu      sync.Mutex
		granted [locks]map[string]bool // by the tokens
		tries   sync.WaitGroup
		end     atomic.Bool
		number  atomic.Int64
	)
	try := func(m *harness.Memverbs) {
		for worker := range 2 {
			c := harness.Dial(t, m.Addr)
			random := rand.New(rand.NewPCG(uint64(number.Add(1)), uint64(worker)))
			tries.Go(func() {
				for !end.Load() {
					n, token := random.IntN(locks), fmt.Sprint(number.Add(1))
					c.Send(fmt.Sprintf("lock lock%d t%s 3600\r\n", n, token))
					if line, err := c.ReadLine(); err != nil {
						return
					} else if strings.TrimSpace(line) == "STORED" {
						mu.Lock()
						if granted[n] == nil {
							granted[n] = map[string]bool{}
						}
						granted[n][token] = true
						mu.Unlock()
					}
				}
			})
		}
	}
	defer tries.Wait()
	defer end.Store(true)
	one, two := f.start(t, f.file+".one", "settle: 5s"), f.start(t, f.file+".two", "settle: 5s")
	c := harness.Dial(t, one.Addr)
	for i := range locks / 2 { // the other half is free
		name := fmt.Sprintf("lock%d", i)
		awaitAnswer(t, c, "lock "+name+" first 3600\r\n", "STORED\r\n")
		granted[i] = map[string]bool{"first": true}
	}
	f.list(t, 3)
	try(one)
	try(two)
	harness.Await(t, "one process to know", func() bool { return strings.Contains(one.Log()+two.Log(), "pool changed") })
	three := f.start(t, f.file+".three", "settle: 5s")
	try(three)
	all := harness.Dial(t, three.Addr)
	for i := range locks {
		name := fmt.Sprintf("lock%d", i)
		harness.Await(t, "the lock to be taken", func() bool {
			all.Send("lock " + name + " last 3600\r\n")
			line := all.Line()
			if line == "STORED" {
				mu.Lock()
				if granted[i] == nil {
					granted[i] = map[string]bool{}
				}
				granted[i]["last"] = true
				mu.Unlock()
			}
			return line == "STORED" || line == "NOT_STORED"
		})
	}
	end.Store(true)
	tries.Wait()
	for i, tokens := range granted {
		if len(tokens) != 1 {
			t.Errorf("lock%d was granted to %v", i, tokens)
		}
	}
}
