package proxy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
)

// erratic is an upstream whose values have the size that their key says, and which
// sends them in pieces, sometimes with pauses. If mortal, it closes the connection in
// the middle of some.
type erratic struct {
	network string
	mortal  bool
}

const pause = time.Millisecond

func (e erratic) start(t *testing.T) config.Upstream {
	return playedUpstream(t, e.network, func(conn net.Conn, words []string) {
		text := replyTo(words)
		for len(text) > 0 {
			n := len(text)
			switch rand.IntN(4) {
			case 0:
				n = min(n, 1+rand.IntN(200))
			case 1:
				n = 1 + rand.IntN(n)
			}
			if _, err := io.WriteString(conn, text[:n]); err != nil {
				return
			}
			if text = text[n:]; e.mortal && rand.IntN(400) == 0 {
				_ = conn.Close()
				return
			}
			if rand.IntN(20) == 0 {
				<-time.After(pause)
			}
		}
	})
}

// replyTo is the upstream's answer, and the one that a client expects.
func replyTo(request []string) string {
	size := func(key string) (n int) {
		_, _ = fmt.Sscanf(key[1:], "%d", &n)
		return n
	}
	switch request[0] {
	case "set":
		return "STORED\r\n"
	case "mg":
		return valueOf("", size(request[1]), true)
	}
	var b strings.Builder
	for _, key := range request[1:] {
		b.WriteString(strings.TrimSuffix(valueOf(key, size(key), false), "END\r\n"))
	}
	return b.String() + "END\r\n"
}

// randomRequests returns requests of a client, and their answers. A key begins with the
// letter of its upstream.
func randomRequests(n int) (requests, replies []string) {
	key := func() string {
		size := 1 + rand.IntN(300_000)
		if rand.IntN(3) == 0 {
			size = 1 + rand.IntN(300)
		}
		return fmt.Sprintf("%c%d", "ab"[rand.IntN(2)], size)
	}
	for range n {
		request, end := "get "+key(), ""
		switch rand.IntN(10) {
		case 0:
			request += " " + key()
		case 1:
			request = "mg " + key() + " v"
		case 2:
			request, end = "mg "+key()+" v q", "mn\r\n" // as a refusal of it is silent
		}
		requests = append(requests, request+"\r\n"+end)
		replies = append(replies, replyTo(strings.Fields(request))+strings.ToUpper(end))
	}
	return requests, replies
}

// byLetter is the number of upstreams, and places a key on one by its first letter.
type byLetter int

func (n byLetter) Locate(key []byte) int { return int(key[0]-'a') % int(n) }

var errOther = errors.New("it is not what was asked for")

// expect reads replies. Any of them may be a refusal instead.
func expect(in *bufio.Reader, replies []string) error {
	buffer := make([]byte, 64<<10)
	for i, want := range replies {
		if start, _ := in.Peek(1); string(start) == "S" || string(start) == "M" { // SERVER_ERROR, or only MN
			if _, err := in.ReadString('\n'); err != nil {
				return err
			}
			continue
		}
		for rest := want; len(rest) > 0; {
			n, err := in.Read(buffer[:min(len(rest), 1+rand.IntN(len(buffer)))])
			if string(buffer[:n]) != rest[:n] {
				return fmt.Errorf("reply %d of %d, at byte %d of %d, is %.100q and not %.100q: %w", i, len(replies), len(want)-len(rest), len(want), buffer[:n], rest, errOther)
			}
			if rest = rest[n:]; err != nil {
				return err
			}
			if rand.IntN(100) == 0 {
				<-time.After(pause)
			}
		}
	}
	return nil
}

// session makes a client get values, and leave when it has them all, or before. It
// returns errOther if it gets another reply.
func session(s *Server) error {
	conn, err := net.Dial(s.Addrs()[0].Network(), s.Addrs()[0].String())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(patience))
	requests, replies := randomRequests(1 + rand.IntN(20))
	requests = append(requests, "quit\r\n") // in case less arrives than is expected
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(conn, strings.Join(requests, ""))
	}()
	defer func() { <-sent }()
	in := bufio.NewReaderSize(conn, 16)
	switch rand.IntN(4) {
	case 0:
		_, err := io.CopyN(io.Discard, in, rand.Int64N(int64(len(strings.Join(replies, "")))))
		_ = conn.Close()
		return err
	case 1:
		<-sent
		_ = conn.(interface{ CloseWrite() error }).CloseWrite()
	}
	return expect(in, replies)
}

// Many clients get values of all sizes, which arrive in all sorts of pieces. All get
// their values, and when they are gone nothing is left.
func TestManyStreams(t *testing.T) {
	for _, e := range []erratic{{"unix", false}, {"tcp", true}} {
		t.Run(fmt.Sprintf("%+v", e), func(t *testing.T) { testManyStreams(t, e) })
	}
}

func testManyStreams(t *testing.T, e erratic) {
	s := newServer(2, e.start(t), e.start(t))
	s.shared.Config.Pools[0].Layout = byLetter(2)
	if e.network == "unix" {
		s.shared.Config.Listeners[0].Address = listen.Address{Network: "unix", Address: filepath.Join(t.TempDir(), "proxy")}
	}
	start(t, s)
	// With both ends of second connections, and of a pipe for each loop.
	files := descriptors(t) + 2*len(s.shared.Loops)*(len(s.shared.Config.Pools[0].Upstreams)+1)
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for range 4 {
				if err := session(s); errors.Is(err, errOther) || err != nil && !e.mortal && !errors.Is(err, io.EOF) {
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()
	await(t, "all clients and their buffers to be gone", func() bool {
		clients, buffers := heldBy(s)
		return s.shared.Clients.Load() == 0 && clients == 0 && buffers == 0
	})
	await(t, "all descriptors to be closed", func() bool { return descriptors(t) <= files })
}
