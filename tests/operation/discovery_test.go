package operation

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/nameserver"
)

// cacheName is the name that lists the servers.
const cacheName = "cache.test."

// found is a memverbs whose servers are those that a name lists: memcacheds at 127.0.0.1, 127.0.0.2 and so on, all at the
// same port.
type found struct {
	*harness.Memverbs
	names *nameserver.Server
	ports string
	file  string
}

// startFound starts memverbs when the name lists so many servers, of which as many run as stores. leaveAfter is a
// setting of the pool.
func startFound(t *testing.T, running, listed int, leaveAfter string) (f *found, stores []*harness.Memcached) {
	t.Helper()
	f = &found{names: nameserver.Start(t), file: filepath.Join(t.TempDir(), "memverbs.yml")}
	stores = append(stores, harness.StartMemcached(t, harness.Newest))
	_, f.ports, _ = net.SplitHostPort(stores[0].Addr)
	for i := 1; i < running; i++ {
		stores = append(stores, harness.StartMemcachedAt(t, harness.Newest, f.server(i)))
	}
	f.list(t, listed)
	f.Memverbs = f.start(t, f.file, "leave-after: "+leaveAfter)
	return f, stores
}

// start starts memverbs with a file, whose pool has the name and further settings.
func (f *found) start(t *testing.T, file string, more ...string) *harness.Memverbs {
	t.Helper()
	addr := harness.FreeAddr(t)
	writeText(t, file, fmt.Sprintf("loops: 2\npools:\n  main:\n    listen: [%q]\n    servers: [\"dns:cache.test:%s\"]\n    resolver: %s\n    discover-every: 1s\n    %s\n", addr, f.ports, f.names.Addr, strings.Join(more, "\n    ")))
	return harness.StartMemverbsWith(t, file, addr)
}

// server returns the address of a server.
func (f *found) server(i int) string { return fmt.Sprintf("127.0.0.%d:%s", i+1, f.ports) }

func (f *found) servers(n int) (list []string) {
	for i := range n {
		list = append(list, f.server(i))
	}
	return list
}

// list makes the name list the first n servers.
func (f *found) list(t *testing.T, n int) {
	t.Helper()
	var addresses []string
	for i := n - 1; i >= 0; i-- {
		addresses = append(addresses, fmt.Sprintf("127.0.0.%d", i+1))
	}
	f.names.SetAddresses(t, cacheName, addresses...)
}

func (f *found) awaitLog(t *testing.T, says string, times int) {
	t.Helper()
	harness.Await(t, "the log to say "+says, func() bool { return strings.Count(f.Log(), says) >= times })
}

// awaitAsked waits until the name server was asked some times more.
func (f *found) awaitAsked(t *testing.T) {
	t.Helper()
	before := f.names.Asked("udp")
	harness.Await(t, "the name server to be asked", func() bool { return f.names.Asked("udp") > before+2 })
}

// awaitAnswer asks until the answer is this one. The log tells of a change before all loops use it.
func awaitAnswer(t *testing.T, c *harness.Client, request, answer string) {
	t.Helper()
	harness.Await(t, answer, func() bool {
		c.Send(request)
		got := c.Line()
		lines := got + "\r\n"
		if strings.HasPrefix(got, "VALUE") {
			lines += c.Until("END")
		}
		return lines == answer
	})
}

// storesAll reports whether some keys, which all servers share, can be stored.
func storesAll(c *harness.Client) bool {
	all := true
	for i := range 20 {
		c.Send(fmt.Sprintf("set key%d 0 0 1\r\nx\r\n", i))
		all = c.Line() == "STORED" && all
	}
	return all
}

// A server that a name lists later gets its share of the keys, and nothing happens to clients of the others, which ask for
// theirs all the time. When it is not listed any more, its keys are refused for leave-after, although it still runs, and then
// belong to the others.
func TestServersComeAndGo(t *testing.T) {
	t.Parallel()
	f, stores := startFound(t, 3, 2, "3s")
	layout := harness.LayoutOf(t, f.servers(3))
	stays, moves := harness.KeyOn(layout, 0, "stays"), harness.KeyOn(layout, 2, "moves")
	c := harness.Dial(t, f.Addr)
	c.Ask("set "+stays+" 0 0 1\r\nx\r\nset "+moves+" 0 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")

	var load sync.WaitGroup
	var over atomic.Bool
	busy := harness.Dial(t, f.Addr)
	load.Go(func() {
		for !over.Load() {
			busy.Ask("get "+stays+"\r\n", "VALUE "+stays+" 0 1\r\nx\r\nEND\r\n")
		}
	})
	defer load.Wait()
	defer over.Store(true)

	f.list(t, 3)
	f.awaitLog(t, `msg="pool changed" pool=main settings=[] added=[`+f.server(2)+`] removed=[] keys-that-move=`, 1)
	awaitAnswer(t, c, "get "+moves+"\r\n", "END\r\n")
	c.Ask("set "+moves+" 0 0 1\r\nz\r\n", "STORED\r\n")
	direct := harness.Dial(t, stores[2].Addr)
	direct.Ask("get "+moves+"\r\n", "VALUE "+moves+" 0 1\r\nz\r\nEND\r\n")

	f.list(t, 2)
	f.awaitLog(t, `msg="upstream is down" upstream=`+f.server(2)+` reason="is not listed by dns:cache.test:`+f.ports+` any more"`, 1)
	f.awaitLog(t, `added=[] removed=[`+f.server(2)+`] keys-that-move=`, 1)
	awaitAnswer(t, c, "get "+moves+"\r\n", "VALUE "+moves+" 0 1\r\ny\r\nEND\r\n") // where it was at first
	over.Store(true)
	load.Wait()
	c.InStep()
}

