package migration

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// dialTo returns a way to reach a server for which serve speaks on each connection.
func dialTo(serve func(net.Conn)) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			serve(server)
		}()
		return client, nil
	}
}

// stores says that it stores whatever it is sent, and that it has nothing.
func stores(conn net.Conn) {
	for in := bufio.NewScanner(conn); in.Scan(); {
		switch {
		case strings.HasPrefix(in.Text(), "mg "):
			io.WriteString(conn, "EN\r\n")
		case strings.HasPrefix(in.Text(), "ms "):
			in.Scan()
			io.WriteString(conn, "HD c5\r\n")
		}
	}
}

// hangs takes what it is sent, and says nothing.
func hangs(conn net.Conn) { io.Copy(io.Discard, conn) }

// While one server hangs, others are heard of often enough for changes to be made.
func TestServerThatHangsKeepsNoChangesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from, to := lists()
		const settle = 2 * time.Second
		m := New(from, to, settle, time.Now())
		k := Keeper{Migration: m, Log: slog.New(slog.DiscardHandler), Servers: []Server{{"b", dialTo(hangs)}, {"c", dialTo(stores)}, {"a", dialTo(hangs)}}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*settle)
		defer cancel()
		m.leaving.Store(1) // so that the servers are told something, too
		go k.Run(ctx)
		for range 3 * settle / 2 / (10 * time.Millisecond) {
			time.Sleep(10 * time.Millisecond)
			if _, confirmed, _ := m.Phase(time.Now()); !confirmed {
				t.Fatalf("no server has been heard of for long after %v", time.Since(m.Began()))
			}
		}
		<-ctx.Done()
		synctest.Wait()
	})
}

// A server that sends a line without end is not listened to for long.
func TestLineWithoutEnd(t *testing.T) {
	t.Parallel()
	sent := make(chan int, 1)
	s := session{Server: &Server{"a", dialTo(func(conn net.Conn) {
		go io.Copy(io.Discard, conn)
		for n := 0; ; n++ {
			if _, err := conn.Write([]byte("x")); err != nil {
				sent <- n
				return
			}
		}
	})}}
	if _, err := s.ask(t.Context(), "mg a v\r\n", 1); err == nil || s.conn != nil {
		t.Errorf("error %v, connected: %v", err, s.conn != nil)
	}
	if n := <-sent; n > longestLine {
		t.Errorf("%d bytes of a line were taken", n)
	}
}

// A mark that is made anew does not make older what was stored in between. After a restart it does, as the server counts anew.
func TestMarksMadeAnew(t *testing.T) {
	t.Parallel()
	from, to := lists()
	k := Keeper{Migration: New(from, to, time.Second, time.Now())}
	k.cutOn = make([]net.Conn, len(k.cuts))
	first, _ := net.Pipe()
	next, _ := net.Pipe()
	for i, step := range []struct {
		what      string
		conn      net.Conn
		mark, cut uint64
	}{
		{"the first mark", first, 50, 50},
		{"the same", first, 50, 50},
		{"another one, as that was flushed", first, 70, 50},
		{"another one of a server that was restarted behind another proxy", first, 3, 3},
		{"the mark as told on a new connection", next, 9, 9},
		{"no CAS", next, 0, 0},
		{"a mark after that", next, 11, 11},
	} {
		k.cutAt(1, &session{conn: step.conn}, step.mark)
		if cut, known := k.Cut(1); cut != step.cut || known != (cut > 0) {
			t.Fatalf("step %d, %s: items below CAS %d are older, not below %d", i, step.what, cut, step.cut)
		}
	}
}
