package limits

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// What many clients have memverbs read at once takes no more memory than
// --buffer-memory allows, and some that is not counted.

const (
	bufferMemory = 256 << 20 // its default
	uncounted    = 64 << 20
)

// answers has clients ask for something, and reads what they are answered until each
// has got so many lines. It returns how many begin as the answer given.
func answers(t *testing.T, m *harness.Memverbs, clients int, request string, lines int, answer string) int {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	count := 0
	for range clients {
		c := harness.Dial(t, m.Addr)
		all.Go(func() {
			go io.WriteString(c.Conn(), request)
			for range lines {
				line := c.Line()
				mu.Lock()
				if strings.HasPrefix(line, answer) {
					count++
				} else if !strings.HasPrefix(line, "SERVER_ERROR") {
					t.Errorf("answered %.100q", line)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return count
}

func TestMemoryOfReadsOfLargeHeads(t *testing.T) {
	const clients, reads = 20, 256
	store := harness.StartMemcached(t, harness.Versions[1], "-m", "256")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "10s")
	store.PutSet(t, "k", 1_000_000, 5)
	n := answers(t, m, clients, strings.Repeat("scard k\r\n", reads), reads, "478")
	t.Logf("%d of %d were answered", n, clients*reads)
	if n == 0 {
		t.Error("none was answered")
	}
	m.CheckBuffers(t, bufferMemory)
}

func TestMemoryOfReadsOfHeadsThatLie(t *testing.T) {
	store := harness.StartMemcached(t, harness.Versions[1], "-m", "256")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "10s")
	part := harness.LongMembers(1_000_000)
	for set, key := range []string{"a", "b", "c"} {
		pointers := ""
		for n := range 128 {
			pointers += fmt.Sprintf("@%s:1:1 ", harness.SegmentID(set*1000+n)) // which is longer than that
			store.Put(t, key+":"+harness.SegmentID(set*1000+n)+".0", part)
		}
		store.Put(t, key, pointers)
	}
	const request = "sinter a b c\r\n"
	if n := answers(t, m, 4, request, 1, "VALUE a 0 0"); n > 4 {
		t.Errorf("%d answers", n)
	}
	m.CheckBuffers(t, bufferMemory)
}

func TestMemoryOfReadsOfLogs(t *testing.T) {
	store := harness.StartMemcached(t, harness.Versions[1], "-m", "400")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "10s", "--log-chunk", "100s", "--log-chunks", "200")
	now := time.Now().UnixMilli()
	event := strings.Repeat("e", 9_000)
	for chunk := range 200 {
		when := now - int64(chunk)*100_000
		record := fmt.Sprintf("%d 0 %d\r\n%s\r\n", when, len(event), event)
		store.Put(t, fmt.Sprintf("l:%d+1", when/100_000), strings.Repeat(record, 1_000_000/len(record)))
	}
	const refused = "SERVER_ERROR the answer is longer than 32 MB"
	if n := answers(t, m, 4, "logfetch l\r\n", 1, refused); n != 4 {
		t.Errorf("%d were told that the answer is too long", n)
	}
	m.CheckBuffers(t, bufferMemory)
}

// Reads of logs that find no room at once wait for as much as there can be, although the
// longest answer would need more.
func TestReadsOfLogsWaitForRoom(t *testing.T) {
	const clients, reads, chunks, events = 10, 2, 5, 8000
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "1m", "--buffer-memory", "64MB", "--log-chunk", "1h")
	now := time.Now().UnixMilli()
	for chunk := range int64(chunks) {
		when := now - chunk*3_600_000
		record := fmt.Sprintf("%d 0 100\r\n%s\r\n", when, strings.Repeat("e", 100))
		store.Put(t, fmt.Sprintf("l:%d+1", when/3_600_000), strings.Repeat(record, events))
	}
	var all sync.WaitGroup
	for range clients {
		c := harness.Dial(t, m.Addr)
		all.Go(func() {
			go io.WriteString(c.Conn(), strings.Repeat("logfetch l\r\n", reads))
			for range reads {
				told := 0
				for line := c.Line(); line != "END"; line = c.Line() {
					if strings.HasPrefix(line, "SERVER_ERROR") {
						t.Error(line)
						return
					}
					told++
				}
				if told != 2*chunks*events {
					t.Errorf("%d lines", told)
				}
			}
		})
	}
	all.Wait()
	m.CheckBuffers(t, 64<<20)
}

func TestMemoryOfLargeArguments(t *testing.T) {
	const clients, requests = 20, 20
	store := harness.StartMemcached(t, harness.Versions[1], "-m", "256")
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "10s", "--drain", "0s")
	members := strings.ReplaceAll(harness.LongMembers(1_000_000), "+", "")
	store.Freeze(t)
	var sent sync.WaitGroup
	for client := range clients {
		c := harness.Dial(t, m.Addr)
		c.Conn().(*net.TCPConn).SetWriteDeadline(time.Now().Add(5 * time.Second))
		sent.Go(func() {
			for n := range requests {
				if _, err := fmt.Fprintf(c.Conn(), "sadd k%d-%d %s\r\n", client, n, members); err != nil {
					return // it is not read from any more
				}
			}
		})
	}
	sent.Wait()
	m.CheckBuffers(t, bufferMemory)
	store.Thaw(t)
}

