package verbs

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// awaitWaiting waits until so many clients wait.
func awaitWaiting(t *testing.T, m *harness.Memverbs, n int) {
	t.Helper()
	harness.Await(t, fmt.Sprint(n, " clients that wait"), func() bool { return m.OwnStats()["verbs_waiting"] == strconv.Itoa(n) })
}

// halfClose ends what a client sends.
func halfClose(t *testing.T, c *harness.Client) {
	t.Helper()
	if err := c.Conn().(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
}

// Clients wait on some lists through two proxies while elements come at random through both: each gets one element of its
// list, and each element is delivered once.
func TestWaitingPops(t *testing.T) {
	t.Parallel()
	const lists, clients = 20, 320
	store := harness.StartMemcached(t, harness.Newest)
	proxies := []*harness.Memverbs{harness.StartMemverbs(t, "--upstream", store.Addr), harness.StartMemverbs(t, "--upstream", store.Addr)}
	var got sync.Map
	var pops sync.WaitGroup
	for i := range clients {
		c, list := harness.Dial(t, proxies[i%2].Addr), i/2%lists
		verb := []string{"lpop", "rpop"}[i/2/lists%2]
		pops.Go(func() {
			c.Send(fmt.Sprintf("%s list%d wait 60000\r\n", verb, list))
			if line := c.Line(); !strings.HasPrefix(line, fmt.Sprintf("VALUE list%d 0 ", list)) {
				t.Errorf("list%d: answered %q", list, line)
				return
			}
			element := c.Line()
			if _, twice := got.LoadOrStore(element, true); twice || !strings.HasPrefix(element, fmt.Sprintf("%d.", list)) {
				t.Errorf("list%d: got %q, twice %v", list, element, twice)
			}
			c.Expect("END\r\n")
			c.InStep()
		})
	}
	for _, p := range proxies {
		awaitWaiting(t, p, clients/2)
	}
	pushers := []*harness.Client{harness.Dial(t, proxies[0].Addr), harness.Dial(t, proxies[1].Addr), harness.Dial(t, store.Addr)}
	r := rand.New(rand.NewPCG(1, 2))
	for _, i := range r.Perm(clients) {
		list := i % lists
		element := fmt.Sprintf("%d.%d", list, i)
		if by := r.IntN(10); by > 0 {
			pushers[by%2].Ask(fmt.Sprintf("rpush list%d %s\r\n", list, element), "STORED\r\n")
		} else { // behind the proxies' backs
			token := "l>" + element + " "
			pushers[2].Send(fmt.Sprintf("ms list%d %d MA N0\r\n%s\r\n", list, len(token), token))
			pushers[2].Expect("HD\r\n")
		}
	}
	pops.Wait()
	for _, p := range proxies {
		awaitWaiting(t, p, 0)
	}
}

// Clients of one event loop are served in the order in which they have asked. Those of another are woken by the same push.
func TestWaitingPopsInOrder(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1")
	var clients []*harness.Client
	for i := range 30 {
		c := harness.Dial(t, m.Addr)
		c.Send("lpop jobs wait 60000\r\n")
		clients = append(clients, c)
		awaitWaiting(t, m, i+1)
	}
	pusher := harness.Dial(t, m.Addr)
	next := 0
	expect := func(n int) {
		t.Helper()
		for range n {
			clients[next].Expect(fmt.Sprintf("VALUE jobs 0 2\r\n%d\r\nEND\r\n", 10+next))
			next++
		}
	}
	for i := range 10 {
		pusher.Ask(fmt.Sprintf("rpush jobs %d\r\n", 10+i), "STORED\r\n")
	}
	expect(10)
	pusher.Ask("rpush jobs 20 21 22 23 24 25 26 27 28 29\r\n", "STORED\r\n")
	expect(10)
	var all strings.Builder
	for i := range 10 {
		fmt.Fprintf(&all, "rpush jobs %d\r\n", 30+i)
	}
	pusher.Send(all.String())
	expect(10)
}

// What a connection asks for after a wait is carried out after it, in order; other connections don't wait.
func TestPipelinedBehindAWait(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/")
	c, other := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	c.Send("set k 0 0 1\r\na\r\nlpop jobs wait 60000\r\nrpush jobs behind\r\nset k 0 0 1\r\nb\r\nget k\r\nget verb/rpop/jobs/wait/60000\r\nget k\r\n")
	c.Expect("STORED\r\n")
	awaitWaiting(t, m, 1)
	other.Ask("get k\r\nllen jobs\r\nrpush jobs x\r\n", "VALUE k 0 1\r\na\r\nEND\r\nNOT_FOUND\r\nSTORED\r\n")
	c.Expect("VALUE jobs 0 1\r\nx\r\nEND\r\nSTORED\r\nSTORED\r\nVALUE k 0 1\r\nb\r\nEND\r\n" +
		"VALUE verb/rpop/jobs/wait/60000 0 6\r\nbehind\r\nEND\r\nVALUE k 0 1\r\nb\r\nEND\r\n")
	c.InStep()
}

// A client that has closed its side gets its answer as if the time were over, and one that is gone gets nothing: neither
// takes anything.
func TestClientsThatLeaveWhileTheyWait(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/")
	pusher := harness.Dial(t, m.Addr)
	asks := []struct{ request, nothing string }{
		{"lpop jobs wait 60000\r\n", "END\r\n"},
		{"lpop jobs wait 60000\r\nlpop jobs wait 60000\r\nversion\r\n", "END\r\nEND\r\nVERSION 1.6.45\r\n"},
		{"get verb/lpop/jobs/wait/60000\r\n", "END\r\n"},
		{"mg verb/lpop/jobs/2/wait/60000 v\r\n", "EN\r\n"},
		{"tasktake q 30 wait 60000\r\n", "END\r\n"},
		{"logfetch l 0 wait 60000\r\n", "END\r\n"},
		{"get verb/logfetch/l/0/more/3/wait/60000\r\n", "END\r\n"},
	}
	for _, ask := range asks {
		half, gone, reset := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
		for _, c := range []*harness.Client{half, gone, reset} {
			c.Send(ask.request)
		}
		awaitWaiting(t, m, 3)
		halfClose(t, half)
		half.Expect(ask.nothing)
		half.Closed()
		gone.Close()
		if err := reset.Conn().(*net.TCPConn).SetLinger(0); err != nil {
			t.Fatal(err)
		}
		reset.Close()
		awaitWaiting(t, m, 0)
	}
	early := harness.Dial(t, m.Addr) // its end is read together with the request
	early.Send("lpop jobs wait 60000\r\n")
	halfClose(t, early)
	early.Expect("END\r\n")
	early.Closed()
	pusher.Ask("rpush jobs a b\r\nllen jobs\r\n", "STORED\r\n2\r\n")
}

// Waits that time out leave nothing behind, and are no requests that took long, nor time in which a client is idle.
func TestWaitsThatTimeOut(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	admin := harness.FreeAddr(t)
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--idle-timeout", "2s", "--slow", "2500ms", "--admin", admin)
	harness.Dial(t, m.Addr).Ask("lpop jobs wait 3000\r\nget k\r\n", "END\r\nEND\r\n")
	if strings.Contains(m.Log(), "slow request") {
		t.Error("a wait counts as time that a request has taken")
	}
	before := memoryUsed(t, admin)
	var clients sync.WaitGroup
	for i := range 20 {
		clients.Go(func() {
			c := harness.Dial(t, m.Addr)
			c.Ask(strings.Repeat(fmt.Sprintf("lpop list%d wait 1\r\n", i%7), 100), strings.Repeat("END\r\n", 100))
			c.Close()
		})
	}
	clients.Wait()
	awaitWaiting(t, m, 0)
	harness.Await(t, "the memory to be free", func() bool { return memoryUsed(t, admin) < before+100_000 })
}

// memoryUsed returns the memory that a proxy counts as used, in bytes.
func memoryUsed(t *testing.T, admin string) (n float64) {
	t.Helper()
	answer, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	_, after, _ := strings.Cut(string(text), "\nmemverbs_memory_used_bytes ")
	if _, err := fmt.Sscan(after, &n); err != nil {
		t.Fatalf("no memory in %.300q: %v", after, err)
	}
	return n
}

// allThatWait are requests of each verb that waits.
var allThatWait = []string{"lpop jobs wait 60000\r\n", "rpop jobs wait 60000\r\n", "tasktake q 30 wait 60000\r\n", "logfetch l 0 wait 60000\r\n"}

// dialWaiting returns clients that wait, one of each verb.
func dialWaiting(t *testing.T, m *harness.Memverbs) (clients []*harness.Client) {
	t.Helper()
	for _, request := range allThatWait {
		c := harness.Dial(t, m.Addr)
		c.Send(request)
		clients = append(clients, c)
	}
	awaitWaiting(t, m, len(clients))
	return clients
}

// What ends the server, the listener or the pool ends waits as if their time were over; an error of the server, with that
// error.
func TestWhatEndsWaits(t *testing.T) {
	t.Parallel()
	t.Run("shutdown", func(t *testing.T) {
		t.Parallel()
		store := harness.StartMemcached(t, harness.Newest)
		m := harness.StartMemverbs(t, "--upstream", store.Addr)
		clients := dialWaiting(t, m)
		m.Stop(t)
		for _, c := range clients {
			c.Expect("END\r\n")
			c.Closed()
		}
	})
	t.Run("takeover", func(t *testing.T) {
		t.Parallel()
		store, addr := harness.StartMemcached(t, harness.Newest), harness.FreeAddr(t)
		s := harness.StartSuccession(t, "--listen", addr, "--upstream", store.Addr)
		clients := dialWaiting(t, &harness.Memverbs{Addr: addr})
		s.Succeed(t)
		for _, c := range clients {
			c.Expect("END\r\n")
			c.Closed()
		}
	})
	t.Run("reload", func(t *testing.T) {
		t.Parallel()
		store, other := harness.StartMemcached(t, harness.Newest), harness.StartMemcached(t, harness.Newest)
		r := harness.StartReloading(t, store.Addr)
		clients := dialWaiting(t, r.Memverbs)
		r.Write(t, r.Addr, other.Addr)
		r.Reload(t, "msg=reloaded")
		for i, c := range clients {
			c.Expect("END\r\n")
			c.Send(allThatWait[i])
		}
		awaitWaiting(t, r.Memverbs, len(clients))
		harness.Dial(t, r.Addr).Ask("rpush jobs a a\r\ntaskput q a 0 0 1\r\na\r\nlogput l 0 0 1\r\na\r\n", strings.Repeat("STORED\r\n", 3))
		for _, c := range clients {
			if line := c.Line(); !strings.HasPrefix(line, "VALUE ") {
				t.Errorf("answered %q", line)
			}
			c.Expect("a\r\nEND\r\n")
		}
	})
	t.Run("server down", func(t *testing.T) {
		t.Parallel()
		store := harness.StartMemcached(t, harness.Newest)
		m := harness.StartMemverbs(t, "--upstream", store.Addr)
		clients := dialWaiting(t, m)
		for range 4 {
			c := harness.Dial(t, m.Addr)
			c.Send("lpop jobs wait 60000\r\n")
			clients = append(clients, c)
		}
		awaitWaiting(t, m, len(clients))
		store.Kill(t)
		for _, c := range clients {
			if line := c.Line(); !strings.HasPrefix(line, "SERVER_ERROR ") {
				t.Errorf("answered %q", line)
			}
		}
		store.Restart(t)
		harness.Await(t, "all loops to use the server again", func() bool { return strings.Contains(m.Log(), " away=") })
		clients[0].Ask("rpush jobs a\r\n", "STORED\r\n")
		clients[1].Ask("lpop jobs 10 wait 60000\r\n", "VALUE jobs 0 1\r\na\r\nEND\r\n")
	})
}

// Clients follow a log through two proxies while events come through both: each gets all of them, though nobody asks before
// there are more than it has.
func TestWaitingFollowers(t *testing.T) {
	t.Parallel()
	const followers, events = 24, 60
	store := harness.StartMemcached(t, harness.Newest)
	proxies := []*harness.Memverbs{harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/"), harness.StartMemverbs(t, "--upstream", store.Addr)}
	first := time.Now().UnixMilli() - 10_000
	var following sync.WaitGroup
	for i := range followers {
		c, from := harness.Dial(t, proxies[i%2].Addr), first+int64(i%5)
		following.Go(func() {
			for seen := 0; seen < events; {
				c.Send(fmt.Sprintf("logfetch l %d more %d wait 60000\r\n", from, seen))
				before := seen
				for seen = 0; c.Line() != "END"; seen++ {
					c.Line()
				}
				if seen <= before {
					t.Errorf("answered with %d events, after %d", seen, before)
					return
				}
			}
			c.InStep()
		})
	}
	for _, p := range proxies {
		awaitWaiting(t, p, followers/2)
	}
	putters := []*harness.Client{harness.Dial(t, proxies[0].Addr), harness.Dial(t, proxies[1].Addr)}
	for i := range events {
		putters[i%2].Ask("logput l 0 0 1\r\nx\r\n", "STORED\r\n")
	}
	following.Wait()
	for _, p := range proxies {
		awaitWaiting(t, p, 0)
	}
	putters[0].Send("get verb/logfetch/l/-60000/more/100/wait/50\r\n") // to its end: all there is
	if line := putters[0].Line(); !strings.HasPrefix(line, "VALUE verb/logfetch/l/-60000/more/100/wait/50 0 ") {
		t.Errorf("answered %q", line)
	}
}

// Workers wait for tasks: those that are put, through their proxy or another one, those that become due, and those that
// are given back. A worker that takes only tasks that were seldom taken does not keep others from those that it leaves.
func TestWaitingWorkers(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, harness.Newest)
	m, other := harness.StartMemverbs(t, "--upstream", store.Addr, "--verb-keys", "verb/"), harness.StartMemverbs(t, "--upstream", store.Addr)
	worker, putter, distant := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr), harness.Dial(t, other.Addr)
	take := func(request string, attempts int) (stamp string) {
		t.Helper()
		words := strings.Fields(worker.Line())
		if len(words) != 5 || words[1] != "mail" || !strings.HasSuffix(words[4], fmt.Sprint(".", attempts)) {
			t.Fatalf("%s: answered %q", request, words)
		}
		worker.Expect("hello\r\nEND\r\n")
		return words[4]
	}
	wait := func(request string) {
		t.Helper()
		worker.Send(request + "\r\n")
		awaitWaiting(t, m, 1)
	}
	const request = "tasktake mails 600 wait 60000"
	wait(request)
	putter.Ask("taskput mails mail 0 0 5\r\nhello\r\n", "STORED\r\n")
	stamp := take(request, 1)
	wait(request)
	distant.Ask("taskretry mails "+stamp+" +300\r\n", "STORED\r\n")
	stamp = take(request, 2)
	seldom := harness.Dial(t, m.Addr)
	seldom.Send("tasktake mails 600 most 2 wait 60000\r\n")
	worker.Send(request + "\r\n")
	awaitWaiting(t, m, 2)
	putter.Ask("taskretry mails "+stamp+" 0\r\n", "STORED\r\n")
	stamp = take(request, 3)
	putter.Ask("taskdone mails "+stamp+"\r\n", "DELETED\r\n")
	putter.Ask("taskput mails letter 0 0 2\r\nhi\r\n", "STORED\r\n")
	if line := seldom.Line(); !strings.HasPrefix(line, "VALUE letter 0 2 ") {
		t.Errorf("answered %q", line)
	}
	seldom.Expect("hi\r\nEND\r\n")
	worker.Ask("get verb/tasktake/mails/30/wait/20\r\ntasktake none 30 wait 1\r\n", "END\r\nEND\r\n")
}
