//go:build linux

package clients_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/clients"
	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/verbload"
	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/spawn"
)

// TestMain also runs the process of clients that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		fmt.Fprintln(os.Stderr, clients.Serve(os.Args[2]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// startServe starts the process and returns its socket.
func startServe(t *testing.T) string {
	t.Helper()
	socket := t.TempDir() + "/clients.sock"
	cmd := exec.Command(os.Args[0], "serve", socket)
	cmd.Stderr = os.Stderr
	must(t, spawn.Command(cmd))
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	harness.Await(t, "the clients to listen", func() bool {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return socket
}

func TestClients(t *testing.T) {
	m := harness.StartMemcached(t, "1.6.38")
	socket := startServe(t)
	sets := verbload.Sets{Keys: 10, Members: 100, Pool: 200}
	lists := verbload.Lists{Keys: 2, Elements: 100, Pool: 20}
	queue := verbload.Lists{Keys: 1, Elements: 100, Pool: 20} // of several, one might get empty
	tables := verbload.Tables{Keys: 3, Rows: 20, Size: 50}
	locks := verbload.Locks{Names: 1000}
	for _, job := range []clients.Job{
		{Verb: clients.Smembers, Sets: sets}, {Verb: clients.Sismember, Sets: sets}, {Verb: clients.Scard, Sets: sets}, {Verb: clients.Sadd, Sets: sets},
		{Verb: clients.Lrange, Lists: lists}, {Verb: clients.Lpop, Lists: queue}, {Verb: clients.Rpush, Lists: lists},
		{Verb: clients.Hset, Tables: tables}, {Verb: clients.Hget, Tables: tables}, {Verb: clients.Hgetall, Tables: tables},
		{Verb: clients.Lock, Locks: locks},
	} {
		target := load.Target{Network: "tcp", Addr: m.Addr}
		switch {
		case job.Sets.Keys > 0:
			must(t, job.Sets.FillItems(target))
		case job.Lists.Keys > 0:
			must(t, job.Lists.FillPlain(target))
		case job.Tables.Keys > 0:
			must(t, job.Tables.FillPlain(target))
		}
		job.Addrs, job.Conns = []string{m.Addr}, 3
		c, err := clients.Open(socket, job)
		must(t, err)
		now := load.Now()
		n, err := c.Run(load.Window{From: now, Until: now + int64(time.Second/2)})
		must(t, err)
		c.Close()
		if n.Requests == 0 || n.Took.TotalCount() != int64(n.Requests) {
			t.Errorf("%s: %d requests, %d latencies", job.Verb, n.Requests, n.Took.TotalCount())
		}
	}
}

func TestClientsFail(t *testing.T) {
	m := harness.StartMemcached(t, "1.6.38")
	socket := startServe(t)
	sets := verbload.Sets{Keys: 10, Members: 100, Pool: 200}
	must(t, sets.FillItems(load.Target{Network: "tcp", Addr: m.Addr}))
	other := sets
	other.Members = 101
	for _, bad := range []struct {
		job clients.Job
		why string
	}{
		{clients.Job{Conns: 1, Verb: "sdrop", Sets: sets}, "sdrop"},
		{clients.Job{Conns: 1, Verb: clients.Smembers, Sets: other}, "100 members instead of 101"},
		{clients.Job{Conns: 1, Verb: clients.Sismember, Sets: verbload.Sets{Keys: 1, Members: 101, Pool: 101}}, "missing"},
		{clients.Job{Conns: 2, Verb: clients.Lock, Locks: verbload.Locks{Names: 1}}, "not free"},
	} {
		bad.job.Addrs = []string{m.Addr}
		c, err := clients.Open(socket, bad.job)
		if err == nil {
			now := load.Now()
			_, err = c.Run(load.Window{From: now, Until: now + int64(harness.Patience)})
			c.Close()
		}
		if err == nil || !strings.Contains(err.Error(), bad.why) {
			t.Errorf("%v; it should say %q", err, bad.why)
		}
	}
}

// Stop ends a run that has hardly begun.
func TestStop(t *testing.T) {
	m := harness.StartMemcached(t, "1.6.38")
	sets := verbload.Sets{Keys: 10, Members: 10, Pool: 10}
	c, err := clients.Open(startServe(t), clients.Job{Addrs: []string{m.Addr}, Conns: 2, Verb: clients.Sadd, Sets: sets})
	must(t, err)
	defer c.Close()
	ended := make(chan error)
	go func() {
		_, err := c.Run(load.Window{Until: load.Now() + int64(time.Hour)})
		ended <- err
	}()
	for tries := time.After(harness.Patience); ; c.Stop() {
		select {
		case err := <-ended:
			must(t, err)
			return
		case <-tries:
			t.Fatal("it does not stop")
		default:
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