// A server that is listed again in time keeps its keys. What was changed meanwhile was deleted there, as after any outage.
func TestServerThatReturns(t *testing.T) {
	t.Parallel()
	f, _ := startFound(t, 2, 2, "1h")
	key := harness.KeyOn(harness.LayoutOf(t, f.servers(2)), 1, "key")
	other := harness.KeyOn(harness.LayoutOf(t, f.servers(2)), 1, "other")
	c := harness.Dial(t, f.Addr)
	c.Ask("set "+key+" 0 0 1\r\nx\r\nset "+other+" 0 0 1\r\ny\r\n", "STORED\r\nSTORED\r\n")
	f.list(t, 1)
	f.awaitLog(t, `msg="upstream is down" upstream=`+f.server(1), 1)
	refusal := "SERVER_ERROR upstream " + f.server(1) + " is down: is not listed by dns:cache.test:" + f.ports + " any more\r\n"
	awaitAnswer(t, c, "get "+key+"\r\n", refusal)
	c.Ask("delete "+other+"\r\n", refusal)
	f.list(t, 2)
	f.awaitLog(t, `msg="upstream is up" upstream=`+f.server(1)+" version="+harness.Newest+" away=", 1)
	awaitAnswer(t, c, "get "+key+" "+other+"\r\n", "VALUE "+key+" 0 1\r\nx\r\nEND\r\n")
	if strings.Contains(f.Log(), "pool changed") {
		t.Errorf("the pool has changed:\n%s", f.Log())
	}
}

// A name without addresses, one that does not exist any more, and a name server that fails leave the list as it is, also
// through a reload that changes the pool.
func TestLastListIsKept(t *testing.T) {
	t.Parallel()
	f, _ := startFound(t, 2, 2, "1s")
	c := harness.Dial(t, f.Addr)
	ask := func() {
		t.Helper()
		if !storesAll(c) {
			t.Error("a key can't be stored")
		}
	}
	ask()
	f.list(t, 0)
	f.awaitLog(t, `msg="servers can't be found now: the last list of them is used" reason="dns:cache.test:`+f.ports+`: the answer has no servers"`, 1)
	f.awaitAsked(t)
	ask()
	f.names.Fail(true)
	f.awaitLog(t, "SERVFAIL", 1)
	f.awaitAsked(t)
	ask()
	text, err := os.ReadFile(f.file)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, f.file, strings.Replace(string(text), "leave-after: 1s", "leave-after: 2s\n    timeout: 2s", 1))
	if err := syscall.Kill(f.Pid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	f.awaitLog(t, "msg=reloaded", 1)
	ask()
	f.names.Fail(false)
	f.list(t, 1)
	f.awaitLog(t, `removed=[`+f.server(1)+`]`, 1)
	harness.Await(t, "all keys to be stored", func() bool { return storesAll(c) })
	if n := strings.Count(f.Log(), "can't be found now"); n > 3 {
		t.Errorf("%d lines tell that servers can't be found", n)
	}
}

// SRV records name servers with ports of their own; their names are looked up by the same name server.
func TestServicesAreServers(t *testing.T) {
	t.Parallel()
	names := nameserver.Start(t)
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Versions[0])
	const service = "_memcache._tcp.cache.test."
	record := func(name string, m *harness.Memcached) string {
		host, port, _ := net.SplitHostPort(m.Addr)
		names.SetAddresses(t, name, host)
		return "1 SRV 0 0 " + port + " " + name
	}
	a, b := record("cache-0.test.", one), record("cache-1.test.", two)
	names.Set(t, service, "SRV", b, a)
	m := harness.StartMemverbs(t, "--upstream", "srv:_memcache._tcp.cache.test", "--resolver", names.Addr, "--discover-every", "1s", "--leave-after", "1s")
	c := harness.Dial(t, m.Addr)
	for i := range 20 {
		c.Ask(fmt.Sprintf("sadd key%d a\r\n", i), "STORED\r\n")
	}
	if one.Stats()["curr_items"] == "0" || two.Stats()["curr_items"] == "0" {
		t.Error("all keys are on one server")
	}
	names.Set(t, service, "SRV", a)
	harness.Await(t, "the other server to leave", func() bool { return strings.Contains(m.Log(), "removed=[cache-1.test:") })
	harness.Await(t, "all keys to be stored", func() bool { return storesAll(c) })
}

