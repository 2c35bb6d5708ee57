package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/embedded"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// Listings of long tables take turns, so that other requests don't wait for all of those that a few clients
// want. Those of clients that leave are not waited for.
func TestListingsTakeTurns(t *testing.T) {
	const rows, lists, clients = 1000, 30, 8
	store, err := embedded.New(64<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	s := startServer(t, 1, config.Upstream{Name: "e", Dial: func(context.Context) (net.Conn, error) { return store.Dial() }})
	first := dialServer(t, s)
	for i := range rows {
		exchange(t, first, fmt.Sprintf("hset t f%d 0 0 1\r\nv\r\n", i), "STORED\r\n")
	}
	requests := strings.Repeat("hlen t\r\nhkeys t\r\nhgetall t\r\n", lists/3)
	var all sync.WaitGroup
	for range clients {
		conn := dialServer(t, s)
		all.Go(func() {
			if _, err := io.WriteString(conn, requests); err != nil {
				t.Error(err)
			}
			readListings(t, conn, rows, lists/3)
		})
	}
	for range clients {
		conn := dialServer(t, s)
		if _, err := io.WriteString(conn, requests); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}
	over := make(chan struct{})
	go func() { all.Wait(); close(over) }()
	most := 0
	for done := false; !done; {
		select {
		case <-over:
			done = true
		default:
		}
		onLoops(s, func(l *front.Loop) { most = max(most, l.Pools.Current[0].All[0].InFlight()) })
	}
	if most > 8*rows {
		t.Errorf("%d requests were under way at a time, for %d clients that list %d rows", most, 2*clients, rows)
	}
	await(t, "all verbs to end", func() (ended bool) {
		onLoops(s, func(l *front.Loop) {
			ended = l.Pools.Current[0].Verbs.Running() == 0 && l.Pools.Current[0].All[0].Verbs.Batched == 0
		})
		return ended
	})
}

// readListings reads what so many times hlen, hkeys and hgetall are answered with.
func readListings(t *testing.T, conn net.Conn, rows, times int) {
	in := bufio.NewReader(conn)
	for range times {
		if line, err := in.ReadString('\n'); err != nil || line != fmt.Sprintf("%d\r\n", rows) {
			t.Errorf("hlen is answered with %q, %v", line, err)
			return
		}
		for _, want := range []int{3, 2*rows + 1} {
			lines := 1
			for line := ""; line != "END\r\n"; lines++ {
				var err error
				if line, err = in.ReadString('\n'); err != nil {
					t.Error(err)
					return
				}
			}
			if lines-1 != want {
				t.Errorf("a listing has %d lines, expected %d", lines-1, want)
			}
		}
	}
}
