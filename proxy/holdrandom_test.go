package proxy

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/config"
)

// randomRequest returns a request for some of a few keys, and whether a line may end its reply.
func randomRequest(r *rand.Rand) (text string, ends func(line string) bool) {
	key := func() string { return fmt.Sprint(map[bool]string{true: "h:", false: "x:"}[r.IntN(4) > 0], r.IntN(4)) }
	is := func(last ...string) func(string) bool {
		return func(line string) bool {
			for _, l := range last {
				if line == l {
					return true
				}
			}
			return false
		}
	}
	switch r.IntN(10) {
	case 0:
		return "set " + key() + " 0 0 1\r\nv\r\n", is("STORED")
	case 1:
		return "delete " + key() + "\r\n", is("DELETED", "NOT_FOUND")
	case 2:
		return "mn\r\n", is("MN")
	case 3:
		return "mg " + key() + " v k\r\n", func(line string) bool { return line == "v" || strings.HasPrefix(line, "EN k") }
	case 4, 5:
		return "get " + key() + " " + key() + " " + key() + "\r\n", is("END")
	default:
		return "get " + key() + "\r\n", is("END")
	}
}

// expectReply reads the reply to a request, of which ends knows the last line.
func expectReply(in *bufio.Reader, ends func(string) bool) error {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		switch line = strings.TrimSuffix(line, "\r\n"); {
		case ends(line):
			return nil
		case line != "v" && !strings.HasPrefix(line, "VALUE ") && !strings.HasPrefix(line, "VA 1 k"):
			return fmt.Errorf("a line that does not belong there: %q", line)
		}
	}
}

// askAtRandom sends pipelines of random requests, in packets of any size, on one connection after another.
func askAtRandom(t *testing.T, s *Server, r *rand.Rand) {
	conn := dialServer(t, s)
	in := bufio.NewReader(conn)
	for range 150 {
		var sent strings.Builder
		var all []func(string) bool
		for range 1 + r.IntN(5) {
			text, ends := randomRequest(r)
			sent.WriteString(text)
			all = append(all, ends)
		}
		text := sent.String()
		for len(text) > 0 {
			n := len(text)
			if r.IntN(4) == 0 {
				n = 1 + r.IntN(n)
			}
			if _, err := conn.Write([]byte(text[:n])); err != nil {
				t.Error(err)
				return
			}
			text = text[n:]
		}
		if r.IntN(10) == 0 {
			_ = conn.Close()
			conn = dialServer(t, s)
			in = bufio.NewReader(conn)
			continue
		}
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		for _, ends := range all {
			if err := expectReply(in, ends); err != nil {
				t.Errorf("%q: %v", sent.String(), err)
				return
			}
		}
	}
}

// Whatever clients ask and whenever they leave, each gets the replies to its own requests, in their order, and in the end
// nobody waits and no memory is taken.
func TestRandomHeldMisses(t *testing.T) {
	t.Parallel()
	s, _ := startHolding(t, 2, func(c *config.Config) {
		c.Pools[0].HoldMisses = []byprefix.Duration{{Text: "h:", For: 5 * time.Millisecond}}
	})
	var all sync.WaitGroup
	for seed := range uint64(16) {
		all.Go(func() { askAtRandom(t, s, rand.New(rand.NewPCG(seed, 1))) })
	}
	all.Wait()
	awaitHeld(t, s, 0)
	exchange(t, dialServer(t, s), "mn\r\n", "MN\r\n")
}
