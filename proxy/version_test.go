package proxy

import (
	"bufio"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// The version that clients get is the lowest among the upstreams, as a plain number. An
// upstream that is down counts with its last known version.
func TestVersionIsTheLowest(t *testing.T) {
	for _, of := range []struct {
		versions []string
		lowest   string
	}{
		{[]string{"1.6.38", "1.6.18", "1.6.45"}, "1.6.18"},
		{[]string{"1.6.9", "1.6.18"}, "1.6.9"},
		{[]string{"1.4.25-beta2", "1.6.18"}, "1.4.25"},
		{[]string{"UNKNOWN", "1.6.18"}, "1.6.18"},
		{[]string{"-1.-2.-3", "99999999999999999999.1.1"}, "1.6.0"},
		{[]string{"1.6.38-embedded"}, "1.6.38"},
	} {
		var upstreams []config.Upstream
		for _, v := range of.versions {
			upstreams = append(upstreams, fakeUpstream(t, v, []byte("END\r\n")))
		}
		conn := dialServer(t, startServer(t, 2, upstreams...))
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		exchange(t, conn, "version\r\n", "VERSION "+of.lowest+"\r\n")
		ask(t, conn, "stats\r\n")
		if told := readStats(t, conn); told["version"] != of.lowest || told["memverbs_version"] != "test" {
			t.Errorf("stats says version %q, memverbs_version %q", told["version"], told["memverbs_version"])
		}
	}
}

func TestVersionOfUpstreamsThatAreDown(t *testing.T) {
	var lower atomic.Bool
	var conns atomic.Pointer[net.Conn]
	var open atomic.Bool
	first := servedUpstream(t, "unix", func(conn net.Conn) {
		conns.Store(&conn)
		answerAll(conn, map[bool]string{true: "1.6.10", false: "1.6.40"}[lower.Load()], []byte("END\r\n"))
	})
	dial := first.Dial
	first.Dial = func(ctx context.Context) (net.Conn, error) {
		if !open.Load() {
			return nil, errors.New("closed for now")
		}
		return dial(ctx)
	}
	s := startServer(t, 1, first)
	conn := dialServer(t, s)
	in := bufio.NewReader(conn)
	expect := func(want string) {
		t.Helper()
		await(t, want, func() bool {
			ask(t, conn, "version\r\n")
			line, err := in.ReadString('\n')
			return err != nil || line == "VERSION "+want+"\r\n"
		})
	}
	expect("1.6.0")
	open.Store(true)
	expect("1.6.40")
	open.Store(false)
	_ = (*conns.Load()).Close()
	await(t, "the upstream to be down", func() bool {
		isDown := false
		onLoops(s, func(l *front.Loop) { isDown = l.Pools.Current[0].All[0].State == upstream.Down })
		return isDown
	})
	expect("1.6.40")
	lower.Store(true)
	open.Store(true)
	expect("1.6.10")
}