// What was read for clients that are gone before they are answered is let go of.
func TestMemoryOfVerbsForClientsThatVanish(t *testing.T) {
	store := harness.StartMemcached(t, harness.Newest)
	m := harness.StartPlainMemverbs(t, "--verb-keys", "verb/", "--buffer-memory", "32MB", "--loops", "2", "--upstream", store.Addr)
	var members strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&members, "+m%06d ", n)
	}
	store.Put(t, "large", members.String())
	request := "get" + strings.Repeat(" verb/smembers/large", 61) + "\r\n"
	begun := func() int {
		n, err := strconv.Atoi(m.OwnStats()["verb_smembers"])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for range 200 {
		before := begun()
		var clients []*harness.Client
		for range 20 {
			c := harness.Dial(t, m.Addr)
			c.Send(request)
			clients = append(clients, c)
		}
		harness.Await(t, "verbs to begin", func() bool { return begun() >= before+20 })
		for _, c := range clients {
			c.Conn().(*net.TCPConn).SetLinger(0)
			c.Close()
		}
	}
	m.CheckBuffers(t, 32<<20)
}

// However many reads of a large set some clients pipeline, another client waits for
// its turn among the clients only. Without a cache each read takes long, so that it matters little
// when this client's request arrives.
func TestClientsReadLargeSetsInTurn(t *testing.T) {
	const clients, reads = 10, 64
	store := harness.StartMemcached(t, harness.Versions[1])
	m := harness.StartPlainMemverbs(t, "--upstream", store.Addr, "--timeout", "30s", "--loops", "1", "--buffer-memory", "32MB", "--read-cache", "0")
	c := harness.Dial(t, m.Addr)
	const members = 30_000
	for n := range 3 {
		var line strings.Builder
		for i := range members / 3 {
			fmt.Fprintf(&line, " m%09d", n*members/3+i)
		}
		c.Ask("sadd k"+line.String()+"\r\n", "STORED\r\n")
	}
	var answered atomic.Int64
	first := make(chan struct{})
	var all sync.WaitGroup
	for range clients {
		other := harness.Dial(t, m.Addr)
		all.Go(func() {
			go io.WriteString(other.Conn(), strings.Repeat("scard k\r\n", reads))
			for range reads {
				if line := other.Line(); line != fmt.Sprint(members) {
					t.Errorf("answered %q", line)
					return
				}
				if answered.Add(1) == clients {
					close(first)
				}
			}
		})
	}
	<-first
	before := answered.Load()
	c.Ask("scard k\r\n", fmt.Sprintf("%d\r\n", members))
	during := answered.Load() - before
	t.Logf("%d of %d reads of others were answered meanwhile", during, clients*reads)
	if during > clients*reads/3 {
		t.Errorf("%d reads of others were answered before one of another client", during)
	}
	all.Wait()
}