// memverbs check tells what a source means and what it lists now. memverbs does not start when the servers can't be found,
// and says what to do; another start may succeed.
func TestCheckOfFoundServers(t *testing.T) {
	t.Parallel()
	names, file := nameserver.Start(t), filepath.Join(t.TempDir(), "memverbs.yml")
	writeText(t, file, fmt.Sprintf("pools:\n  main:\n    listen: [\"127.0.0.1:0\"]\n    servers: [\"dns:cache.test\"]\n    resolver: %s\n", names.Addr))
	const means = "pool main: servers by dns:cache.test:11211, asked every 10s, layout libmemcached-ketama-weighted\n"
	code, out, said := runCommand(t, "check", file)
	if code != 0 || !strings.HasPrefix(out, means+"listen at") || !strings.Contains(said, "pool main: warning: its servers can't be found now: dns:cache.test:11211: there is no such name") {
		t.Errorf("check ends with %d: %s%s", code, said, out)
	}
	code, _, said = runCommand(t, "--config", file)
	if want := "memverbs: pool main: its servers can't be found: dns:cache.test:11211: there is no such name"; code != 75 || !strings.Contains(said, want) {
		t.Errorf("it ends with %d: %s", code, said)
	}
	names.SetAddresses(t, cacheName, "10.0.0.10", "10.0.0.9")
	if code, out, said = runCommand(t, "check", file); code != 0 || !strings.Contains(out, means+"listen at 127.0.0.1:0: all keys to main\npool main: 2 servers now: 10.0.0.9:11211 10.0.0.10:11211\n") {
		t.Errorf("check ends with %d: %s%s", code, said, out)
	}
	if code, out, said = runCommand(t, "locate", "--config", file, "key"); code != 0 || !strings.HasPrefix(out, "key\t10.0.0.") {
		t.Errorf("locate ends with %d: %s%s", code, said, out)
	}
	writeText(t, file, "pools:\n  main:\n    listen: [\"127.0.0.1:0\"]\n    servers: [\"dns:cache.test\", \"10.0.0.1\"]\n")
	if code, _, said = runCommand(t, "check", file); code != 78 || !strings.Contains(said, `:4:14: servers: "dns:cache.test" lists all servers of a pool: remove the others, or list all here`) {
		t.Errorf("check ends with %d: %s", code, said)
	}
}

// The endpoint of a cluster tells its servers, and which version of the list that is.
func TestClusterTellsItsServers(t *testing.T) {
	t.Parallel()
	one, two := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Versions[1])
	word := func(m *harness.Memcached) string {
		host, port, _ := net.SplitHostPort(m.Addr)
		return "|" + host + "|" + port
	}
	endpoint, list := startEndpoint(t)
	list(1, word(one))
	m := harness.StartMemverbs(t, "--upstream", "elasticache:"+endpoint, "--discover-every", "1s", "--leave-after", "2s")
	c := harness.Dial(t, m.Addr)
	c.Ask("set key 0 0 1\r\nx\r\n", "STORED\r\n")
	list(2, word(two), word(one))
	harness.Await(t, "the second server", func() bool { return strings.Contains(m.Log(), "added=["+two.Addr+"]") })
	harness.Await(t, "keys on both servers", func() bool {
		return storesAll(c) && one.Stats()["curr_items"] != "0" && two.Stats()["curr_items"] != "0"
	})
	list(1, word(one))
	harness.Await(t, "the old list to be refused", func() bool {
		return strings.Contains(m.Log(), "the answer is older than one before: its version is 1, and there was 2")
	})
	list(3, word(two))
	harness.Await(t, "the first server to leave", func() bool { return strings.Contains(m.Log(), "removed=["+one.Addr+"]") })
	harness.Await(t, "all keys to be stored", func() bool { return storesAll(c) })
}

// startEndpoint starts what answers config get cluster, with the version and the servers that list is called with last.
func startEndpoint(t *testing.T) (addr string, list func(version int, servers ...string)) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var data atomic.Value
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if line, _ := bufio.NewReader(conn).ReadString('\n'); line == "config get cluster\r\n" {
					text := data.Load().(string)
					fmt.Fprintf(conn, "CONFIG cluster 0 %d\r\n%s\r\nEND\r\n", len(text), text)
				}
			}()
		}
	}()
	return l.Addr().String(), func(version int, servers ...string) {
		data.Store(fmt.Sprintf("%d\n%s\n", version, strings.Join(servers, " ")))
	}
}
